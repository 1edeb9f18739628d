// OneSource: phone from Tests/MadeModules/Two/Core/Sources
// OneSource: as MyAppCore
