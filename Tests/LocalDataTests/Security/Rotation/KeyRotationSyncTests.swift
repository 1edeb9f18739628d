import Foundation
import Testing

@testable import LocalData

/// A rotation changes no version: nothing is sent, nothing counts as an edit, nobody sees a change.
@Suite struct KeyRotationSyncTests {
    struct SealedTokenKey: StorageKey {
        typealias Value = String
        let name = "sealedToken"
        let domain: StorageDomain = .keychain(service: nil)
        let owner = "Tests"
        let description = "A token"
        let syncPolicy: SyncPolicy = .automaticSmall
    }

    static let keys: [any StorageKey] = [SealedKey(), SealedSettingKey(), SealedTokenKey()]

    private func pair() async throws -> SyncPair {
        let pair = SyncPair(keys: SyncPair.keys + [.key(SealedTokenKey())])
        for device in pair.devices { try await register(device) }
        return pair
    }

    private func register(_ device: SyncDevice) async throws {
        let keys = Self.keys.map { AnyStorageKey($0) }
        try await device.run { _ = try await $0.registerCatalog(SealedCatalog(keys: keys)) }
    }

    private struct SealedCatalog: StorageKeyCatalog {
        let keys: [AnyStorageKey]
        var allKeys: [AnyStorageKey] {
            keys.map { AnyStorageKey(Described(base: $0)) }
        }
    }

    /// The catalogs want descriptions; the keys of the sync's tests have none.
    private struct Described: StorageKey {
        typealias Value = String
        let base: AnyStorageKey
        var name: String { base.name }
        var domain: StorageDomain { base.domain }
        var security: SecurityPolicy { base.security }
        var owner: String { base.owner }
        var description: String { "A value" }
        var syncPolicy: SyncPolicy { base.syncPolicy }
    }

    @Test(arguments: [0, 1, 2], [false, true]) func stampsStayAndNothingIsSent(_ index: Int, _ relaunches: Bool) async throws {
        switch index {
        case 0: try await rotate(SealedKey(), relaunches: relaunches)
        case 1: try await rotate(SealedSettingKey(), relaunches: relaunches)
        default: try await rotate(SealedTokenKey(), relaunches: relaunches)
        }
    }

    private func rotate<Key: StorageKey>(_ key: Key, relaunches: Bool) async throws where Key.Value == String {
        let pair = try await pair()
        try await pair.phone.set("dark", for: key)
        try await pair.heal()
        let before = try await entry(of: key, on: pair.phone)
        let report = try await pair.phone.run { try await $0.rotateKeys() }
        #expect(report.outcomes.filter { $0.key == key.name }.map(\.summary) == ["\(key.name) in \(key.domain.kind): resealed key"])
        #expect(pair.phone.session.takeUnderWay() == nil)
        if relaunches {
            pair.phone.relaunch()
            try await register(pair.phone)
        }
        #expect(try await entry(of: key, on: pair.phone) == before)
        // What is set afterwards on the other side is newer than what was sealed anew.
        try await pair.watch.set("light", for: key)
        try await pair.heal()
        #expect(try await pair.phone.value(key) == "light")
        #expect(try await pair.watch.value(key) == "light")
    }

    private func entry(of key: some StorageKey, on device: SyncDevice) async throws -> SyncEntry? {
        try await device.run { router in
            try await router.engines.turns.run(at: router.engines.stored.location(of: key)) {
                try await router.engines.syncing.syncEntry(of: key, on: router)
            }
        }
    }

    /// For every n the process dies before the n-th operation: the version is the same afterwards, whichever envelope is there.
    @Test func aCrashInBetweenIsNoEdit() async throws {
        for first in 1... {
            let pair = try await pair()
            try await pair.phone.set("dark", for: SealedKey())
            try await pair.phone.set("dark", for: SealedSettingKey())
            try await pair.phone.set("dark", for: SealedTokenKey())
            try await pair.heal()
            let before = try await stamps(of: pair.phone)
            pair.phone.crash.arm(before: first)
            _ = try? await pair.phone.run { try await $0.rotateKeys() }
            let isDone = pair.phone.crash.operations < first
            pair.phone.relaunch()
            try await register(pair.phone)
            #expect(try await stamps(of: pair.phone) == before, "before operation \(first)")
            if isDone { break }
        }
    }

    private func stamps(of device: SyncDevice) async throws -> [SyncStamp?] {
        var stamps: [SyncStamp?] = []
        for key in Self.keys { stamps.append(try await entry(of: key, on: device)?.stamp) }
        return stamps
    }

    @Test func noObserverSeesAChange() async throws {
        let test = RotationDevice(domains: [.documents])
        let router = try await test.filled()
        var changes = router.changes(of: test.keys[0]).makeAsyncIterator()
        #expect(try await changes.next()?.value == "value0")
        try await router.rotateKeys()
        try await router.set("next", for: test.keys[0])
        // The first thing that it hears is the next change.
        #expect(try await changes.next() == StorageChange(value: "next", origin: .local))
    }

    // MARK: The rule

    @Test func theRecordFollowsTheFormAndKeepsTheVersion() throws {
        let stamp = SyncStamp(counter: 3, device: "a")
        let next = SyncStamp(counter: 4, device: "a")
        let (one, two, three) = (Data([1]), Data([2]), Data([3]))
        let record = SyncRecord(
            keyName: "k", location: "l", committed: SyncVersion(stamp: stamp, content: .value(revision: one)),
            pending: SyncVersion(stamp: next, content: .value(revision: two)))
        let ofCommitted = try #require(record.resealed(from: one, to: three))
        #expect(ofCommitted.confirmed().committed == SyncVersion(stamp: stamp, content: .value(revision: three)))
        #expect(ofCommitted.highestCounter == 4, "a version that was announced stays used up")
        #expect(ofCommitted.recovered(finding: one, device: "a").committed.stamp == stamp)
        #expect(ofCommitted.recovered(finding: three, device: "a").committed.stamp == stamp)
        let ofPending = try #require(record.resealed(from: two, to: three))
        #expect(ofPending.recovered(finding: two, device: "a").committed.stamp == next)
        #expect(ofPending.recovered(finding: three, device: "a").committed.stamp == next)
        #expect(record.resealed(from: three, to: one) == nil, "somebody else's edit stays one")
    }
}
