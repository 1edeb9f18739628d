import Foundation
import Testing

@testable import LocalData

@Suite struct SyncOutboxTests {
    static func entry(_ counter: UInt64, _ value: String?) -> SyncEntry {
        SyncEntry(stamp: SyncStamp(counter: counter, device: "phone"), value: value.map { Data($0.utf8) })
    }

    static let room = SyncSnapshot.maximumContextByteCount
    static let delivered: @Sendable (String, SyncEntry) -> Bool = { _, _ in true }
    static let undelivered: @Sendable (String, SyncEntry) -> Bool = { _, _ in false }

    @Test func automaticKeysGoAsTheyAreAndManualOnesWhenAsked() {
        var outbox = SyncOutbox()
        outbox.hold(Self.entry(1, "a"), of: "auto", policy: .automaticSmall, isShared: false)
        outbox.hold(Self.entry(1, "b"), of: "manual", policy: .manual, isShared: false)
        #expect(outbox.selection(fitting: Self.room, accepted: [:], isDelivered: Self.undelivered).entries.keys.sorted() == ["auto"])
        outbox.publishManual()
        #expect(
            outbox.selection(fitting: Self.room, accepted: [:], isDelivered: Self.undelivered).entries.keys.sorted() == ["auto", "manual"])
        outbox.hold(Self.entry(2, "c"), of: "manual", policy: .manual, isShared: false)
        #expect(outbox.selection(fitting: Self.room, accepted: [:], isDelivered: Self.undelivered).entries["manual"] == Self.entry(1, "b"))
    }

    @Test func whatAManualKeyPublishedBeforeARelaunchStaysInTheContext() {
        var outbox = SyncOutbox()
        outbox.hold(Self.entry(2, "new"), of: "manual", policy: .manual, isShared: false)
        let accepted = ["manual": Self.entry(1, "published")]
        #expect(outbox.selection(fitting: Self.room, accepted: accepted, isDelivered: Self.delivered).entries == accepted)
    }

    @Test func aVersionOfTheCounterpartIsNoNewsToHoldBack() {
        var outbox = SyncOutbox()
        outbox.hold(Self.entry(5, "theirs"), of: "manual", policy: .manual, isShared: true)
        #expect(
            outbox.selection(fitting: Self.room, accepted: [:], isDelivered: Self.undelivered).entries["manual"] == Self.entry(5, "theirs"))
    }

    @Test func keysThatThisProcessHasNotMetStayUntilTheyAreDelivered() {
        var outbox = SyncOutbox()
        outbox.hold(Self.entry(1, "a"), of: "known", policy: .automaticSmall, isShared: false)
        let accepted = ["known": Self.entry(1, "a"), "unmet": Self.entry(3, "b")]
        #expect(outbox.selection(fitting: Self.room, accepted: accepted, isDelivered: Self.undelivered).entries == accepted)
        #expect(outbox.selection(fitting: Self.room, accepted: accepted, isDelivered: Self.delivered).entries.keys.sorted() == ["known"])
        // Acknowledged by a process that did not know the name.
        let lacking = outbox.selection(fitting: Self.room, accepted: accepted, isDelivered: { name, _ in name != "unmet" })
        #expect(lacking.entries == accepted)
        let kept = outbox.selection(fitting: Self.room, accepted: accepted, isDelivered: Self.undelivered, keepsBack: { $0 == "unmet" })
        #expect(kept.entries.keys.sorted() == ["known"])
    }

    @Test func aLockedKeyIsLeftOutAndNamedAndIsNoDeletion() {
        var outbox = SyncOutbox()
        outbox.withhold("token", policy: .automaticSmall, because: .locked)
        let fresh = outbox.selection(fitting: Self.room, accepted: [:], isDelivered: Self.undelivered)
        #expect(fresh == SyncOutbox.Selection(entries: [:], omitted: ["token"]))
        let accepted = ["token": Self.entry(4, "sent before")]
        #expect(outbox.selection(fitting: Self.room, accepted: accepted, isDelivered: Self.undelivered).entries == accepted)
        #expect(!outbox.isLoaded("token"), "it is tried again")
        outbox.withhold("broken", policy: .automaticSmall, because: .corrupt)
        #expect(outbox.isLoaded("broken"), "it is not read again for every change of another key")
    }

    @Test func automaticSmallEndsAt100KB() {
        let limit = SyncPolicy.maximumAutomaticByteCount
        for (count, isSent) in [(limit, true), (limit + 1, false)] {
            var outbox = SyncOutbox()
            let entry = SyncEntry(stamp: SyncStamp(counter: 1, device: "phone"), value: Data(count: count))
            outbox.hold(entry, of: "auto", policy: .automaticSmall, isShared: false)
            outbox.hold(entry, of: "manual", policy: .manual, isShared: true)
            let selection = outbox.selection(fitting: Self.room, accepted: [:], isDelivered: Self.undelivered)
            #expect((selection.entries["auto"] != nil) == isSent)
            #expect(selection.omitted == (isSent ? [] : ["auto"]))
            #expect(selection.omittedVersions == (isSent ? [:] : ["auto": .init(stamp: SyncStamp(counter: 1, device: "phone"))]))
            #expect(selection.entries["manual"] != nil)
        }
    }

    @Test func theLargestAreLeftOutAndDeletionsNever() {
        var outbox = SyncOutbox()
        for (name, count) in [("a", 60_000), ("b", 90_000), ("c", 80_000), ("d", 80_000), ("small", 10)] {
            outbox.hold(
                SyncEntry(stamp: SyncStamp(counter: 1, device: "phone"), value: Data(count: count)), of: name, policy: .automaticSmall,
                isShared: false)
        }
        outbox.hold(Self.entry(2, nil), of: "gone", policy: .automaticSmall, isShared: false)
        let selection = outbox.selection(fitting: Self.room, accepted: [:], isDelivered: Self.undelivered)
        #expect(selection.entries.keys.sorted() == ["a", "c", "d", "gone", "small"])
        #expect(selection.didNotFit == ["b"])
        #expect(selection.omitted == ["b"])
        let tight = outbox.selection(fitting: 1_000, accepted: [:], isDelivered: Self.undelivered)
        #expect(tight.entries.keys.sorted() == ["gone", "small"])
        #expect(tight.didNotFit == ["a", "b", "c", "d"])
        #expect(selection.omittedVersions == ["b": .init(stamp: SyncStamp(counter: 1, device: "phone"))])
        #expect(tight.omittedVersions.isEmpty, "the versions take a sixteenth of the room at most")
        #expect(selection.omittedCounter == 0 && tight.omittedCounter == 1, "of what has no version the highest counter is told")
    }

    /// However many names there are, and however long, what has room is sent. It is said that more are left out than are named.
    @Test func namesOfWhatIsLeftOutTakeAQuarter() {
        var outbox = SyncOutbox()
        for index in 0..<3_000 {
            let entry = SyncEntry(stamp: SyncStamp(counter: UInt64(1 + index), device: "phone"), value: Data(count: 300))
            outbox.hold(entry, of: String(repeating: "n", count: 200) + "\(1_000 + index)", policy: .automaticSmall, isShared: false)
        }
        outbox.withhold("locked", policy: .automaticSmall, because: .locked)
        let selection = outbox.selection(fitting: 100_000, accepted: [:], leftOutCounter: 7, isDelivered: Self.undelivered)
        let named = selection.omitted.reduce(0) { $0 + PayloadSize.string($1) }
        #expect(named > 24_000 && named <= 25_000 && selection.omitsMore && !selection.isWhole)
        #expect(selection.entries.count > 50 && selection.didNotFit.count == 3_000 - selection.entries.count)
        #expect(selection.omittedCounter == 3_000)
        #expect(selection.omitted.contains("locked"))

        var locked = SyncOutbox()
        locked.withhold("locked", policy: .automaticSmall, because: .locked)
        let told = locked.selection(fitting: 100_000, accepted: [:], leftOutCounter: 7, isDelivered: Self.undelivered)
        #expect(told.omittedCounter == 7, "what was told of it while it could be read stays told")
    }

    /// Names without versions are better than values without room: however many values are left out, what is said of them leaves room for the others.
    @Test func versionsOfWhatIsLeftOutTakeLittle() {
        var outbox = SyncOutbox()
        for index in 0..<3_000 {
            let entry = SyncEntry(stamp: SyncStamp(counter: 1, device: "phone"), value: Data(count: 300), schemaVersion: 2)
            outbox.hold(entry, of: "key\(1_000 + index)", policy: .automaticSmall, isShared: false)
        }
        let selection = outbox.selection(fitting: Self.room, accepted: [:], isDelivered: Self.undelivered)
        #expect(selection.entries.count > 200)
        let told = selection.omittedVersions.reduce(0) { $0 + $1.value.maximumByteCount(under: $1.key) }
        #expect(told > Self.room / 20 && told <= Self.room / 16)
        #expect(selection.omittedVersions.keys.sorted() == Array(selection.didNotFit.prefix(selection.omittedVersions.count)))
        #expect(selection.omittedVersions.values.allSatisfy { $0.schemaVersion == 2 })
    }

    /// What stands behind the first that is left out has no room either, also where that is a deletion of a long name: a change tells by it what is left out.
    @Test(arguments: [false, true]) func nothingBehindTheCutIsSent(hasShort: Bool) {
        var outbox = SyncOutbox()
        outbox.hold(Self.entry(1, nil), of: String(repeating: "n", count: 900), policy: .automaticSmall, isShared: false)
        if hasShort { outbox.hold(Self.entry(1, "x"), of: "short", policy: .automaticSmall, isShared: false) }
        let selection = outbox.selection(fitting: 500, accepted: [:], isDelivered: Self.undelivered)
        #expect(selection.entries.isEmpty && selection.didNotFit.count == 1 + (hasShort ? 1 : 0))
        #expect(selection.isWhole && selection.omitsMore && selection.omittedCounter == 1)
        #expect(selection.cut.map { !$0.first.isValue && selection.byteCount + $0.byteCountWithMore > 500 } == true)
    }

    /// Entries and what is said of those that are left out have room together, however many and however long the names are.
    @Test(arguments: [1, 40, 400], [500, 4_000, 60_000]) func whatIsSaidOfOthersCounts(nameLength: Int, room: Int) {
        var outbox = SyncOutbox()
        for index in 0..<600 {
            let entry = SyncEntry(stamp: SyncStamp(counter: 1, device: "phone"), value: Data(count: index % 50))
            outbox.hold(entry, of: String(repeating: "n", count: nameLength) + "\(index)", policy: .automaticSmall, isShared: false)
        }
        let selection = outbox.selection(fitting: room, accepted: [:], isDelivered: Self.undelivered)
        let omissions =
            selection.omitted.reduce(0) { $0 + PayloadSize.string($1) }
            + selection.omittedVersions.reduce(0) { $0 + $1.value.maximumByteCount(under: $1.key) }
        let entries = selection.entries.reduce(0) { $0 + $1.value.maximumByteCount(under: $1.key) }
        #expect(entries == selection.byteCount && entries + omissions <= room)
        // … and as much is sent as has room: the next one would not.
        #expect(
            selection.cut.map { entries + omissions <= entries + $0.omissionByteCount && entries + $0.byteCountWithMore > room } == true)
    }

    @Test func amongEqualsTheOrderOfNamesDecides() {
        var outbox = SyncOutbox()
        for name in ["d", "b", "c", "a"] {
            outbox.hold(
                SyncEntry(stamp: SyncStamp(counter: 1, device: "phone"), value: Data(count: 90_000)), of: name, policy: .automaticSmall,
                isShared: false)
        }
        #expect(outbox.selection(fitting: Self.room, accepted: [:], isDelivered: Self.undelivered).didNotFit == ["c", "d"])
    }

    @Test func absenceIsNotSent() {
        var outbox = SyncOutbox()
        outbox.hold(nil, of: "absent", policy: .automaticSmall, isShared: false)
        #expect(outbox.selection(fitting: Self.room, accepted: [:], isDelivered: Self.undelivered) == SyncOutbox.Selection(isWhole: true))
    }
}
