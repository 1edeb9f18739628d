import Foundation
import Testing

@testable import LocalData

@Suite struct SimpleLegacyMigrationTests {
    private let device = TestDevice()
    private let legacy = ValueKey("old", of: String.self)
    private var key: ValueKey<String> { ValueKey("new", of: String.self, in: .documents).replacing(legacy) }

    @Test func aReadBringsTheValueOver() async throws {
        let router = device.router()
        try await router.set("value", for: legacy)
        #expect(try await router.exists(key) == false)
        #expect(try await router.get(key) == "value")
        #expect(device.defaults.peek("old") == nil)
        #expect(device.files.peek("/app/Documents/new") == Data("\"value\"".utf8))
        #expect(try await router.get(key) == "value")
    }

    @Test func nothingAnywhereIsNotFound() async {
        #expect(await storageError { _ = try await device.router().get(key) }?.code == .notFound)
    }

    static let places: [(StorageDomain, SecurityPolicy)] = [
        (.userDefaults(suite: "x"), .none),
        (.keychain(service: "s"), .keychain(accessibility: .afterFirstUnlock, accessControl: .userPresence)),
        (.documents, .none), (.documents, .recommended),
        (.encryptedFileSystem(directory: .caches), .encrypted(.aes256(keyDerivation: .hkdf()))),
        (.appGroupFileSystem(identifier: "g", directory: .documents), .none), (.appGroupUserDefaults(identifier: "g"), .recommended),
    ]

    @Test(arguments: places, places) func everyPlaceCanBeTheSourceOfEveryOther(
        _ source: (StorageDomain, SecurityPolicy), _ destination: (StorageDomain, SecurityPolicy)
    ) async throws {
        let old = ValueKey("old", of: [String: Int].self, in: source.0, security: source.1, serializer: .plist)
        let new = ValueKey("new", of: [String: Int].self, in: destination.0, security: destination.1).replacing(old)
        try await device.router().set(["a": 1, "b": 2], for: old)
        let router = device.router()
        #expect(try await router.get(new) == ["a": 1, "b": 2])
        // Into preferences the source goes with a later process.
        let later = device.router()
        try await later.forceMigration(for: new)
        #expect(try await later.get(new) == ["a": 1, "b": 2])
        #expect(try await later.exists(old) == false)
        #expect(router.engines.turns.access.locationsInUse == 0)
    }

    @Test func aNewerValueIsNeverOverwritten() async throws {
        let router = device.router()
        try await router.set("old value", for: legacy)
        try await router.set("new value", for: key)
        #expect(try await router.get(key) == "new value")
        let result = try await router.forceMigration(for: key)
        #expect(result.success)
        #expect(result.migratedCount == 0)
        #expect(try await router.get(key) == "new value")
        #expect(device.defaults.peek("old") == nil)
    }

    /// Preferences reach the disk later: the only other copy goes when a later process has seen the value, and has asked the system to take it over.
    @Test func preferencesSettleBeforeTheirSourceGoes() async throws {
        let old = ValueKey("old", of: String.self, in: .documents)
        let new = ValueKey("new", of: String.self, in: .userDefaults(suite: "s")).replacing(old)
        let router = device.router()
        try await router.set("value", for: old)
        let device = device
        let atDeletion = Log()
        device.files.observe { operation, _ in if operation == "unlink" { atDeletion.add("\(device.defaults.synchronized.count)") } }
        #expect(try await router.get(new) == "value")
        #expect(try await router.forceMigration(for: new).success)
        #expect(atDeletion.entries == [])
        #expect("\(try await router.migrationPlan(for: new).state)" == "interrupted")
        let handedOver = device.defaults.synchronized.count
        #expect(try await device.router().forceMigration(for: new).success)
        device.files.observe(nil)
        #expect(atDeletion.entries.first.flatMap { Int($0) } ?? 0 > handedOver)
        #expect(device.defaults.synchronized.allSatisfy { $0 == .named("s") })
        #expect("\(try await device.router().migrationPlan(for: new).state)" == "nothing")
        #expect(device.files.peek("/app/Documents/old") == nil)
    }

    @Test func runningTwiceChangesNothing() async throws {
        let router = device.router()
        try await router.set("value", for: legacy)
        #expect(try await router.forceMigration(for: key).migratedCount == 1)
        let operations = device.files.operations.filter { $0.hasPrefix("rename") }.count
        let second = try await router.forceMigration(for: key)
        #expect(second.success)
        #expect(second.migratedCount == 0)
        #expect(device.files.operations.filter { $0.hasPrefix("rename") }.count == operations)
    }

    @Test func aLockedSourceIsDeferredAndNeverNotFound() async throws {
        let old = ValueKey(
            "old", of: String.self, in: .keychain(service: nil), security: .keychain(accessibility: .whenUnlocked, accessControl: nil))
        let new = ValueKey("new", of: String.self).replacing(old)
        let router = device.router()
        try await router.set("value", for: old)
        device.lockState = .locked
        let error = await storageError { _ = try await router.get(new) }
        #expect(error?.code == .locked)
        #expect(error?.key == "new")
        #expect(error?.operation == "get")
        #expect(error?.facts.contains("the value still lies under 'old' in keychain") == true)
        #expect(await migrationError { try await router.forceMigration(for: new) }?.summary == "deferred locked")
        #expect(device.keychain.peek("old") != nil)
        device.lockState = .unlocked
        #expect(try await router.get(new) == "value")
    }

    @Test func aLockedDestinationIsDeferredAndTheSourceKept() async throws {
        let new = ValueKey(
            "new", of: String.self, in: .keychain(service: nil), security: .keychain(accessibility: .whenUnlocked, accessControl: nil)
        ).replacing(legacy)
        let router = device.router()
        try await router.set("value", for: legacy)
        device.lockState = .locked
        #expect(await storageError { _ = try await router.get(new) }?.code == .locked)
        #expect(device.defaults.peek("old") == .string("value"))
    }

    /// The preferences of a process that was started before the first unlock look empty; that is no absence.
    @Test func unreadablePreferencesAreNotAnEmptySource() async throws {
        let router = device.router()
        try await router.set("value", for: legacy)
        device.defaults.isReadable = false
        #expect(await storageError { _ = try await router.get(key) }?.code == .lockedBeforeFirstUnlock)
        #expect(device.defaults.peek("old") == .string("value"))
    }

    @Test func aDamagedSourceIsKeptAndReported() async throws {
        let old = ValueKey("old", of: String.self, in: .documents, security: .recommended)
        let new = ValueKey("new", of: String.self).replacing(old)
        device.files.put(Data("not an envelope".utf8), at: "/app/Documents/old")
        let router = device.router()
        #expect(await storageError { _ = try await router.get(new) }?.code == .corrupt)
        #expect(device.files.paths == ["/app/Documents/old"])
        // The app can decide: set a new value, or remove what is there.
        try await router.remove(new)
        #expect(device.files.paths == [])
        #expect(await storageError { _ = try await router.get(new) }?.code == .notFound)
    }

    @Test func anotherTypeIsKeptAndReported() async throws {
        struct Pair: Codable, Sendable { var a: Int }
        let new = ValueKey("new", of: Pair.self, in: .documents).replacing(legacy)
        let router = device.router()
        try await router.set("value", for: legacy)
        #expect(await storageError { _ = try await router.get(new) }?.code == .wrongType)
        #expect(device.defaults.peek("old") == .string("value"))
    }

    @Test func aTypeThatReadsTheSameBytesIsFine() async throws {
        enum Theme: String, Codable, Sendable { case dark }
        let router = device.router()
        try await router.set("dark", for: legacy)
        #expect(try await router.get(ValueKey("new", of: Theme.self, in: .documents).replacing(legacy)) == .dark)
    }

    @Test func chainsOfVersionsAreFollowed() async throws {
        let second = ValueKey("v2", of: String.self, in: .documents).replacing(ValueKey("v1", of: String.self))
        let third = ValueKey("v3", of: String.self, in: .keychain(service: nil)).replacing(second)
        let router = device.router()
        try await router.set("value", for: ValueKey("v1"))
        #expect(try await router.get(third) == "value")
        #expect(device.defaults.peek("v1") == nil)
        #expect(device.files.appPaths == [])
        #expect(device.keychain.peek("v3") != nil)
    }

    @Test func aSourceThatIsTheDestinationIsRefused() async throws {
        let new = ValueKey("same", of: String.self, in: .documents, security: .none)
            .replacing(ValueKey("same", of: String.self, in: .encryptedFileSystem(directory: .documents), security: .recommended))
        let router = device.router()
        try await router.set("value", for: new)
        #expect(await migrationError { try await router.forceMigration(for: new) }?.summary == "storage invalidKey")
        #expect(try await router.get(new) == "value")
        try await router.remove(new)
        #expect(await storageError { _ = try await router.get(new) }?.code == .notFound)
    }

    /// A mistake in the declarations ends in an error, not in a wait for ever.
    @Test func migrationsInACircleEnd() async throws {
        let router = device.router()
        #expect(await storageError { _ = try await router.get(Ring(name: "a")) }?.code == .notFound)
        try await router.set("value", for: Ring(name: "b"))
        #expect(try await router.get(Ring(name: "a")) == "value")
        #expect(router.engines.turns.access.locationsInUse == 0)
    }

    @Test func observersHearThatAMigrationDidIt() async throws {
        let router = device.router()
        var changes = router.changes(of: key).makeAsyncIterator()
        #expect(try await changes.next()?.value == nil)
        try await router.set("value", for: legacy)
        _ = try await router.get(key)
        #expect(try await changes.next() == StorageChange(value: "value", origin: .migration))
    }

    @Test func anObserverOfALegacyValueGetsItMigrated() async throws {
        let router = device.router()
        try await router.set("value", for: legacy)
        var changes = router.changes(of: key).makeAsyncIterator()
        #expect(try await changes.next() == StorageChange(value: "value", origin: nil))
        #expect(device.defaults.peek("old") == nil)
    }

    @Test func twoReadersMigrateOnce() {
        let executor = ManualExecutor()
        let router = device.router()
        let (log, legacy, key) = (Log(), legacy, key)
        executor.start { try await router.set("value", for: legacy) }
        executor.drain()
        let renames = device.files.operations.filter { $0.hasPrefix("rename") && $0.hasSuffix("/new") }.count
        for _ in 0..<3 { executor.start { log.add(try await router.get(key)) } }
        executor.drain()
        #expect(log.entries == ["value", "value", "value"])
        #expect(device.files.operations.filter { $0.hasPrefix("rename") && $0.hasSuffix("/new") }.count == renames + 1)
    }

    @Test func manyReadersOnManyThreadsMigrateOnce() async throws {
        let router = device.router()
        try await router.set("value", for: legacy)
        let key = key
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await router.get(key) } }
            for try await value in group { #expect(value == "value") }
        }
        #expect(device.files.operations.filter { $0.hasPrefix("rename") && $0.hasSuffix("/new") }.count == 1)
    }

    /// The copy must read back before the source goes.
    @Test func aCopyThatDoesNotReadBackIsUndone() async throws {
        let router = device.router()
        try await router.set("value", for: legacy)
        let disk = device.files
        let damaged = Flag()
        disk.observe { operation, path in
            if operation == "read", path.hasSuffix("/new"), disk.peek(path) != nil, damaged.raise() {
                disk.put(Data("\"other\"".utf8), at: path)
            }
        }
        let error = await migrationError { try await router.forceMigration(for: key) }
        disk.observe(nil)
        #expect(error?.summary == "verificationFailed")
        #expect(device.defaults.peek("old") == .string("value"))
        #expect(try await router.get(key) == "value")
    }
}
