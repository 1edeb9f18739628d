import DeviceSim
import Foundation
import LocalData
import Testing
import WatchConnectivity

/// What the app and its widget extension, two processes on one device, are promised of what they share.
@Suite struct WidgetTests {
    private struct Key: StorageKey {
        typealias Value = String

        let name: String
        let domain: StorageDomain
        var security = SecurityPolicy.none
        var accessGroup: String?
        var syncPolicy = SyncPolicy.never
        var missingKeyPolicy = MissingKeyPolicy.report
        let owner = "Tests"
        let description = "A value of the tests"
    }

    private static let group = "group.com.example"
    private static let file = StorageDomain.appGroupFileSystem(identifier: group, directory: .documents)
    private static let suite = StorageDomain.appGroupUserDefaults(identifier: group)

    /// A phone whose app and widget run.
    private func simulation() throws -> Simulation {
        let simulation = Simulation()
        try simulation.finish(simulation.phone.launch())
        try simulation.phone.launchWidget()
        return simulation
    }

    private func inWidget<Value>(
        _ simulation: Simulation, _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let operation = try simulation.phone.startInWidget("widget", body)
        try simulation.finish(operation)
        return try #require(operation.result).get()
    }

    @Test func aWidgetHasNoSessionAndKnowsThatItIsAnExtension() throws {
        let simulation = try simulation()
        defer { simulation.shutDown() }
        let found = try inWidget(simulation) { () -> [Bool] in
            WCSession.default.activate()
            return [
                WCSession.isSupported(), WCSession.default.activationState == .activated,
                StorageRouter.shared.environment.device.isAppExtension,
            ]
        }
        #expect(found == [false, false, true])
        #expect(try simulation.run(on: simulation.phone) { !StorageRouter.shared.environment.device.isAppExtension })
    }

    @Test func anObserverIsNotToldOfTheWidgetsWriteAndTheNextReadIs() throws {
        let simulation = try simulation()
        defer { simulation.shutDown() }
        let key = Key(name: "note", domain: Self.file)
        try simulation.run(on: simulation.phone) { try await StorageRouter.shared.set("app", for: key) }
        let seen = try simulation.phone.start("observe") { () -> [String?] in
            var values: [String?] = []
            for try await change in StorageRouter.shared.changes(of: key) {
                values.append(change.value)
                if values.count == 2 { break }
            }
            return values
        }
        try simulation.runReady()
        try inWidget(simulation) { try await StorageRouter.shared.set("widget", for: key) }
        #expect(!seen.isFinished)
        #expect(try simulation.run(on: simulation.phone) { try await StorageRouter.shared.get(key) } == "widget")
        try simulation.run(on: simulation.phone) { try await StorageRouter.shared.set("app again", for: key) }
        #expect(try seen.result?.get() == ["app", "app again"])
    }

    @Test func aWidgetWritesNoVersions() throws {
        let simulation = try simulation()
        defer { simulation.shutDown() }
        let inSuite = Key(name: "choice", domain: Self.suite, syncPolicy: .automaticSmall)
        let inFile = Key(name: "note", domain: Self.file, syncPolicy: .automaticSmall)
        try inWidget(simulation) {
            try await StorageRouter.shared.set("one", for: inSuite)
            try await StorageRouter.shared.set("two", for: inFile)
            try await StorageRouter.shared.syncRegisteredKeysIfNeeded()
        }
        // Beside a preference it notes that the value is its own, for the app, which gives it a version.
        #expect(try simulation.phone.storage.storedPreferences().map(\.key).sorted() == ["choice", "com.localdata.edit.choice"])
        let files = try simulation.phone.storage.storedFiles().map(\.path)
        // Where its values lie it notes, for its own audit.
        #expect(files.filter { $0.contains("LocalData") && !$0.hasSuffix("/places.json") } == [])
    }

    @Test(arguments: [file, suite]) func nothingIsDiscardedWhereTheOtherProcessMayHaveTheKey(_ domain: StorageDomain) throws {
        let simulation = try simulation()
        defer { simulation.shutDown() }
        let key = Key(name: "token", domain: domain, security: .recommended, missingKeyPolicy: .discard)
        try simulation.run(on: simulation.phone) { try await StorageRouter.shared.set("secret", for: key) }
        let error = #expect(throws: StorageError.self) { try inWidget(simulation) { try await StorageRouter.shared.get(key) } }
        #expect(error?.code == .keyMissing)
        #expect(try inWidget(simulation) { try await StorageRouter.shared.exists(key) })
        #expect(try simulation.run(on: simulation.phone) { try await StorageRouter.shared.get(key) } == "secret")
    }

    @Test func theKeyOfAnInstallationIsHandedOnAndNotMintedAnew() throws {
        let simulation = try simulation()
        defer { simulation.shutDown() }
        let before = Key(name: "token", domain: Self.file, security: .recommended)
        var after = before
        after.accessGroup = Self.group
        let key = after
        try simulation.run(on: simulation.phone) { try await StorageRouter.shared.set("old", for: before) }
        #expect(try simulation.run(on: simulation.phone) { try await StorageRouter.shared.get(key) } == "old")
        #expect(try inWidget(simulation) { try await StorageRouter.shared.get(key) } == "old")
        try inWidget(simulation) { try await StorageRouter.shared.set("new", for: key) }
        // An app without the access group, such as the version before, opens what the same key sealed.
        #expect(try simulation.run(on: simulation.phone) { try await StorageRouter.shared.get(before) } == "new")
        let items = try simulation.phone.storage.storedKeychainItems().filter { $0.account != "primary" }
        #expect(Set(items.map(\.account)).count == 1)
        #expect(Set(items.map(\.accessGroup)) == [nil, Self.group])
    }

    /// A key of an earlier version of the app, and those of an update that takes its value over.
    private struct MigratingKey: StorageKey {
        typealias Value = String

        let name = "note"
        let domain = StorageDomain.appGroupFileSystem(identifier: WidgetTests.group, directory: .caches)
        let security = SecurityPolicy.none
        let owner = "Tests"
        let description = "A value of the tests"
        let source: Key
        var isOfItsOwn = false

        var migration: AnyStorageMigration? {
            guard isOfItsOwn else { return AnyStorageMigration(SimpleLegacyMigration(destinationKey: self, sourceKey: .key(source))) }
            return AnyStorageMigration(OwnMigration(destinationKey: self))
        }
    }

    /// As an app writes one.
    private struct OwnMigration: StorageMigration {
        let destinationKey: MigratingKey

        func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
            try await router.exists(destinationKey.source)
        }

        func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
            try await router.set(router.get(destinationKey.source), for: destinationKey)
            try await router.remove(destinationKey.source)
            return MigrationResult(success: true, migratedCount: 1)
        }
    }

    /// What a widget did of a migration.
    private struct Doings: Equatable {
        var read: String?
        var observed: String?
        var error: StorageError.Code?
        var outcome: StorageError.Code?
    }

    @Test(arguments: [false, true]) func aWidgetLeavesMigrationsToItsApp(_ isOfItsOwn: Bool) throws {
        let simulation = try simulation()
        defer { simulation.shutDown() }
        let source = Key(name: "old", domain: Self.file)
        let key = MigratingKey(source: source, isOfItsOwn: isOfItsOwn)
        try simulation.run(on: simulation.phone) { try await StorageRouter.shared.set("left", for: source) }
        let doings = try inWidget(simulation) { () -> Doings in
            let router = StorageRouter.shared
            var doings = Doings()
            do {
                doings.read = try await router.get(key)
            } catch let error as StorageError where error.code == .notFound {}
            for try await change in router.changes(of: key) {
                doings.observed = change.value
                break
            }
            do {
                try await router.forceMigration(for: key)
            } catch MigrationError.deferred(let error) {
                doings.error = error.code
            }
            for try await progress in router.migrations(of: [.key(key)]) {
                if case .deferred(let error) = progress.outcome.result { doings.outcome = error.code }
            }
            return doings
        }
        // What a migration of the app's own would bring, LocalData does not know.
        let read = isOfItsOwn ? nil : "left"
        #expect(doings == Doings(read: read, observed: read, error: .unsupported, outcome: .unsupported))
        #expect(try simulation.run(on: simulation.phone) { try await StorageRouter.shared.get(source) } == "left")
        #expect(try simulation.run(on: simulation.phone) { try await StorageRouter.shared.get(key) } == "left")
        #expect(try !simulation.run(on: simulation.phone) { try await StorageRouter.shared.exists(source) })
        let after = try inWidget(simulation) { () -> [String] in
            try await StorageRouter.shared.forceMigration(for: key)
            return [try await StorageRouter.shared.get(key)]
        }
        #expect(after == ["left"])
    }

    @Test func aProcessThatIsSuspendedWithALockIsKilled() throws {
        let simulation = try simulation()
        defer { simulation.shutDown() }
        let phone = simulation.phone
        try phone.lockFile("group.com.example/db.sqlite", in: .widget)
        #expect(throws: SimulationError.self) { try phone.lockFile("group.com.example/db.sqlite", in: .app) }
        try phone.suspendWidget()
        #expect(phone.widget == nil)
        #expect(simulation.trace.events.last?.kind == .widgetKilled)
        try phone.lockFile("group.com.example/db.sqlite", in: .app)
        try phone.unlockFile("group.com.example/db.sqlite", in: .app)
        try phone.suspend()
        #expect(phone.process?.state == .suspended)
    }
}
