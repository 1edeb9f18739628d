import Foundation
import Testing
import WatchConnectivity

@testable import LocalData

/// A change is sent as a change of the context before. It must be the context that putting everything together makes.
@Suite struct SyncDraftTests {
    @Test(arguments: 0..<60) func aChangedContextIsTheWholeOne(seed: UInt64) async throws {
        var random = TestGenerator(seed: seed)
        let pair = SyncPair(seed: seed)
        for device in pair.devices { try await device.sync() }
        var (changedCount, comparedCount) = (0, 0)
        for step in 0..<40 {
            let device = pair.devices[Int.random(in: 0...1, using: &random)]
            let before = await device.router.sync.sentSequence
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<11: try await change(on: device, "\(step)", &random)
            case 11: try await device.sync()
            case 12, 13: try await pair.deliver(to: device)
            case 14: await device.run { await $0.counterpartMayHaveChanged() }
            case 15: device.session.applicationContext = ["app": "its own"]
            case 16: try await choose([.never, .manual, .automaticSmall, nil].randomElement(using: &random) ?? nil, on: device)
            case 17: device.session.maximumByteCount = [1_500, 262_144].randomElement(using: &random) ?? 262_144
            case 18: device.storage.lockState = device.storage.lockState == .locked ? .unlocked : .locked
            default:
                device.relaunch()
                try await device.sync()
            }
            let after = await device.router.sync.sentSequence
            if let before, let after, before < after { changedCount += 1 }
            if try await isWhole(device, "seed \(seed), step \(step)") { comparedCount += 1 }
        }
        #expect(comparedCount > 4, "hardly anything was compared")
        #expect(changedCount > 0, "nothing was changed that could be")
    }

    /// What becomes of a name between two contexts.
    enum Touch: String, CaseIterable, Sendable {
        case gone, settled, unreadable, unreadableAndNew, tooLarge, withoutRoom, published, switchedOff, missed
    }

    /// The next context is the whole one, whatever was touched beside a value that was changed.
    @Test(arguments: Touch.allCases) func whatWasTouchedIsAsInTheWhole(_ touch: Touch) async throws {
        let phone = SyncPair().phone
        try await phone.set("theirs", for: NotesKey())
        try await phone.set("theirs", for: ThemeKey())
        try await phone.remove(ThemeKey())
        try await phone.run { router in
            let sync = router.sync
            await sync.hold(Self.entry(1, 10), of: Self.key("changed", .manual), isShared: true)
            await sync.hold(Self.entry(1, 10), of: Self.key("touched", .automaticSmall), isShared: false)
            await sync.hold(Self.entry(1, 10), of: Self.key("manual", .manual), isShared: false)
            try await sync.send(.change, isForced: true)
            try #require(await sync.sentSequence != nil, "nothing that can be changed was sent")
            await sync.hold(Self.entry(2, touch == .withoutRoom ? 99_000 : 10), of: Self.key("changed", .manual), isShared: true)
            switch touch {
            case .gone: await sync.hold(nil, of: Self.key("touched", .automaticSmall), isShared: false)
            case .settled:
                let stamp = SyncStamp(counter: 9, device: "phone")
                await sync.hold(SyncEntry(stamp: stamp, value: nil, isSettled: true), of: ThemeKey(), isShared: true)
            case .unreadable: await sync.withhold(Self.key("touched", .automaticSmall), because: .locked)
            case .unreadableAndNew: await sync.withhold(Self.key("new", .automaticSmall), because: .locked)
            case .tooLarge: await sync.hold(Self.entry(2, 100_001), of: Self.key("touched", .automaticSmall), isShared: false)
            case .withoutRoom:
                for name in ["touched", "other"] { await sync.hold(Self.entry(2, 99_000), of: Self.key(name, .manual), isShared: true) }
            case .published: await sync.publishManual()
            case .missed:
                try sync.ledger.updateInstallation { $0.noteMissed(SyncStamp(counter: 9, device: "watch"), of: "touched") }
            case .switchedOff:
                try await router.setSyncPolicyOverride(.never, for: NotesKey())
                #expect(try SyncSnapshot(in: WCSession.default.applicationContext)?.entries["notes"] == nil)
            }
            let whole = try await sync.whole()
            try await sync.send(.change)
            let held = try #require(try SyncSnapshot(in: WCSession.default.applicationContext))
            #expect(held.entries == whole.entries)
            #expect(held.omitted == whole.omitted)
            #expect(held.omittedVersions == whole.omittedVersions)
            #expect(held.entries["changed"]?.stamp.counter == 2 || touch == .withoutRoom)
        }
    }

    /// What else there is no room for: nothing, more than the versions have room that are told of it, or more than the names have.
    enum Crowd: CaseIterable, Sendable {
        case none, versions, names

        var keys: [String] {
            switch self {
            case .none: []
            case .versions: (0..<300).map { "crowd\($0)" }
            case .names: (0..<300).map { "crowd\($0)" + String(repeating: "x", count: 300) }
            }
        }
    }

    /// Beyond what a context has room for, too: whatever grows, shrinks, comes, goes or is deleted, the same is left out.
    @Test(arguments: 0..<4, Crowd.allCases) func whatIsLeftOutIsAsInTheWhole(seed: UInt64, _ crowd: Crowd) async throws {
        var random = TestGenerator(seed: seed)
        let sizes = [10, 10, 10, 1_000, 1_000, 30_000, 60_000, 60_001, 90_000]
        let phone = SyncPair(seed: seed).phone
        await phone.run { router in
            for index in 0..<6 {
                await router.sync.hold(Self.entry(1, 60_000), of: Self.key("large\(index)", .automaticSmall), isShared: true)
            }
            for (index, name) in crowd.keys.enumerated() {
                await router.sync.hold(Self.entry(UInt64(index) + 1, 60_000), of: Self.key(name, .automaticSmall), isShared: true)
            }
        }
        var (changes, omissions) = (0, 0)
        for step in 0..<(crowd == .none ? 60 : 24) {
            let name = "value\(Int.random(in: 0..<14, using: &random))"
            let count = Int.random(in: 0..<8, using: &random) == 0 ? nil : sizes.randomElement(using: &random)
            let stamp = SyncStamp(counter: UInt64(step) + 1, device: "phone")
            let entry = SyncEntry(stamp: stamp, value: count.map { Data(repeating: 7, count: $0) })
            let isGone = step > 14 && Int.random(in: 0..<12, using: &random) == 0
            let (isChange, isCut) = try await phone.run { router in
                let sync = router.sync
                await sync.hold(isGone ? nil : entry, of: Self.key(name, .automaticSmall), isShared: true)
                let whole = try await sync.whole()
                let isChange = try await sync.isNextAChange()
                let isSent = try await sync.send(.change)
                let held = try SyncSnapshot(in: WCSession.default.applicationContext)
                #expect((held?.entries ?? [:]) == whole.entries, "seed \(seed), step \(step)")
                #expect(!isSent || held?.omitted == whole.omitted, "seed \(seed), step \(step)")
                #expect((held?.omittedVersions ?? [:]) == whole.omittedVersions, "seed \(seed), step \(step)")
                #expect((held?.omittedCounter ?? 0) == whole.omittedCounter, "seed \(seed), step \(step)")
                #expect((held?.omitsMore ?? false) == whole.omitsMore, "seed \(seed), step \(step)")
                #expect(await sync.didNotFit == whole.didNotFit, "seed \(seed), step \(step)")
                #expect((whole.omittedCounter > 0) == (crowd != .none) && whole.omitsMore == (crowd == .names))
                return (isChange, !whole.omitted.isEmpty)
            }
            if isCut { (changes, omissions) = (changes + (isChange ? 1 : 0), omissions + 1) }
        }
        #expect(changes > 5 && omissions > 20, "\(changes) of \(omissions)")
    }

    private static func key(_ name: String, _ policy: SyncPolicy) -> ValueKey<String> {
        var key = ValueKey<String>(name)
        key.syncPolicy = policy
        return key
    }

    private static func entry(_ counter: UInt64, _ count: Int) -> SyncEntry {
        SyncEntry(stamp: SyncStamp(counter: counter, device: "phone"), value: Data(repeating: 7, count: count))
    }

    /// Holds what the session has of this process against what it would be, put together anew.
    /// - Returns: Whether that could be compared.
    private func isWhole(_ device: SyncDevice, _ place: Comment) async throws -> Bool {
        // What this session has no room for is left out by trying.
        guard device.session.maximumByteCount == SyncSnapshot.maximumContextByteCount else { return false }
        let whole = try await device.run { try await $0.sync.whole() }
        guard let held = try SyncSnapshot(in: device.session.applicationContext), held.sequence == whole.sentSequence else { return false }
        let isUntouched: ((key: String, value: SyncEntry)) -> Bool = { !whole.touched.contains($0.key) }
        #expect(held.entries.filter(isUntouched) == whole.entries.filter(isUntouched), place)
        return true
    }

    private func change(on device: SyncDevice, _ value: String, _ random: inout TestGenerator) async throws {
        let isRemoved = Int.random(in: 0..<4, using: &random) == 0
        do {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try await isRemoved ? device.remove(ThemeKey()) : device.set(value, for: ThemeKey())
            case 1: try await isRemoved ? device.remove(NotesKey()) : device.set(value, for: NotesKey())
            case 2: try await isRemoved ? device.remove(ManualKey()) : device.set(value, for: ManualKey())
            default: try await isRemoved ? device.remove(TokenKey()) : device.set(value, for: TokenKey())
            }
        } catch let error as StorageError where error.code == .locked {}
    }

    private func choose(_ policy: SyncPolicy?, on device: SyncDevice) async throws {
        try await device.run { try await $0.setSyncPolicyOverride(policy, for: NotesKey()) }
    }
}

extension SyncHelper {
    fileprivate struct Whole: Sendable {
        let entries: [String: SyncEntry]
        let omitted: [String]
        let omittedVersions: [String: SyncSnapshot.OmittedVersion]
        let omittedCounter: UInt64
        let omitsMore: Bool
        let didNotFit: [String]
        /// What has changed since, and was not sent, as of a manual key.
        let touched: Set<String>
        let sentSequence: UInt64?
    }

    /// Of the context that the next one may be a change of.
    fileprivate var sentSequence: UInt64? { sent?.sequence }

    fileprivate func isNextAChange() throws -> Bool {
        let room = SyncSnapshot.maximumContextByteCount - PayloadSize.envelope - PayloadSize.dictionary([:])
        return changedDraft(for: try ledger.installation(), fitting: room) != nil
    }

    /// Everything that there is to say, put together anew.
    fileprivate func whole() throws -> Whole {
        let installation = try ledger.installation()
        let accepted = acceptedSnapshot(in: WCSession.default.applicationContext, epoch: installation.epoch)
        let draft = wholeDraft(
            for: installation, accepted: accepted, room: SyncSnapshot.maximumContextByteCount - PayloadSize.envelope)
        return Whole(
            entries: draft.snapshot.entries, omitted: draft.snapshot.omitted, omittedVersions: draft.snapshot.omittedVersions,
            omittedCounter: draft.snapshot.omittedCounter, omitsMore: draft.snapshot.omitsMore, didNotFit: draft.didNotFit,
            touched: outbox.touched, sentSequence: sent?.sequence)
    }
}
