// OneSource: watch from Tests/MadeModules/StrictSource
