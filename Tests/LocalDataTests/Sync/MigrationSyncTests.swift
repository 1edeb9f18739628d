import Foundation
import Testing

@testable import LocalData

/// Migrations into keys that sync, and out of them.
@Suite struct MigrationSyncTests {
    static let source: ValueKey<String> = {
        var key = ValueKey("oldNotes", of: String.self)
        key.syncPolicy = .automaticSmall
        return key
    }()

    static func destination(_ name: String = "newNotes", from source: ValueKey<String> = source) -> ValueKey<String> {
        var key = ValueKey(name, of: String.self, in: .documents).replacing(source)
        key.syncPolicy = .automaticSmall
        return key
    }

    /// One name has one record, which knew the value by its digest. The value that was made of it is another, and plain as well.
    @Test func noDigestOfTheOldValueStays() async throws {
        var source = ValueKey("pin", of: String.self, in: .fileSystem(directory: .caches))
        source.syncPolicy = .automaticSmall
        var key = ValueKey("pin", of: String.self, in: .documents) { [source] in
            AnyStorageMigration(TransformingMigration(destinationKey: $0, sourceKey: source) { "pin " + $0 })
        }
        key.syncPolicy = .automaticSmall
        let device = TestDevice()
        try await device.router().set("4711", for: source)
        let path = try #require(device.files.paths.first { $0.hasSuffix("/pin") })
        let old = SyncRevision.digest(of: .bytes(try #require(device.files.peek(path))))
        func record() throws -> SyncRecord? { try device.router().sync.ledger.record(of: "pin", in: key.domain) }
        #expect(try record()?.knows(old) == true)
        #expect(try await device.router().get(key) == "pin 4711")
        #expect(device.files.peek(path) == nil)
        #expect(try record()?.knows(old) == false)
        #expect(try record()?.hasDigests == true)
    }

    /// A version of the app that does not sync a name records nothing of it, and takes nothing from the record for the version that does again: also
    /// where a migration cannot store the value.
    @Test func aCopyThatCannotBeStoredLeavesTheRecordOfANameThatDoesNotSync() async throws {
        var synced = ValueKey("notes", of: String.self, in: .documents)
        synced.syncPolicy = .automaticSmall
        let local = ValueKey("local", of: String.self)
        let unsynced = ValueKey("notes", of: String.self, in: .documents).replacing(local)
        var failures = 0
        for number in 1...12 {
            let device = TestDevice()
            func record() throws -> SyncRecord? { try device.router().sync.ledger.record(of: "notes", in: synced.domain) }
            try await device.router().set("first", for: synced)
            try await device.router().remove(synced)
            let before = try #require(try record())
            try await device.router().set("local", for: local)
            let router = device.router()
            device.files.plan = .fail(operation: device.files.operationCount + number, errno: ENOSPC)
            if (try? await router.get(unsynced)) == nil { failures += 1 }
            device.files.plan = .none
            #expect(try record() == before, "operation \(number)")
        }
        #expect(failures > 0)
    }

    /// Where the record of a removal cannot be written, the error names what the caller asked for.
    @Test func aRemovalThatCannotBeRecordedIsToldAsOne() async throws {
        var key = ValueKey("notes", of: String.self, in: .documents)
        key.syncPolicy = .automaticSmall
        var failures = 0
        for number in 1...12 {
            let device = TestDevice()
            let router = device.router()
            try await router.set("first", for: key)
            device.files.plan = .fail(operation: device.files.operationCount + number, errno: ENOSPC)
            let error = await storageError { try await router.remove(key) }
            device.files.plan = .none
            guard let error else { continue }
            failures += 1
            #expect(error.code == .noSpace && error.operation == "remove" && error.key == "notes", "\(number): \(error)")
        }
        #expect(failures > 1)
    }

    /// What a copy that did not read back leaves is no deletion: the counterpart keeps its value.
    @Test func aCopyThatDoesNotReadBackDeletesNothingElsewhere() async throws {
        let key = Self.destination()
        let pair = SyncPair(keys: [.key(key)])
        let local = ValueKey("local", of: String.self)
        let mine = { () -> ValueKey<String> in
            var key = ValueKey("newNotes", of: String.self, in: .documents).replacing(local)
            key.syncPolicy = .automaticSmall
            return key
        }()
        try await pair.phone.set("dug out", for: local)
        try await pair.watch.set("watch", for: key)
        _ = pair.watch.session.takeUnderWay()

        let disk = pair.phone.storage.files
        let isDamaged = Flag()
        disk.observe { operation, path in
            if operation == "read", path.hasSuffix("/newNotes"), disk.peek(path) != nil, isDamaged.raise() {
                disk.put(Data("\"other\"".utf8), at: path)
            }
        }
        let error = await migrationError { _ = try await pair.phone.run { try await $0.forceMigration(for: mine) } }
        disk.observe(nil)
        #expect(error?.summary == "verificationFailed")
        #expect(disk.peek("/app/Documents/newNotes") == nil)
        #expect(try pair.phone.record(mine) == nil)
        try await pair.phone.sync()
        try await pair.deliver(to: pair.watch)
        #expect(try await pair.watch.value(key) == "watch")
        // What was kept is migrated later, and is older than what the watch has.
        #expect(try await pair.phone.value(mine) == "dug out")
        try await pair.heal()
        #expect(try await pair.phone.value(mine) == "watch")
        #expect(try await pair.watch.value(key) == "watch")
    }

    /// Both devices bring over what they had; the edit that was the newer one at the old place wins, whoever made it.
    @Test(arguments: [true, false], [true, false]) func theNewerOfTwoOldValuesWins(phoneIsNewer: Bool, phoneUpdatesFirst: Bool) async throws
    {
        let old = SyncPair(keys: [.key(Self.source)])
        try await old.phone.set("both", for: Self.source)
        try await old.heal()
        let (newer, older) = phoneIsNewer ? (old.phone, old.watch) : (old.watch, old.phone)
        try await older.set("one edit", for: Self.source)
        _ = older.session.takeUnderWay()
        for edit in ["two", "edits"] { try await newer.set(edit, for: Self.source) }
        _ = newer.session.takeUnderWay()

        let pair = try await Self.updated(old, keys: [.key(Self.destination())])
        for device in phoneUpdatesFirst ? pair.devices : pair.devices.reversed() { _ = try await device.value(Self.destination()) }
        try await pair.heal()
        for device in pair.devices {
            #expect(try await device.value(Self.destination()) == "edits")
            #expect(try device.record(Self.destination())?.committed.stamp.counter == 0)
        }
    }

    /// However often an old value was edited, it is older than one that was set at the new place.
    @Test func anOldValueDoesNotBeatOneThatWasChosenAnew() async throws {
        let old = SyncPair(keys: [.key(Self.source)])
        for number in 1...5 { try await old.phone.set("edit \(number)", for: Self.source) }
        _ = old.phone.session.takeUnderWay()
        let pair = try await Self.updated(old, keys: [.key(Self.destination())])
        try await pair.watch.set("chosen", for: Self.destination())
        #expect(try await pair.phone.value(Self.destination()) == "edit 5")
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(Self.destination()) == "chosen") }
    }

    /// What nobody has read yet is not brought over yet either. The counterpart's older copy must not be taken for the only one.
    @Test(arguments: [false, true]) func whatIsStillToBeBroughtOverIsComparedFirst(failsForNow: Bool) async throws {
        let old = SyncPair(keys: [.key(Self.source)])
        try await old.watch.set("both", for: Self.source)
        try await old.heal()
        try await old.phone.set("newer", for: Self.source)
        _ = old.phone.session.takeUnderWay()
        let pair = try await Self.updated(old, keys: [.key(Self.destination())])
        #expect(try await pair.watch.value(Self.destination()) == "both")
        if failsForNow { pair.phone.storage.defaults.failAll(with: StorageError(.inputOutput)) }
        try? await pair.heal()
        pair.phone.storage.defaults.failAll(with: nil)
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(Self.destination()) == "newer") }
    }

    /// A copy of an older version of LocalData came first, which compared it with nothing.
    @Test func aSourceThatIsLaterThanTheDestinationIsBroughtOverAllTheSame() async throws {
        let old = SyncPair(keys: [.key(Self.source)])
        try await old.watch.set("both", for: Self.source)
        try await old.heal()
        try await old.phone.set("newer", for: Self.source)
        _ = old.phone.session.takeUnderWay()
        let stamp = try #require(try old.watch.record(Self.source)?.committed.stamp)
        let pair = try await Self.updated(old, keys: [.key(Self.destination())])
        let key = Self.destination()
        try await pair.phone.run { router in
            let origin = ChangeOrigin.sync(.found(as: LegacyVersion(stamp: stamp, isSameName: false), on: "watch"))
            _ = try await router.engines.values.store(Data("\"both\"".utf8), for: key, origin: origin)
            _ = try await router.forceMigration(for: key)
        }
        #expect(try await pair.phone.value(key) == "newer")
        // What was set at the new place is later.
        try await pair.phone.set("chosen", for: key)
        try await pair.phone.run { try await $0.set("dug out", for: Self.source) }
        _ = try await pair.phone.run { try await $0.forceMigration(for: key) }
        #expect(try await pair.phone.value(key) == "chosen")
    }

    /// The old place of the counterpart, whose app is not updated yet, is its own.
    @Test func theCounterpartsOldValueIsNotDeleted() async throws {
        let old = SyncPair(keys: [.key(Self.source)])
        try await old.phone.set("value", for: Self.source)
        try await old.heal()
        #expect(try await old.phone.run { try await $0.get(Self.destination()) } == "value")
        #expect(old.phone.storage.defaults.peek("oldNotes") == nil)
        try await old.phone.sync()
        try await old.deliver(to: old.watch)
        #expect(try await old.watch.value(Self.source) == "value")
    }

    /// A key that keeps its name keeps its version: to the counterpart it is the same value.
    @Test func aKeyThatKeepsItsNameKeepsItsVersion() async throws {
        let old = SyncPair(keys: [.key(Self.source)])
        for value in ["a", "b", "c"] { try await old.phone.set(value, for: Self.source) }
        try await old.heal()
        let moved = Self.destination("oldNotes")
        let before = try old.phone.record(Self.source)?.committed.stamp
        let phone = try await Self.updated(old, keys: [.key(moved)]).phone
        #expect(try await phone.value(moved) == "c")
        #expect(before != nil)
        #expect(try phone.record(moved)?.committed.stamp == before)
    }

    @Test func foundStampsKeepTheirOrder() {
        func found(_ counter: UInt64, _ device: String) -> SyncStamp {
            .found(as: LegacyVersion(stamp: SyncStamp(counter: counter, device: device), isSameName: false), on: "here")
        }
        #expect(found(5, "phone").device == "~0000000000000005.phone")
        #expect(found(5, "watch") < found(16, "phone"))
        #expect(found(16, "phone") < found(16, "watch"))
        #expect(found(.max, "watch") < SyncStamp(counter: 1, device: "phone"))
        #expect(SyncStamp.found(as: nil, on: "watch") < found(0, "phone"))
        #expect(found(0, found(9, "watch").device) < found(1, "phone"))
    }

    /// The same devices with the next version of the app.
    private static func updated(_ old: SyncPair, keys: [AnyStorageKey]) async throws -> SyncPair {
        old.phone.update(to: keys)
        old.watch.update(to: keys)
        return old
    }
}
