// OneSource: phone from Tests/MadeModules/StrictSource
