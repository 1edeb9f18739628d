// OneSource: watch from Tests/MadeModules/Source
