// OneSource: phone from Tests/MadeModules/Source
