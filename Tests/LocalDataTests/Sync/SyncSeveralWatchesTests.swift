import Foundation
import Testing

@testable import LocalData

/// What one watch knows another one does not (W15).
@Suite struct SyncSeveralWatchesTests {
    @Test(arguments: [false, true])
    func whatWasSetWhileAnotherWatchWasWornArrives(sharesContexts: Bool) async throws {
        let trio = SyncTrio(sharesContexts: sharesContexts)
        try await trio.heal()
        try await trio.switchWatch()
        try await trio.heal()
        try await trio.phone.set("dark", for: ThemeKey())
        try await trio.settle()
        #expect(try await trio.watches[1].value(ThemeKey()) == "dark")
        #expect(try await trio.watches[0].value(ThemeKey()) == nil)

        try await trio.switchWatch()
        try await trio.settle()
        #expect(try await trio.watches[0].value(ThemeKey()) == "dark")
    }

    /// Where each watch has contexts of its own, nothing hangs on the app's saying so.
    @Test func anAppThatSaysNothingLosesNothing() async throws {
        let trio = SyncTrio()
        try await trio.heal()
        try await trio.phone.set("dark", for: ThemeKey())
        try await trio.heal()
        try await trio.switchWatch(tells: false)
        try await trio.settle()
        #expect(try await trio.watches[1].value(ThemeKey()) == "dark")
    }

    @Test(arguments: [false, true])
    func aDeletionIsKeptUntilAllWatchesHaveIt(relaunches: Bool) async throws {
        let trio = SyncTrio()
        try await trio.phone.set("dark", for: ThemeKey())
        try await trio.heal()
        try await trio.switchWatch()
        try await trio.heal()
        #expect(try await trio.watches[1].value(ThemeKey()) == "dark")

        // The first watch is away.
        try await trio.phone.remove(ThemeKey())
        try await trio.heal()
        if relaunches { trio.phone.relaunch() }
        try await trio.heal()
        #expect(await trio.phone.status().tombstones == ["theme"])

        try await trio.switchWatch()
        try await trio.heal()
        for device in [trio.phone, trio.watches[0]] { #expect(try await device.value(ThemeKey()) == nil) }
        try await trio.switchWatch()
        try await trio.heal()
        for device in trio.devices {
            #expect(try await device.value(ThemeKey()) == nil)
            #expect(await device.status().tombstones == [], "all have it: nobody needs to remember it")
        }
    }

    /// A deletion that the one watch settled is none that the other one has, in what the phone says to that.
    @Test func settledIsSaidToTheWatchThatSettled() async throws {
        let trio = SyncTrio()
        try await trio.phone.set("dark", for: ThemeKey())
        try await trio.heal()
        try await trio.switchWatch()
        try await trio.heal()
        try await trio.phone.remove(ThemeKey())
        try await trio.heal()
        let record = try #require(try trio.phone.record(ThemeKey()))
        let second = try trio.watches[1].router.sync.ledger.installation().epoch
        #expect(record.holders == [second])

        try await trio.switchWatch()
        let sent = try #require(try SyncSnapshot(in: trio.phone.session.applicationContext))
        #expect(sent.entries["theme"]?.isDeletion == true)
        #expect(sent.entries["theme"]?.isSettled == false)
    }

    /// Settled, it is nothing to remember, and yet what is set after it must win over it.
    @Test func anEditAfterADeletionThatTheDeviceNeverHadWinsOverIt() async throws {
        let pair = SyncPair()
        let deletion = SyncEntry(stamp: SyncStamp(counter: 199, device: "phone"), value: nil, isSettled: true)
        let snapshot = SyncSnapshot(device: "phone", epoch: "e", sequence: 1, content: 1, entries: ["theme": deletion])
        let report = try await pair.watch.run { try await $0.apply(snapshot) }
        #expect(report.outcomes["theme"] == .equal)
        #expect(await pair.watch.status().tombstones == [])
        try await pair.watch.set("light", for: ThemeKey())
        #expect(try pair.watch.record(ThemeKey())?.committed.stamp.counter == 200)
    }

    /// Edits are made on devices that have heard the last one, so what was said last is what holds, on the phone and on the watch that is worn.
    @Test(arguments: 1...24)
    func whatWasSaidLastHolds(seed: UInt64) async throws {
        var random = TestGenerator(seed: seed)
        let trio = SyncTrio(seed: seed, sharesContexts: seed.isMultiple(of: 3))
        var expected: String?
        try await trio.heal()
        for step in 0..<40 {
            let device = Int.random(in: 0..<2, using: &random) == 0 ? trio.phone : trio.watch
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1, 2:
                expected = "value \(step)"
                try await device.set("value \(step)", for: ThemeKey())
            case 3, 4:
                expected = nil
                try await device.remove(ThemeKey())
            case 5:
                device.relaunch()
                try await device.sync()
            default:
                try await trio.settle()
                try await trio.switchWatch()
            }
            if Int.random(in: 0..<3, using: &random) == 0 { try await trio.heal() } else { try await trio.settle() }
            #expect(try await trio.phone.value(ThemeKey()) == expected, "step \(step)")
            #expect(try await trio.watch.value(ThemeKey()) == expected, "step \(step)")
        }
        for _ in 0..<4 {
            try await trio.switchWatch()
            try await trio.heal()
        }
        for device in trio.devices {
            #expect(try await device.value(ThemeKey()) == expected)
            #expect(await device.status().tombstones == [])
            #expect(await device.status().pending.isEmpty)
        }
    }
}
