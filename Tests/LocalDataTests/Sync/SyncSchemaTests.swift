import Foundation
import Testing

@testable import LocalData

/// Two versions of an app on two devices, whose forms of one value differ.
@Suite struct SyncSchemaTests {
    struct CardKey: StorageKey {
        typealias Value = String
        let name = "card"
        var domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .none
        let owner = "Tests"
        let syncPolicy: SyncPolicy = .automaticSmall
        var schemaVersion = 1

        static let places: [StorageDomain] = [.fileSystem(directory: .documents), .userDefaults(suite: nil)]
        var newer: CardKey { CardKey(domain: domain, schemaVersion: 2) }
    }

    /// A pair whose phone has the newer app.
    private func pair(_ key: CardKey) -> SyncPair {
        let pair = SyncPair(keys: [.key(key)])
        pair.phone.update(to: [.key(key.newer)])
        return pair
    }

    private func fails<Result>(_ body: () async throws -> Result) async -> StorageError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? StorageError)?.code
        }
    }

    @Test(arguments: CardKey.places) func theOlderAppKeepsWhatItCannotRead(domain: StorageDomain) async throws {
        let key = CardKey(domain: domain)
        let pair = pair(key)
        try await pair.watch.set("older", for: key)
        try await pair.heal()
        #expect(try await pair.phone.value(key.newer) == "older")
        try await pair.phone.set("newer", for: key.newer)
        for _ in 0..<2 {
            try await pair.heal()
            #expect(await fails { try await pair.watch.value(key) } == .superseded)
            #expect(await fails { try await pair.watch.set("older again", for: key) } == .superseded)
            #expect(try await pair.phone.value(key.newer) == "newer")
            pair.watch.relaunch()
        }
        // Nothing is left to say.
        let before = pair.devices.map(\.session.sendCount)
        try await pair.heal()
        #expect(pair.devices.map(\.session.sendCount) == before)
        pair.watch.session.receivedApplicationContext = [:]
        pair.watch.update(to: [.key(key.newer)])
        #expect(try await pair.watch.value(key.newer) == "newer")
        try await pair.watch.set("newest", for: key.newer)
        try await pair.heal()
        #expect(try await pair.phone.value(key.newer) == "newest")
    }

    /// The newer app gives an older form on as what it is: the older app that gets it can read it.
    @Test func anOlderFormStaysOne() async throws {
        let key = CardKey()
        let pair = pair(key)
        try await pair.phone.set("newer", for: key.newer)
        try await pair.heal()
        try await pair.watch.remove(key)
        try await pair.watch.set("older", for: key)
        try await pair.heal()
        #expect(try await pair.phone.value(key.newer) == "older")
        let snapshot = try await pair.phone.run { try await $0.syncSnapshot() }
        #expect(snapshot.entries["card"]?.schemaVersion == 1)
        pair.phone.update(to: [.key(key)])
        #expect(try await pair.phone.value(key) == "older")
    }

    /// What could not be stored yet is not overtaken by an edit in the older form.
    @Test func aNewerFormThatWaitsIsNotReplaced() async throws {
        let key = CardKey()
        let pair = pair(key)
        try await pair.watch.set("older", for: key)
        try await pair.heal()
        try await pair.phone.set("newer", for: key.newer)
        pair.watch.crash.arm(before: 1)
        let report = try await pair.deliver(to: pair.watch)
        #expect(report?.applied == [])
        pair.watch.crash.arm(before: nil)
        #expect(await fails { try await pair.watch.set("older again", for: key) } == .superseded)
        try await pair.heal()
        #expect(try await pair.phone.value(key.newer) == "newer")
    }

    /// What the newer app made of the value and another one, which is not on this device.
    struct JoinedKey: StorageKey {
        typealias Value = String
        let name = "card"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Tests"
        let syncPolicy: SyncPolicy = .automaticSmall
        let schemaVersion = 2
        var migration: AnyStorageMigration? {
            AnyStorageMigration(
                AggregatingMigration(
                    destinationKey: self, sourceKeys: [.key(CardKey()), .key(ValueKey<String>("extra"))], missing: .awaited
                ) { _ in "joined again" })
        }
    }

    /// A joined value that was sent before this device was updated waits for none of its sources, nor for the session to have it still.
    @Test func aJoinedValueThatWasSentWaitsForNothing() async throws {
        let key = CardKey()
        let pair = pair(key)
        try await pair.phone.set("joined", for: key.newer)
        try await pair.heal()
        pair.watch.session.receivedApplicationContext = [:]
        pair.watch.update(to: [.key(JoinedKey())])
        #expect(try await pair.watch.run { try await $0.migrationPlan(for: JoinedKey()).state.description } == "ready")
        #expect(try await pair.watch.value(JoinedKey()) == "joined")
    }

    // MARK: What travels

    private let stamp = SyncStamp(counter: 3, device: "phone")

    private func snapshot(_ entry: SyncEntry) -> SyncSnapshot {
        SyncSnapshot(device: "phone", epoch: "e", sequence: 1, content: 1, entries: ["card": entry])
    }

    /// Snapshots without schemas are what all earlier versions of LocalData send, and read.
    @Test func onlyANewerFormIsSaid() throws {
        let first = snapshot(SyncEntry(stamp: stamp, value: Data("1".utf8)))
        #expect(entry(of: first)["schema"] == nil)
        let second = snapshot(SyncEntry(stamp: stamp, value: Data("1".utf8), schemaVersion: 2))
        #expect(entry(of: second)["schema"] as? Int64 == 2)
        for snapshot in [first, second] { #expect(try SyncSnapshot(snapshot.payload) == snapshot) }
    }

    @Test(arguments: [0, -1, Int(Int32.max) + 1] as [Int]) func aVersionOutOfRangeIsRefused(version: Int) throws {
        var payload = snapshot(SyncEntry(stamp: stamp, value: Data("1".utf8))).entryPayload
        var entries = payload["entries"] as? [String: Any] ?? [:]
        var entry = entries["card"] as? [String: Any] ?? [:]
        entry["schema"] = version
        entries["card"] = entry
        payload["entries"] = entries
        #expect(QuickSnapshotReading.snapshot(payload) == nil)
        let read = try? SyncSnapshot([SyncSnapshot.entryKey: payload])
        #expect(read?.entries["card"] == nil)
    }

    /// One version in two forms is one version: neither device gives its form up, whichever digest is greater.
    @Test func twoFormsOfAVersionAreEqual() {
        for (one, other) in [("a", "b"), ("b", "a")] {
            let older = SyncEntry(stamp: stamp, value: Data(one.utf8))
            let newer = SyncEntry(stamp: stamp, value: Data(other.utf8), schemaVersion: 2)
            #expect(SyncMerge.decide(local: older, incoming: newer) == .equal)
            #expect(SyncMerge.decide(local: newer, incoming: older) == .equal)
            let later = SyncEntry(stamp: SyncStamp(counter: 4, device: "watch"), value: Data("c".utf8))
            #expect(SyncMerge.decide(local: newer, incoming: later) == .apply)
        }
    }

    private func entry(of snapshot: SyncSnapshot) -> [String: Any] {
        let entries = snapshot.entryPayload["entries"] as? [String: Any]
        return entries?["card"] as? [String: Any] ?? [:]
    }
}
