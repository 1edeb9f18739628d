import Foundation
import Testing

@testable import LocalData

@Suite struct AggregatingMigrationTests {
    private let device = TestDevice()

    @Test func sourcesOfDifferentTypesBecomeOneValue() async throws {
        let router = device.router()
        try await NameKeys.plant(with: router)
        #expect(try await router.get(NameKeys.person()) == NameKeys.whole)
        #expect(device.defaults.peek("first") == nil)
        #expect(device.keychain.peek("nick") == nil)
        #expect(device.files.peek("/app/Library/Caches/year") == nil)
        #expect(router.engines.turns.access.locationsInUse == 0)
    }

    @Test func theResultSaysHowManyAndFromWhere() async throws {
        let router = device.router()
        try await NameKeys.plant(with: router)
        let result = try await router.forceMigration(for: NameKeys.person())
        #expect(result.migratedCount == 3)
        #expect(result.metadata == ["sources": "first, year, nick"])
        #expect(try await router.forceMigration(for: NameKeys.person()).migratedCount == 0)
    }

    @Test func missingSourcesAreNilWhereThatIsAllowed() async throws {
        let router = device.router()
        try await router.set(1815, for: NameKeys.year)
        #expect(try await router.get(NameKeys.person()) == "? 1815 ?")
    }

    @Test func missingSourcesAreAwaitedWhereThatIsAsked() async throws {
        let router = device.router()
        let key = NameKeys.person(missing: .awaited)
        try await router.set("Ada", for: NameKeys.first)
        try await router.set(1815, for: NameKeys.year)
        #expect(await storageError { _ = try await router.get(key) }?.code == .notFound)
        #expect(device.defaults.peek("first") == .string("Ada"))
        try await router.set("Countess", for: NameKeys.secret)
        #expect(try await router.get(key) == NameKeys.whole)
    }

    @Test func aNewerValueWinsAndTheOldOnesGo() async throws {
        let router = device.router()
        try await NameKeys.plant(with: router)
        try await router.set("chosen", for: NameKeys.person())
        #expect(try await router.forceMigration(for: NameKeys.person()).migratedCount == 0)
        #expect(try await router.get(NameKeys.person()) == "chosen")
        #expect(device.keychain.peek("nick") == nil)
    }

    @Test func aLockedSourceDefersAllOfIt() async throws {
        let router = device.router()
        try await NameKeys.plant(with: router)
        device.keychain.fail("copyMatching", with: .interactionNotAllowed)
        device.lockState = .locked
        #expect(await storageError { _ = try await router.get(NameKeys.person()) }?.code == .locked)
        #expect(await migrationError { try await router.forceMigration(for: NameKeys.person()) }?.summary == "deferred locked")
        #expect(device.defaults.peek("first") == .string("Ada"))
        #expect(device.files.peek("/app/Documents/person") == nil)
        device.keychain.fail("copyMatching", with: nil)
        device.lockState = .unlocked
        #expect(try await router.get(NameKeys.person()) == NameKeys.whole)
    }

    @Test func aConflictKeepsEverythingAndNamesTheSources() async throws {
        let other = ValueKey("other", of: String.self)
        let key = ValueKey("agreed", of: String.self, in: .documents) { key in
            AnyStorageMigration(
                AggregatingMigration(destinationKey: key, sourceKeys: [.key(NameKeys.first), .key(other)]) { sources in
                    let values = try [sources.value(of: NameKeys.first), sources.value(of: other)].compactMap { $0 }
                    guard let value = values.first, Set(values).count == 1 else { throw sources.conflict() }
                    return value
                })
        }
        let router = device.router()
        try await router.set("one", for: NameKeys.first)
        try await router.set("two", for: other)
        let error = await migrationError { try await router.forceMigration(for: key) }
        #expect(error?.description.contains("(first, other)") == true)
        #expect(error?.summary == "conflictingSources")
        #expect(await storageError { _ = try await router.get(key) }?.code == .undecided)
        #expect(device.defaults.peek("first") == .string("one"))
        #expect(device.defaults.peek("other") == .string("two"))
        try await router.set("one", for: other)
        #expect(try await router.get(key) == "one")
    }

    @Test func sourcesHaveChainsOfTheirOwn() async throws {
        let oldest = ValueKey("v0", of: String.self, in: .keychain(service: nil))
        let first = NameKeys.first.replacing(oldest)
        let key = ValueKey("joined", of: String.self, in: .documents) { key in
            AnyStorageMigration(
                AggregatingMigration(destinationKey: key, sourceKeys: [.key(first), .key(NameKeys.year)]) { sources in
                    try "\(sources.value(of: first) ?? "?") \(sources.value(of: NameKeys.year) ?? 0)"
                })
        }
        let router = device.router()
        try await router.set("Ada", for: oldest)
        try await router.set(1815, for: NameKeys.year)
        #expect(try await router.get(key) == "Ada 1815")
        #expect(device.keychain.peek("v0") == nil)
    }

    @Test(arguments: [["first", "first"], ["person"]]) func sourcesAtOnePlaceAreRefused(_ names: [String]) async throws {
        let key = ValueKey("person", of: String.self) { key in
            AnyStorageMigration(
                AggregatingMigration(destinationKey: key, sourceKeys: names.map { .key(ValueKey<String>($0)) }) { _ in "x" })
        }
        let router = device.router()
        for name in names { try await router.set("value", for: ValueKey(name)) }
        #expect(await migrationError { try await router.forceMigration(for: key) }?.summary == "storage invalidKey")
        for name in names { #expect(device.defaults.peek(name) == .string("value")) }
    }

    @Test func aKeyThatIsNoSourceIsAMistake() async throws {
        let key = ValueKey("person", of: String.self) { key in
            AnyStorageMigration(
                AggregatingMigration(destinationKey: key, sourceKeys: [.key(NameKeys.first)]) { try $0.value(of: NameKeys.secret) ?? "" })
        }
        let router = device.router()
        try await router.set("Ada", for: NameKeys.first)
        #expect(await migrationError { try await router.forceMigration(for: key) }?.summary == "storage invalidKey")
    }

    /// Two migrations that list the same sources in another order take their turns in one order.
    @Test func twoAggregatesOfTheSameSourcesDoNotWaitForEachOther() {
        func joined(_ name: String, _ sources: [ValueKey<String>]) -> ValueKey<String> {
            ValueKey(name, of: String.self, in: .documents) { key in
                AnyStorageMigration(AggregatingMigration(destinationKey: key, sourceKeys: sources.map { .key($0) }) { "\($0.present)" })
            }
        }
        let (a, b) = (ValueKey("a", of: String.self), ValueKey("b", of: String.self))
        let executor = ManualExecutor()
        let (router, log) = (device.router(), Log())
        executor.start {
            try await router.set("1", for: a)
            try await router.set("2", for: b)
        }
        executor.drain()
        for key in [joined("one", [a, b]), joined("two", [b, a])] {
            executor.start {
                do {
                    log.add(try await router.get(key))
                } catch {
                    log.add((error as? StorageError)?.code.rawValue ?? "\(error)")
                }
            }
        }
        executor.drain()
        #expect(log.entries.sorted() == [#"["a", "b"]"#, "notFound"])
    }
}
