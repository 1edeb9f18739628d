import Foundation
import Testing

@testable import LocalData

/// Migrations of an app's own, which use the router from within the turn of the key that they fill.
@Suite struct CustomMigrationTests {
    private let device = TestDevice()

    /// Joins two older values, by the router's public operations only.
    struct JoiningMigration: StorageMigration {
        let destinationKey: ValueKey<String>
        var runs: Log?

        func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
            if try await router.exists(destinationKey) { return false }
            return try await router.exists(ValueKey("first", of: String.self))
        }

        func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
            runs?.add(context.appVersion)
            async let first = router.get(ValueKey("first", of: String.self))
            async let last = router.get(ValueKey("last", of: String.self))
            try await router.set(first + " " + last, for: destinationKey)
            _ = try await router.get(destinationKey)
            try await router.remove(ValueKey("first", of: String.self))
            try await router.remove(ValueKey("last", of: String.self))
            return MigrationResult(success: true, migratedCount: 2)
        }
    }

    private func key(_ runs: Log? = nil) -> ValueKey<String> {
        ValueKey("name", of: String.self, in: .documents) { AnyStorageMigration(JoiningMigration(destinationKey: $0, runs: runs)) }
    }

    private func prepare(_ router: StorageRouter) async throws {
        try await router.set("Ada", for: ValueKey("first"))
        try await router.set("Lovelace", for: ValueKey("last"))
    }

    @Test func usesTheRouterWithinItsTurn() async throws {
        let router = device.router()
        try await prepare(router)
        var changes = router.changes(of: ValueKey("name", of: String.self, in: .documents)).makeAsyncIterator()
        _ = try await changes.next()
        #expect(try await router.get(key()) == "Ada Lovelace")
        #expect(device.defaults.peek("first") == nil)
        #expect(try await changes.next() == StorageChange(value: "Ada Lovelace", origin: .migration))
        #expect(router.engines.turns.access.locationsInUse == 0)
    }

    @Test func runsOnceForConcurrentReaders() {
        let executor = ManualExecutor()
        let router = device.router()
        let log = Log()
        device.description.appVersion = "2.1.0"
        let key = key(log)
        executor.start { [self] in try await prepare(router) }
        executor.drain()
        let values = Log()
        for _ in 0..<4 { executor.start { values.add(try await router.get(key)) } }
        executor.drain()
        #expect(values.entries == Array(repeating: "Ada Lovelace", count: 4))
        #expect(log.entries == ["2.1.0"])
    }

    @Test func legacyKeysNeedNoCatalog() async throws {
        struct Catalog: StorageKeyCatalog {
            let key: ValueKey<String>
            var allKeys: [AnyStorageKey] { [.key(key)] }
        }
        let router = device.router()
        try await prepare(router)
        let outcomes = try await router.registerCatalog(Catalog(key: key()), migrateImmediately: true)
        #expect(outcomes.map(\.summary) == ["name: migrated 2"])
        #expect(try await router.get(key()) == "Ada Lovelace")
        #expect(await storageError { _ = try await router.get(ValueKey("first", of: String.self)) }?.code == .notRegistered)
    }

    @Test func theContextIsTheDevices() async throws {
        struct ContextMigration: StorageMigration {
            let destinationKey: ValueKey<String>
            let log: Log
            func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
                log.add(
                    "\(context.appVersion) \(context.deviceInfo.model) \(context.systemInfo.name) \(context.date.timeIntervalSinceReferenceDate)"
                )
                return false
            }
            func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
                MigrationResult(success: true)
            }
        }
        let log = Log()
        let key = ValueKey("k", of: String.self) { AnyStorageMigration(ContextMigration(destinationKey: $0, log: log)) }
        #expect(await storageError { _ = try await device.router().get(key) }?.code == .notFound)
        #expect(log.entries == ["1.0.0 iPhone17,1 iOS 700000000.0"])
    }

    struct FailingMigration: StorageMigration {
        let destinationKey: ValueKey<String>
        let outcome: @Sendable () throws -> MigrationResult
        func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { true }
        func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult { try outcome() }
    }

    private func get(failing outcome: @escaping @Sendable () throws -> MigrationResult) async -> StorageError? {
        let key = ValueKey("k", of: String.self) { AnyStorageMigration(FailingMigration(destinationKey: $0, outcome: outcome)) }
        return await storageError { _ = try await device.router().get(key) }
    }

    @Test func aFailureIsNeverNotFound() async {
        #expect(await get { throw StorageError(.locked) }?.code == .locked)
        #expect(await get { throw StorageError(.notFound) }?.code == .inputOutput)
        #expect(await get { throw MigrationError.deferred(StorageError(.lockedBeforeFirstUnlock)) }?.code == .lockedBeforeFirstUnlock)
        #expect(await get { throw MigrationError.verificationFailed(key: "k") }?.code == .inputOutput)
        #expect(await get { throw MigrationError.transformFailed(key: "k", reason: "r") }?.code == .wrongType)
        #expect(await get { throw MigrationError.conflictingSources(key: "k", sources: ["a", "b"]) }?.code == .undecided)
        #expect(await get { MigrationResult(success: false) }?.code == .inputOutput)
        #expect(await get { MigrationResult(success: true) }?.code == .notFound)
    }

    @Test func errorsOfOtherTypesPassFromAReadAndAreNotedInASweep() async throws {
        struct Failure: Error {}
        let key = ValueKey("k", of: String.self) { AnyStorageMigration(FailingMigration(destinationKey: $0) { throw Failure() }) }
        let router = device.router()
        await #expect(throws: Failure.self) { try await router.get(key) }
        let outcomes = try await router.sweepMigrations(of: [.key(key)])
        #expect(outcomes.map(\.summary) == ["k: failed storage inputOutput"])
        #expect(router.engines.turns.access.locationsInUse == 0)
    }
}
