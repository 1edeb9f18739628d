import Foundation
import Testing

@testable import LocalData

/// A counterpart that is broken, or lies. What it may do is give values that it could give anyway; sync with an honest one must go on.
@Suite struct LyingCounterpartTests {
    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Snapshots that the phone is handed, in this order, made from what it would hear honestly and what it has.
        let snapshots: @Sendable (_ honest: SyncSnapshot, _ phone: SyncSnapshot) -> [SyncSnapshot]

        init(_ description: String, _ snapshots: @escaping @Sendable (SyncSnapshot, SyncSnapshot) -> [SyncSnapshot]) {
            testDescription = description
            self.snapshots = snapshots
        }

        /// Other entries for the keys that sync.
        init(entries description: String, _ entry: @escaping @Sendable (SyncEntry?) -> SyncEntry?) {
            self.init(description) { honest, phone in
                var forged = honest
                for name in LyingCounterpartTests.names { forged.entries[name] = entry(phone.entries[name] ?? honest.entries[name]) }
                forged.sequence += 1
                forged.content = forged.sequence
                return [forged]
            }
        }
    }

    static let names = ["theme", "notes", "token"]
    private static let last = UInt64(Int64.max) - 1

    private static func value(_ counter: UInt64, _ device: String = "liar", _ text: String = "\"lie\"") -> SyncEntry {
        SyncEntry(stamp: SyncStamp(counter: counter, device: device), value: Data(text.utf8))
    }

    static let lies: [Lie] =
        [
            1 << 40, SyncStamp.maximumCounter - 2, SyncStamp.maximumCounter - 1, SyncStamp.maximumCounter, 1 << 62, last - 1, last,
            last + 1, .max,
        ]
        .map { counter in Lie(entries: "counter \(counter)") { _ in value(counter) } } + [
            Lie(entries: "the greatest stamp of its lineage") { entry in
                value(last, (entry?.stamp.lineage?.prefix ?? "") + String(repeating: "\u{7f}", count: 200))
            },
            Lie(entries: "the greatest lineage") { _ in value(last, "^ffffffffffffffff,fffffffffffffffe.x") },
            Lie(entries: "a lineage that is none") { _ in value(last, "^\u{301}.\u{301}x") },
            Lie(entries: "a value that does not decode") { _ in value(last, "liar", "{") },
            Lie(entries: "settled deletions of everything") { _ in
                SyncEntry(stamp: SyncStamp(counter: last, device: "liar"), value: nil, isSettled: true)
            },
            Lie(entries: "a value of 30 MB") { _ in
                SyncEntry(stamp: SyncStamp(counter: 99, device: "liar"), value: Data(repeating: 0x20, count: 30_000_000))
            },
            Lie(entries: "a device of 5 MB") { _ in value(99, String(repeating: "x", count: 5_000_000)) },
            Lie("deletions of keys that nobody set") { honest, _ in
                var forged = honest
                forged.sequence += 1
                for name in ["manual", "sealed", "sealedSetting", "theme"] {
                    forged.entries[name] = SyncEntry(stamp: SyncStamp(counter: last, device: "liar"), value: nil, isSettled: true)
                }
                return [forged]
            },
            Lie("names of 5 MB and too many") { honest, _ in
                var forged = honest
                forged.sequence += 1
                forged.entries[String(repeating: "n", count: 5_000_000)] = value(1)
                var flood = forged
                for number in 0..<20_000 { flood.entries["name \(number)"] = value(1) }
                return [forged, flood]
            },
            Lie("later numbers in its name") { honest, _ in
                [honest.sequence + 1, 1 << 40, SnapshotLimits.maximumSequence, SnapshotLimits.maximumSequence + 1, UInt64.max].map {
                    var forged = honest
                    (forged.sequence, forged.content) = ($0, $0)
                    return forged
                }
            },
            Lie("greatest counters of what has no room") { honest, _ in
                [last - 1, last, last + 1, UInt64.max].map {
                    var forged = honest
                    forged.sequence += 1
                    (forged.omitted, forged.omittedCounter, forged.omitsMore) = (LyingCounterpartTests.names, $0, true)
                    return forged
                }
            },
            Lie("content later than the snapshot") { honest, _ in
                var forged = honest
                forged.content = .max
                return [forged]
            },
            Lie("acknowledgements of what was not sent") { honest, phone in
                [phone.sequence + 1, 1 << 40, SnapshotLimits.maximumSequence - 1, last, UInt64.max].map {
                    var forged = honest
                    forged.acknowledged = .init(epoch: phone.epoch, sequence: $0, content: $0)
                    return forged
                }
            },
            Lie("twenty installations") { honest, _ in
                (0..<20).map {
                    var forged = honest
                    (forged.epoch, forged.device) = ("epoch \($0)", "device \($0)")
                    return forged
                }
            },
        ]

    /// Each lie several times over, before, between and after edits.
    @Test(arguments: lies) func syncWithAnHonestCounterpartGoesOn(_ lie: Lie) async throws {
        let pair = SyncPair()
        try await pair.phone.set("private", for: PhoneKey())
        try await pair.watch.set("honest", for: NotesKey())
        for round in 0..<4 {
            try await pair.heal()
            if round > 0 { try await Self.requireHonestSync(pair, "round \(round)") }
            let phone = try await pair.phone.run { try await $0.syncSnapshot() }
            let honest = try await pair.watch.run { try await $0.syncSnapshot() }
            for snapshot in lie.snapshots(honest, phone) {
                // As a value and as it travels. It may be refused; what it is worth is looked at below.
                _ = try? await pair.phone.run { try await $0.apply(snapshot) }
                _ = try? await pair.phone.run { router in
                    if let read = try SyncSnapshot(in: snapshot.payload) { _ = try await router.apply(read) }
                }
            }
            if round == 2 { pair.phone.relaunch() }
        }
        pair.watch.relaunch()
        try await pair.heal()
        try await Self.requireHonestSync(pair, "at the end")
        #expect(try await pair.phone.value(PhoneKey()) == "private")
        let installation = try pair.phone.router.sync.ledger.installation()
        #expect(max(installation.floor, installation.mark) < SyncStamp.maximumCounter)
    }

    /// Edits on either side reach the other, also over relaunches.
    static func requireHonestSync(_ pair: SyncPair, _ what: String) async throws {
        for (number, (sender, receiver)) in [(pair.phone, pair.watch), (pair.watch, pair.phone), (pair.phone, pair.watch)].enumerated() {
            let text = "\(what) \(number)"
            if number == 2 { sender.relaunch() }
            try await sender.set(text, for: ThemeKey())
            try await sender.set(text, for: NotesKey())
            try await sender.set(text, for: TokenKey())
            try await pair.settle()
            try await pair.heal()
            for device in [sender, receiver] {
                #expect(try await device.value(ThemeKey()) == text)
                #expect(try await device.value(NotesKey()) == text)
                #expect(try await device.value(TokenKey()) == text)
            }
        }
    }

    @Test func anEntryIsRefusedAlone() async throws {
        let pair = SyncPair()
        var snapshot = try await pair.watch.run { try await $0.syncSnapshot() }
        snapshot.entries = ["theme": Self.value(3), "notes": Self.value(.max)]
        let report = try await pair.phone.run { [snapshot] in try await $0.apply(snapshot) }
        #expect(report.outcomes == ["theme": .applied, "notes": .failed(.invalidSnapshot)])
        #expect(try await pair.phone.value(ThemeKey()) == "lie")
        // It was not taken into account, and is not acknowledged.
        #expect(try pair.phone.router.sync.ledger.installation().acknowledgement == nil)
    }

    /// A settled deletion is forgotten at once, and what is set later goes on from its counter. That of one key says nothing of another.
    @Test func aForgedDeletionMovesItsOwnKeyAlone() async throws {
        let pair = SyncPair()
        var snapshot = try await pair.watch.run { try await $0.syncSnapshot() }
        snapshot.entries = ["theme": SyncEntry(stamp: SyncStamp(counter: 1 << 55, device: "liar"), value: nil, isSettled: true)]
        _ = try await pair.phone.run { [snapshot] in try await $0.apply(snapshot) }
        let installation = try pair.phone.router.sync.ledger.installation()
        #expect(installation.floor(of: "theme") == 1 << 55)
        #expect(installation.floor(of: "notes") == 0)
        try await pair.phone.set("mine", for: NotesKey())
        #expect(try pair.phone.record(NotesKey())?.committed.stamp.counter == 1)
    }

    /// What an earlier version of LocalData wrote down.
    @Test func aLedgerWithAbsurdNumbersHeals() async throws {
        let pair = SyncPair()
        try await pair.watch.set("old", for: ThemeKey())
        try await pair.heal()
        let epoch = try pair.watch.router.sync.ledger.installation().epoch
        try pair.phone.router.sync.ledger.updateInstallation {
            $0.floor = Self.last - 1
            $0.mark = Self.last - 1
            $0.reservedSequence = Self.last - 1
            $0.counterparts = [.init(epoch: epoch, sequence: Self.last, content: Self.last)]
        }
        pair.phone.relaunch()
        for key in ["theme", "notes"] {
            let domain = key == "theme" ? ThemeKey().domain : NotesKey().domain
            let version = SyncVersion(stamp: SyncStamp(counter: Self.last - 1, device: "watch.x"), content: .lost)
            try pair.phone.router.sync.ledger.setRecord(SyncRecord(keyName: key, location: "", committed: version), of: key, in: domain)
        }
        pair.phone.relaunch()
        try await pair.heal()
        try await Self.requireHonestSync(pair, "healed")
    }

    // MARK: Lineages

    private static let first = SyncStamp.Lineage(name: "00000000000000aa", ended: [])
    private static let second = SyncStamp.Lineage(name: "0000000000000011", ended: ["00000000000000aa"])

    @Test func aLineageComesAfterThoseItEnds() {
        let greatest = SyncStamp(counter: UInt64.max, device: "z")
        let one = SyncStamp(counter: 1, device: "phone.e", in: Self.first)
        let two = SyncStamp(counter: 0, device: "watch.f", in: Self.second)
        #expect(greatest < one && one < two && greatest < two)
        #expect(!(one < greatest) && !(two < one) && !(two < greatest))
        #expect(one < SyncStamp(counter: 2, device: "a", in: Self.first))
        // Of two that know nothing of each other one goes before the other.
        let stranger = SyncStamp(counter: 9, device: "x", in: .init(name: "00000000000000bb", ended: []))
        #expect(one < stranger && !(stranger < one))
        #expect(one.writer == "phone.e" && two.lineage == Self.second && greatest.lineage == nil)
    }

    @Test(arguments: [
        "^", "^.", "^00000000000000aa", "^00000000000000AA.x", "^00000000000000aa,.x", "^,00000000000000aa.x", "^\u{301}.x", "x^.y",
    ])
    func whatIsNoLineageIsADevice(_ device: String) {
        #expect(SyncStamp(counter: 1, device: device).lineage == nil)
        #expect(SyncStamp(counter: 1, device: device).writer == device)
    }

    @Test func lineagesNameTheLatestThatTheyEnd() throws {
        let entropy = TestDevice(role: .phone, identifier: "phone", seed: 1).environment.entropy
        var lineage: SyncStamp.Lineage?
        for _ in 0..<9 {
            let next = try SyncStamp.Lineage.after(lineage, entropy: entropy)
            #expect(SyncStamp(counter: 3, device: "x", in: lineage) < SyncStamp(counter: 1, device: "x", in: next))
            #expect(next.ended.count <= 4 && SyncStamp(counter: 1, device: "d", in: next).lineage == next)
            lineage = next
        }
    }

    /// No number that an app gives ends its process.
    @Test(arguments: [Int.min, -1, 0, 1, 40, 700, Int.max]) func anyLimitIsTaken(_ limit: Int) async throws {
        let pair = SyncPair()
        try await pair.phone.set("dark", for: ThemeKey())
        let snapshot = try await pair.phone.run { try await $0.syncSnapshot(maximumByteCount: limit) }
        #expect(snapshot.entries.isEmpty == (limit < 1_000))
    }
}
