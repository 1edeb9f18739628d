import Foundation
import Testing

@testable import LocalData

/// What each engine does without a router, and what it leaves alone.
@Suite struct StoredValuesTests {
    private let device = TestDevice()
    private let engines: Engines

    init() { engines = Engines(environment: device.environment) }

    static let keys = [
        ValueKey("value", of: String.self), ValueKey("value", of: String.self, in: .keychain(service: "com.example")),
        ValueKey("value", of: String.self, in: .documents), ValueKey("value", of: String.self, in: .documents, security: .recommended),
        ValueKey("value", of: String.self, security: .recommended),
    ]

    @Test(arguments: keys) func whatIsPutLiesThereUntilItIsRemoved(_ key: ValueKey<String>) async throws {
        let stored = engines.stored
        #expect(try await stored.storedForm(of: key) == nil)
        #expect(try !stored.isStored(key))
        let form = try await stored.secured(Data(#""dark""#.utf8), for: key)
        try stored.put(form, for: key, tag: nil)
        #expect(try stored.isStored(key))
        #expect(try await stored.storedForm(of: key) == form)
        #expect(try await stored.opened(form, of: key) == Data(#""dark""#.utf8))
        #expect(form != .bytes(Data(#""dark""#.utf8)) || !key.security.isEncrypted, "it is sealed")
        try stored.remove(key)
        try stored.remove(key)
        #expect(try !stored.isStored(key))
    }

    @Test func whatLiesAtAPlaceHasNoVersion() async throws {
        var key = ValueKey("theme", of: String.self, in: .documents)
        key.syncPolicy = .automaticSmall
        try await engines.stored.put(engines.stored.secured(Data(#""dark""#.utf8), for: key), for: key, tag: nil)
        #expect(try engines.sync.ledger.record(of: key.name, in: key.domain) == nil)
        #expect(try await engines.stored.syncRevision(of: key).value == SHA256Digest.digest(of: Data(#""dark""#.utf8)))
    }

    @Test func aFormThatIsNewerIsNotedBeforeItsValue() throws {
        var key = ValueKey("theme", of: String.self, in: .documents)
        key.schemaVersion = 3
        try engines.stored.requireReplaceable(key)
        try engines.stored.raiseSchema(to: 3, of: key)
        // Another process, of an earlier version of the app.
        let earlier = Engines(environment: device.environment).stored
        key.schemaVersion = 2
        #expect(throws: StorageError.self) { try earlier.requireKnownSchema(key) }
        #expect(try earlier.storedSchema(of: key) == 3)
    }
}

@Suite struct ValueVersionsTests {
    private let engines = Engines(environment: TestDevice().environment)
    private let key: ValueKey<String>

    init() {
        var key = ValueKey("theme", of: String.self, in: .documents)
        key.syncPolicy = .automaticSmall
        self.key = key
        engines.sync.ledger.note(key)
    }

    @Test func aChangeIsAnnouncedBeforeAndConfirmedAfterIt() async throws {
        let form = StoredForm.bytes(Data(#""dark""#.utf8))
        let ticket = try #require(try await engines.versions.willChange(key, to: form, origin: .local))
        let announced = try #require(try engines.sync.ledger.record(of: key.name, in: key.domain))
        #expect(announced.pending?.stamp == ticket.stamp)
        #expect(announced.committed.content == .lost)
        try engines.stored.put(form, for: key, tag: ticket.tag)
        await engines.versions.didChange(ticket, key: key, plain: Data(#""dark""#.utf8), origin: .local)
        let confirmed = try #require(try engines.sync.ledger.record(of: key.name, in: key.domain))
        #expect(confirmed.pending == nil)
        #expect(confirmed.committed.stamp == ticket.stamp)
        #expect(await engines.sync.outbox.current(key.name)?.value == Data(#""dark""#.utf8))
    }

    @Test func theRemovalOfWhatNeverWasIsNoVersion() async throws {
        #expect(try await engines.versions.willChange(key, to: nil, origin: .local) == nil)
        #expect(try engines.sync.ledger.record(of: key.name, in: key.domain) == nil)
    }
}

@Suite struct MovedValuesTests {
    private let device = TestDevice()
    private let key = ValueKey("theme", of: String.self, in: .documents)
    private let destination = ValueKey("theme", of: String.self, in: .fileSystem(directory: .caches))

    @Test func anEarlierVersionOfTheAppIsToldThatAValueMoved() throws {
        device.description.appVersion = "2.0.0"
        let place = try StorageLocation(of: key)
        let newer = Engines(environment: device.environment).moves
        try newer.markMoved(place, to: StorageLocation(of: destination))
        #expect(throws: Never.self) { try newer.requireNotMovedAway(key, at: place) }
        device.description.appVersion = "1.0.0"
        let older = Engines(environment: device.environment).moves
        let error = #expect(throws: StorageError.self) { try older.requireNotMovedAway(key, at: place) }
        #expect(error?.code == .superseded)
        try older.forgetMoved(at: place)
        #expect(throws: StorageError.self, "what a newer version says stays") { try older.requireNotMovedAway(key, at: place) }
        device.description.appVersion = "2.0.0"
        try newer.forgetMoved(at: place)
        device.description.appVersion = "1.0.0"
        #expect(throws: Never.self) { try older.requireNotMovedAway(key, at: place) }
    }

    /// A task that a migration of the app's own starts goes on when that is over, and moves nothing to its destination any more.
    @Test func whatAMigrationSetsOffOutlivesIt() async throws {
        let moves = Engines(environment: device.environment).moves
        let (counts, continuation) = AsyncStream.makeStream(of: Int.self)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        try await moves.withDestination(destination) {
            #expect(MovedValues.destinations.count == 1)
            Task {
                for await _ in starts { break }
                continuation.yield(MovedValues.destinations.count)
                continuation.finish()
            }
        }
        start.yield()
        start.finish()
        for await count in counts { #expect(count == 0) }
    }

    @Test func aPlaceInUseIsNobodysSource() throws {
        let engines = Engines(environment: device.environment)
        #expect(try !engines.moves.isInUse(key))
        try engines.admission.register(OneKey(key: .key(key)))
        #expect(try engines.moves.isInUse(key))
        #expect(try !engines.moves.isInUse(key, besides: key))
        #expect(try !engines.moves.isInUse(destination))
    }

    private struct OneKey: StorageKeyCatalog {
        let key: AnyStorageKey
        var allKeys: [AnyStorageKey] { [key] }
    }
}

@Suite struct ValueEngineTests {
    private let device = TestDevice()
    private let engines: Engines
    private let key = ValueKey("theme", of: String.self, in: .documents)

    init() { engines = Engines(environment: device.environment) }

    @Test func observersHearOfWhatIsStoredAndRemoved() async throws {
        let place = try engines.stored.location(of: key).resolved(in: engines.environment)
        var updates = engines.values.observers.updates(at: place).makeAsyncIterator()
        _ = try await engines.values.store(Data(#""dark""#.utf8), for: key, origin: .local)
        #expect(await updates.next()?.plain == Data(#""dark""#.utf8))
        #expect(try await engines.values.value(of: key) == "dark")
        _ = try await engines.values.erase(key, origin: .local)
        let last = await updates.next()
        #expect(last != nil && last?.plain == nil)
        #expect(try await engines.values.value(of: key) == nil)
    }

    @Test func aMigrationDoesNotTakeThePlaceOfWhatAnotherProcessPutThere() async throws {
        let shared = ValueKey("theme", of: String.self, in: .appGroupFileSystem(identifier: "group.x", directory: .documents))
        try engines.stored.put(.bytes(Data(#""theirs""#.utf8)), for: shared, tag: nil)
        await #expect(throws: PlaceTaken.self) {
            _ = try await engines.values.store(Data(#""ours""#.utf8), for: shared, origin: .migration, replacesNothing: true)
        }
        #expect(try await engines.values.value(of: shared) == "theirs")
    }
}

@Suite struct ResealerTests {
    @Test func whatIsAsDeclaredStays() async throws {
        let engines = Engines(environment: TestDevice().environment)
        let key = ValueKey("token", of: String.self, in: .documents, security: .recommended)
        #expect(try await engines.sealer.outcome(ofResealing: key).summary == "token in fileSystem: absent")
        _ = try await engines.values.store(Data(#""secret""#.utf8), for: key, origin: .local)
        let before = try await engines.stored.storedForm(of: key)
        #expect(try await engines.sealer.outcome(ofResealing: key).summary == "token in fileSystem: current")
        #expect(try await engines.stored.storedForm(of: key) == before)
    }

    @Test func aPlainValueIsSealedWhereTheKeySaysThatItMayBeOne() async throws {
        let engines = Engines(environment: TestDevice().environment)
        var key = ValueKey("token", of: String.self, in: .documents, security: .recommended)
        key.formerSecurity = [.none]
        try engines.stored.put(.bytes(Data(#""secret""#.utf8)), for: key, tag: nil)
        #expect(try await engines.sealer.outcome(ofResealing: key).summary == "token in fileSystem: resealed form")
        guard case .bytes(let sealed)? = try await engines.stored.storedForm(of: key) else {
            Issue.record("nothing lies there")
            return
        }
        #expect(Envelope.isClaimed(by: sealed))
        #expect(try await engines.values.value(of: key) == "secret")
    }
}

@Suite struct AdmissionTests {
    private let engines = Engines(environment: TestDevice(role: .phone).environment)

    @Test func aKeyIsAdmittedWhereItIsDeclared() async throws {
        let key = ValueKey("theme", of: String.self)
        var elsewhere = ValueKey("steps", of: Int.self)
        elsewhere.availability = .watchOnly
        #expect(await storageError { try await engines.admission.perform("get", on: elsewhere) { _ in } }?.code == .watchOnly)
        try await engines.admission.perform("get", on: key) { _ in }
        try engines.admission.register(ListedKeys(allKeys: [.key(ValueKey("other", of: Int.self))]))
        let error = await storageError { try await engines.admission.perform("get", on: key) { _ in } }
        #expect(error?.code == .notRegistered)
        #expect(error?.operation == "get")
        #expect(engines.admission.catalogs.unregisteredNames == ["theme"])
    }

    @Test func whatABodyThrowsLeavesWithTheKeyInIt() async {
        let key = ValueKey("theme", of: String.self)
        let error = await storageError { try await engines.admission.perform("set", on: key) { _ in throw StorageError(.noSpace) } }
        #expect(error?.key == "theme")
        #expect(error?.domain == "userDefaults")
    }
}

@Suite struct MigrationEngineTests {
    /// What could not be completed for a moment is tried again by whoever uses the key, without a relaunch.
    @Test func aMigrationThatFailedForAMomentIsMadeUpFor() async throws {
        let device = TestDevice()
        let router = device.router()
        let source = ValueKey("old", of: String.self, in: .documents)
        let key = ValueKey("new", of: String.self, in: .documents).replacing(source)
        try await router.set("dark", for: source)
        let first = device.files.operationCount
        device.files.plan = .fail(operation: first + 1, errno: EIO)
        await #expect(throws: (any Error).self) { try await router.engines.migration.migrate(key, evenIfRetired: false, using: router) }
        device.files.plan = .none
        await router.engines.migration.resumeMigrations(using: router)
        #expect(try router.engines.stored.isStored(key))
        #expect(try !router.engines.stored.isStored(source))
    }
}
