// OneSource: watch from Tests/MadeModules/Two/App, Tests/MadeModules/Two/Single.swift
// OneSource: without Tests/MadeModules/Two/App/Health.swift, "Tests/MadeModules/Two/App/Not Shared"
