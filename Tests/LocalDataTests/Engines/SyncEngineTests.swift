import Foundation
import Testing
import WatchConnectivity

@testable import LocalData

/// What the sync does with one device: what it takes of a snapshot, what it reads of its own, and what it forgets.
@Suite struct SyncEngineTests {
    private let device = TestDevice()
    private let router: StorageRouter
    private let key = Self.synced("theme")
    private let note = Self.synced("note")

    private var syncing: SyncEngine { router.engines.syncing }
    private var ledger: SyncLedger { router.engines.sync.ledger }

    init() {
        router = device.router()
        for key in [key, note] { router.engines.sync.ledger.note(key) }
    }

    private static func synced(_ name: String) -> ValueKey<String> {
        var key = ValueKey(name, of: String.self, in: .documents)
        key.syncPolicy = .automaticSmall
        return key
    }

    private func entry(_ counter: UInt64, _ value: String?, isSettled: Bool = false) -> SyncEntry {
        SyncEntry(stamp: SyncStamp(counter: counter, device: "watch-1"), value: value.map { Data($0.utf8) }, isSettled: isSettled)
    }

    private func snapshot(_ sequence: UInt64, _ entries: [String: SyncEntry]) -> SyncSnapshot {
        SyncSnapshot(device: "watch-1", epoch: "watch-epoch", sequence: sequence, content: sequence, entries: entries)
    }

    private func value(_ key: ValueKey<String>) async throws -> String? { try await router.engines.values.value(of: key) }

    // MARK: Applying

    @Test func whatCameHasTheVersionThatItCameWith() async throws {
        let report = try await syncing.take(snapshot(1, ["theme": entry(7, #""dark""#), "other": entry(1, "1")]), on: router)
        #expect(report.outcomes == ["theme": .applied, "other": .unknown])
        #expect(try await value(key) == "dark")
        let record = try #require(try ledger.record(of: key.name, in: key.domain))
        #expect(record.committed.stamp == SyncStamp(counter: 7, device: "watch-1"))
        #expect(record.pending == nil)
    }

    @Test func anOlderVersionStaysOutAndAnOlderSnapshotIsIgnored() async throws {
        _ = try await syncing.take(snapshot(2, ["theme": entry(7, #""dark""#)]), on: router)
        let older = try await syncing.take(snapshot(3, ["theme": entry(6, #""light""#)]), on: router)
        #expect(older.outcomes == ["theme": .kept])
        let replayed = try await syncing.take(snapshot(1, ["theme": entry(6, #""light""#)]), on: router)
        #expect(replayed.isOutdated && replayed.outcomes == [:])
        #expect(try await value(key) == "dark")
    }

    /// A reply may overtake the context with the same content, and bring what this device could not take just then, or loses to a power loss.
    @Test func aLaterVersionIsTakenFromALateSnapshot() async throws {
        _ = try await syncing.take(snapshot(2, ["theme": entry(7, #""dark""#)]), on: router)
        let late = try await syncing.take(snapshot(1, ["theme": entry(9, #""light""#)]), on: router)
        #expect(late.isOutdated && late.outcomes == ["theme": .applied])
        #expect(try await value(key) == "light")
        // Its own version, and one that goes before, it has.
        for counter: UInt64 in [9, 8] {
            #expect(try await syncing.take(snapshot(1, ["theme": entry(counter, #""dark""#)]), on: router).outcomes == [:])
        }
        #expect(try await value(key) == "light")
        #expect(try await syncing.take(snapshot(1, ["theme": entry(11, nil)]), on: router).outcomes == ["theme": .applied])
        #expect(try await value(key) == nil)
    }

    /// Where nothing is known of the key any more, a late removal says nothing: it may be one that both devices have forgotten.
    @Test func aLateRemovalOfNothingIsNoVersion() async throws {
        _ = try await syncing.take(snapshot(2, [:]), on: router)
        #expect(try await syncing.take(snapshot(1, ["theme": entry(9, nil)]), on: router).outcomes == [:])
        #expect(try ledger.record(of: key.name, in: key.domain) == nil)
    }

    @Test func whatCannotBeAValueOfTheKeyIsRefusedAlone() async throws {
        _ = try await router.engines.values.store(Data(#""dark""#.utf8), for: key, origin: .local)
        let report = try await syncing.take(snapshot(1, ["theme": entry(9, "{"), "note": entry(9, #""milk""#)]), on: router)
        #expect(report.outcomes == ["theme": .failed(.wrongType), "note": .applied])
        #expect(try await value(key) == "dark")
    }

    /// A secret that a locked device can neither read nor store, and that syncs.
    private var secret: ValueKey<String> {
        var key = ValueKey(
            "secret", of: String.self, in: .keychain(service: "s"), security: .keychain(accessibility: .whenUnlocked, accessControl: nil))
        key.syncPolicy = .automaticSmall
        return key
    }

    @Test func aLockedDevicePutsOffAndTakesTheSameSnapshotLater() async throws {
        ledger.note(secret)
        let came = snapshot(1, ["secret": entry(3, #""s""#), "theme": entry(3, #""dark""#)])
        device.lockState = .locked
        let report = try await syncing.apply(came, on: router)
        #expect(report.outcomes == ["secret": .deferred(.locked), "theme": .applied])
        #expect(!report.isComplete)
        device.lockState = .unlocked
        #expect(try await syncing.apply(came, on: router).outcomes == ["secret": .applied, "theme": .equal])
        #expect(try await value(secret) == "s")
    }

    @Test func aPayloadThatIsNoSnapshotIsToldAndRefused() throws {
        #expect(try syncing.snapshot(in: ["app": 1]) == nil)
        #expect(throws: StorageError.self) { try syncing.snapshot(in: [SyncSnapshot.entryKey: 5]) }
    }

    // MARK: Reading

    @Test func anEditMadeOutsideIsFoundOnceEverythingIsReadAgain() async throws {
        _ = try await router.engines.values.store(Data(#""dark""#.utf8), for: key, origin: .local)
        let before = try #require(await router.sync.outbox.current("theme"))
        try router.engines.stored.put(.bytes(Data(#""light""#.utf8)), for: key, tag: nil)
        await syncing.loadSyncedKeys(.missing, on: router)
        #expect(await router.sync.outbox.current("theme") == before)
        await syncing.loadSyncedKeys(.all, on: router)
        let after = try #require(await router.sync.outbox.current("theme"))
        #expect(after.value == Data(#""light""#.utf8))
        #expect(after.stamp > before.stamp)
    }

    @Test func damageIsNoVersionOfAnything() async throws {
        _ = try await router.engines.values.store(Data(#""dark""#.utf8), for: key, origin: .local)
        try router.engines.stored.put(.bytes(Data("{".utf8)), for: key, tag: nil)
        await syncing.loadSyncedKeys(.all, on: router)
        let item = try #require(await router.sync.outbox.items["theme"])
        #expect(item.current == nil)
        #expect(item.isBeyondReading)
        // The counterpart's replaces it, though it is older.
        #expect(try await syncing.take(snapshot(1, ["theme": entry(1, #""light""#)]), on: router).outcomes == ["theme": .applied])
        #expect(try await value(key) == "light")
    }

    // MARK: Forgetting

    @Test func aRemovalIsForgottenWhenBothKnowThatBothHaveIt() async throws {
        _ = try await router.engines.values.store(Data(#""dark""#.utf8), for: key, origin: .local)
        _ = try await router.engines.values.erase(key, origin: .local)
        let removal = try #require(try ledger.record(of: key.name, in: key.domain)).committed.stamp
        let theirs = SyncEntry(stamp: removal, value: nil)
        #expect(try await syncing.take(snapshot(1, ["theme": theirs]), on: router).outcomes == ["theme": .equal])
        #expect(try ledger.record(of: key.name, in: key.domain)?.isSettled == true, "the counterpart does not know yet that this one knows")
        var settled = theirs
        settled.isSettled = true
        _ = try await syncing.take(snapshot(2, ["theme": settled]), on: router)
        #expect(try ledger.record(of: key.name, in: key.domain) == nil)
        #expect(try ledger.installation().floor(of: key.name) >= removal.counter, "what is set from now on counts on from it")
    }

    @Test func aRemovalThatTheCounterpartNoLongerMentionsIsForgottenUnlessItHadNoRoom() async throws {
        _ = try await router.engines.values.store(Data(#""dark""#.utf8), for: key, origin: .local)
        _ = try await router.engines.values.erase(key, origin: .local)
        let removal = try #require(try ledger.record(of: key.name, in: key.domain)).committed.stamp
        _ = try await syncing.take(snapshot(1, ["theme": SyncEntry(stamp: removal, value: nil)]), on: router)
        var crowded = snapshot(2, [:])
        crowded.omitted = ["theme"]
        _ = try await syncing.take(crowded, on: router)
        #expect(try ledger.record(of: key.name, in: key.domain) != nil)
        _ = try await syncing.take(snapshot(3, [:]), on: router)
        #expect(try ledger.record(of: key.name, in: key.domain) == nil)
    }

    /// A removal that was forgotten answers a version that is only told of as it answers one that arrives.
    @Test func aToldVersionThatWasRemovedIsRemovedAgain() async throws {
        try ledger.updateInstallation { $0.removed[key.name] = RemovedVersions(["watch-1": 7]) }
        let told = SyncSnapshot(
            device: "watch-1", epoch: "watch-epoch", sequence: 1, content: 1, entries: [:], omitted: ["theme", "note"],
            omittedVersions: [
                "theme": .init(stamp: SyncStamp(counter: 7, device: "watch-1")),
                "note": .init(stamp: SyncStamp(counter: 7, device: "watch-1")),
            ])
        #expect(try await syncing.take(told, on: router).outcomes == ["theme": .kept])
        let record = try #require(try ledger.record(of: key.name, in: key.domain))
        #expect(record.committed.content == .deleted && record.committed.stamp > SyncStamp(counter: 7, device: "watch-1"))
        #expect(try ledger.record(of: note.name, in: note.domain) == nil)
    }

    // MARK: Sending, and choices

    @Test func whatAPersonSwitchedOffIsReadNoMore() async throws {
        let session = PairedSession()
        try await WCSessionBackends.$current.withValue(session) {
            for key in [key, note] { _ = try await router.engines.values.store(Data(#""x""#.utf8), for: key, origin: .local) }
            try await syncing.synchronize(isForced: false, on: router)
            #expect(try syncing.snapshot(in: session.applicationContext)?.entries.keys.sorted() == ["note", "theme"])
            try await syncing.setOverride(.never, of: key, on: router)
            #expect(try syncing.snapshot(in: session.applicationContext)?.entries.keys.sorted() == ["note"], "it is taken back at once")
            #expect(await router.sync.outbox.items["theme"] == nil)
            #expect(try await syncing.take(snapshot(1, ["theme": entry(99, #""y""#)]), on: router).outcomes == ["theme": .notSynced])
            try await syncing.removeOverrides(on: router)
            try await syncing.synchronize(isForced: false, on: router)
            #expect(try syncing.snapshot(in: session.applicationContext)?.entries.keys.sorted() == ["note", "theme"])
        }
    }

    /// A sync reads one value after the other, and a person may choose in between.
    @Test func whatWasReadBeforeItWasSwitchedOffIsNotHeldAfterwards() async throws {
        try await syncing.setOverride(.never, of: key, on: router)
        await router.sync.hold(entry(5, #""x""#), of: key, isShared: false)
        #expect(await router.sync.outbox.items["theme"] == nil)
        await router.sync.withhold(key, because: .locked)
        #expect(await router.sync.outbox.items["theme"] == nil)
    }

    /// The choice for an old name holds for the value under its new one, also where that was read before.
    @Test func whatAKeyInheritsIsTakenOutOfWhatIsSent() async throws {
        let source = key
        var renamed = ValueKey("renamed", of: String.self, in: .documents) { destination -> AnyStorageMigration? in
            AnyStorageMigration(AggregatingMigration(destinationKey: destination, sourceKeys: [.key(source)]) { _ in "" })
        }
        renamed.syncPolicy = .automaticSmall
        ledger.note(renamed)
        let session = PairedSession()
        try await WCSessionBackends.$current.withValue(session) {
            for key in [renamed, note] { await router.sync.hold(entry(5, #""x""#), of: key, isShared: true) }
            try await router.sync.send(.change)
            #expect(try syncing.snapshot(in: session.applicationContext)?.entries.keys.sorted() == ["note", "renamed"])
            try await syncing.setOverride(.never, of: source, on: router)
            #expect(try syncing.snapshot(in: session.applicationContext)?.entries.keys.sorted() == ["note"])
        }
    }

    @Test func whatWaitsForItsTurnIsNotTakenOnceItIsSwitchedOff() async throws {
        let (executor, barrier) = (ManualExecutor(), Barrier())
        let (turns, syncing, ledger, router, key) = (router.engines.turns, syncing, ledger, router, key)
        let location = try router.engines.stored.location(of: key)
        let received = snapshot(1, ["theme": entry(9, #""y""#)])
        let choice = executor.start {
            try await turns.run(at: location) {
                await barrier.pass()
                try ledger.setOverride(.never, of: key)
            }
        }
        executor.drain()
        let taking = executor.start { try await syncing.take(received, on: router).outcomes }
        executor.drain()
        #expect(turns.access.waitersCount == 1)
        barrier.open()
        executor.drain()
        try await choice.value
        #expect(try await taking.value == ["theme": .notSynced])
        #expect(try await value(key) == nil)
    }

    /// Once the choice is acknowledged nothing is stored any more that was on its way to the value's place.
    @Test func aChoiceWaitsForWhatIsBeingApplied() async throws {
        let (executor, barrier, log) = (ManualExecutor(), Barrier(), Log())
        let (turns, syncing, router, key) = (router.engines.turns, syncing, router, key)
        let location = try router.engines.stored.location(of: key)
        let applying = executor.start {
            try await turns.run(at: location) {
                await barrier.pass()
                log.add("applied")
            }
        }
        executor.drain()
        let choice = executor.start {
            try await syncing.setOverride(.never, of: key, on: router)
            log.add("chosen")
        }
        executor.drain()
        #expect(turns.access.waitersCount == 1 && log.entries == [])
        barrier.open()
        executor.drain()
        try await applying.value
        try await choice.value
        #expect(log.entries == ["applied", "chosen"])
    }

    @Test func aSnapshotIsAcknowledgedOnceAllOfItWasTaken() async throws {
        ledger.note(secret)
        let session = PairedSession()
        session.receivedApplicationContext = snapshot(4, ["secret": entry(5, #""s""#), "theme": entry(5, #""dark""#)]).payload
        device.lockState = .locked
        try await WCSessionBackends.$current.withValue(session) {
            try await syncing.synchronize(isForced: true, on: router)
            #expect(try #require(try syncing.snapshot(in: session.applicationContext)).acknowledged == nil)
            device.lockState = .unlocked
            try await syncing.synchronize(isForced: false, on: router)
            #expect(try #require(try syncing.snapshot(in: session.applicationContext)).acknowledged?.sequence == 4)
        }
    }

    @Test func whatTheSessionKeptIsTakenBeforeAnythingIsSent() async throws {
        let session = PairedSession()
        session.receivedApplicationContext = snapshot(4, ["theme": entry(5, #""dark""#)]).payload
        try await WCSessionBackends.$current.withValue(session) {
            try await syncing.synchronize(isForced: false, on: router)
            let sent = try #require(try syncing.snapshot(in: session.applicationContext))
            #expect(sent.acknowledged == SyncSnapshot.Acknowledgement(epoch: "watch-epoch", sequence: 4, content: 4))
            #expect(sent.entries["theme"]?.stamp == SyncStamp(counter: 5, device: "watch-1"))
            #expect(session.sendCount == 1)
            try await syncing.synchronize(isForced: false, on: router)
            #expect(session.sendCount == 1, "nothing is new")
            try await syncing.synchronize(isForced: true, on: router)
            #expect(session.sendCount == 2)
        }
    }
}
