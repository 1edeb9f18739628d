import DeviceSim
import LocalData
import Testing

/// What an embedding test does, as the articles show it.
@Suite struct ReferenceAppTests {
    @Test func themeReachesTheWatch() throws {
        var options = SimulationOptions()
        options.makeApp = { _ in ReferenceApp(catalogs: [SettingsCatalog()]) }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.launchBoth()

        simulation.setLink(up: false)
        try simulation.run(on: simulation.phone) { try await StorageRouter.shared.set("dark", for: StorageKeys.ThemeKey()) }
        #expect(throws: StorageError.self) {
            try simulation.run(on: simulation.watch) { try await StorageRouter.shared.get(StorageKeys.ThemeKey()) }
        }
        simulation.setLink(up: true)
        try simulation.settle()

        let theme = try simulation.run(on: simulation.watch) { try await StorageRouter.shared.get(StorageKeys.ThemeKey()) }
        #expect(theme == "dark")
    }

    @Test func aFailureThatNobodyIsToldOfIsReported() throws {
        let log = ReportLog()
        var options = SimulationOptions()
        options.makeApp = { _ in
            ReferenceApp(catalogs: [BrokenCatalog()], report: { activity, error in log.append("\(activity): \(error)") })
        }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        #expect(log.entries.count == 1)
        #expect(log.entries.first?.contains("BrokenCatalog") == true)
    }
}

extension StorageKeys {
    fileprivate struct ThemeKey: StorageKey {
        typealias Value = String

        let name = "theme"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Settings"
        let description = "The colour theme that the person chose"
        let syncPolicy: SyncPolicy = .automaticSmall
    }

    /// Has no description.
    fileprivate struct NamelessKey: StorageKey {
        typealias Value = String

        let name = "nameless"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let owner = "Settings"
    }
}

private struct SettingsCatalog: StorageKeyCatalog {
    var allKeys: [AnyStorageKey] { [.key(StorageKeys.ThemeKey())] }
}

private struct BrokenCatalog: StorageKeyCatalog {
    var allKeys: [AnyStorageKey] { [.key(StorageKeys.NamelessKey())] }
}

/// Used on the simulation's thread only.
private final class ReportLog: @unchecked Sendable {
    private(set) var entries: [String] = []

    func append(_ entry: String) {
        entries.append(entry)
    }
}
