import DeviceSim
import Foundation
import LocalData
import Testing

/// Locked is not absent: every operation on every kind of place in every state of the lock does its work, or says which lock it waits for, and finds
/// everything as it was after the unlock. What is within reach when, the specification's tables say.
@Suite struct LockedMatrixTests {
    static let states: [DeviceLockState] = [.beforeFirstUnlock, .locked, .unlocked]
    static let cells = ProtectedPlace.all.flatMap { place in states.map { (place, $0) } }

    @Test func theMatrixIsWhole() {
        let minting = ProtectedPlace.all.filter(\.isSealed).count * Self.states.count
        let total = Self.cells.count * 9 + minting
        #expect(ProtectedPlace.all.count == 15 && total == 423)
        print("Locked is not absent: \(total) cells: 9 operations and the first master key, \(ProtectedPlace.all.count) places, 3 states")
    }

    @Test(arguments: cells) func get(_ place: ProtectedPlace, _ state: DeviceLockState) throws {
        let bench = try LockedBench(place, storing: "old")
        try bench.enter(state)
        let expected: LockedBench.Reading = try place.isReadable(state) ? .found("old") : .refused(state.code)
        #expect(try bench.value == expected)
        try bench.unlock()
        #expect(try bench.value == .found("old"))
    }

    /// Existence of files stays visible; that of keychain items and preferences does not.
    @Test(arguments: cells) func exists(_ place: ProtectedPlace, _ state: DeviceLockState) throws {
        let bench = try LockedBench(place, storing: "old")
        try bench.enter(state)
        let isVisible = try place.isWithinReach(state) || !(place.isKeychain || place.isDefaults)
        let code = bench.code { router, key in
            let exists = try await router.exists(key)
            #expect(exists)
        }
        #expect(code == (isVisible ? nil : state.code))
    }

    @Test(arguments: cells) func set(_ place: ProtectedPlace, _ state: DeviceLockState) throws {
        let bench = try LockedBench(place, storing: "old")
        try bench.enter(state)
        let isWritable = try place.isReadable(state)
        let code = bench.code { try await $0.set("new", for: $1) }
        #expect(code == (isWritable ? nil : state.code))
        try bench.unlock()
        #expect(try bench.value == .found(isWritable ? "new" : "old"))
    }

    /// Deleting needs no key, but where the process sees no preferences.
    @Test(arguments: cells) func remove(_ place: ProtectedPlace, _ state: DeviceLockState) throws {
        let bench = try LockedBench(place, storing: "old")
        try bench.enter(state)
        let isRemovable = try !place.isDefaults || place.isWithinReach(state)
        let code = bench.code { try await $0.remove($1) }
        #expect(code == (isRemovable ? nil : state.code))
        try bench.unlock()
        let expected: LockedBench.Reading = isRemovable ? .refused(.notFound) : .found("old")
        #expect(try bench.value == expected)
    }

    /// A value whose source is out of reach is neither absent nor moved; it moves after the unlock.
    @Test(arguments: cells) func migrationOnReading(_ place: ProtectedPlace, _ state: DeviceLockState) throws {
        let bench = try LockedBench(place, storing: "old")
        try bench.enter(state)
        // The destination is a preference.
        let isReadable = try place.isReadable(state) && state != .beforeFirstUnlock
        let expected: LockedBench.Reading = isReadable ? .found("old") : .refused(state.code)
        #expect(bench.value(of: bench.successor) == expected)
        if !isReadable { #expect(bench.migrationIsDeferred(state.code), "forced") }
        try bench.unlock()
        #expect(bench.value(of: bench.successor) == .found("old"))
        // Into preferences the source goes with a later process.
        try bench.relaunchLater()
        #expect(try bench.sweep() == nil)
        #expect(bench.value(of: bench.successor) == .found("old"))
        #expect(try !bench.isStored(bench.key), "the source is gone")
    }

    @Test(arguments: cells) func sweep(_ place: ProtectedPlace, _ state: DeviceLockState) throws {
        let bench = try LockedBench(place, storing: "old")
        try bench.enter(state)
        let isReadable = try place.isReadable(state) && state != .beforeFirstUnlock
        let waitsFor = isReadable ? nil : state.code
        #expect(try bench.sweep() == waitsFor)
        try bench.unlock()
        #expect(try bench.sweep() == nil)
        #expect(bench.value(of: bench.successor) == .found("old"))
    }

    /// What cannot be read is left out of a snapshot, and named; nothing is taken for a deletion. Access takes the ledger, too, from the first unlock on.
    @Test(arguments: cells) func snapshot(_ place: ProtectedPlace, _ state: DeviceLockState) throws {
        // It syncs since an update: what was sent before would be carried over.
        let bench = try LockedBench(place, storing: "old")
        try bench.enter(state)
        let isReadable = try place.isReadable(state) && state != .beforeFirstUnlock
        var key = bench.key
        key.syncPolicy = .automaticSmall
        let snapshot = try? bench.run { [key] in
            _ = try? await StorageRouter.shared.exists(key)
            return try await StorageRouter.shared.syncSnapshot()
        }
        let expected = isReadable ? Data("\"old\"".utf8) : nil
        #expect(snapshot?.entries[bench.key.name]?.value == expected)
        let deletions = snapshot?.entries.values.filter(\.isDeletion) ?? []
        #expect(deletions.isEmpty)
        if state != .beforeFirstUnlock { #expect(snapshot?.omitted == (isReadable ? [] : [bench.key.name])) }
        try bench.unlock()
        #expect(try bench.value == .found("old"))
    }

    /// A newer version of the counterpart, and a deletion, wait until they can be stored.
    @Test(arguments: cells) func applying(_ place: ProtectedPlace, _ state: DeviceLockState) throws {
        for value in ["new", nil] {
            let bench = try LockedBench(place, storing: "old", syncs: true)
            try bench.enter(state)
            let isStorable = try place.isReadable(state) && state != .beforeFirstUnlock
            // Before the first unlock not even the ledger can be read, so the snapshot as a whole may have to wait.
            let outcome = bench.apply(value)
            let waits: [SyncReport.Outcome?] = state == .beforeFirstUnlock ? [.deferred(state.code), nil] : [.deferred(state.code)]
            #expect((isStorable ? [.applied] : waits).contains(outcome))
            try bench.unlock()
            #expect(bench.apply(value) == (isStorable ? .equal : .applied))
            let expected: LockedBench.Reading = value.map { .found($0) } ?? .refused(.notFound)
            #expect(try bench.value == expected)
        }
    }

    @Test(arguments: cells) func audit(_ place: ProtectedPlace, _ state: DeviceLockState) throws {
        let bench = try LockedBench(place, storing: "old")
        try bench.enter(state)
        let presence = try bench.presence()
        guard try place.isWithinReach(state) else {
            #expect(presence == .unreadable(state.code))
            return
        }
        guard case .present = presence else {
            Issue.record("\(presence)")
            return
        }
    }

    /// The first sealed value of an app: without its keychain no master key is minted, and nothing is stored.
    @Test(arguments: ProtectedPlace.all.filter(\.isSealed), states)
    func masterKey(_ place: ProtectedPlace, _ state: DeviceLockState) throws {
        let bench = try LockedBench(place, storing: nil)
        try bench.enter(state)
        let isWritable = try place.isReadable(state)
        let code = bench.code { try await $0.set("new", for: $1) }
        #expect(code == (isWritable ? nil : state.code))
        let keys = try bench.phone.storage.storedKeychainItems().filter { $0.service == "com.localdata.keys" }
        if state == .beforeFirstUnlock { #expect(keys.isEmpty) }
        try bench.unlock()
        let expected: LockedBench.Reading = isWritable ? .found("new") : .refused(.notFound)
        #expect(try bench.value == expected)
    }
}

extension DeviceLockState {
    /// What an operation says that waits for the unlock.
    fileprivate var code: StorageError.Code { self == .beforeFirstUnlock ? .lockedBeforeFirstUnlock : .locked }
}
