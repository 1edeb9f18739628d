import Foundation
import Testing

@testable import LocalData

@Suite struct RemovedVersionsTests {
    private static func stamp(_ counter: UInt64, _ writer: String) -> SyncStamp { SyncStamp(counter: counter, device: writer) }

    @Test func whatItsWriterWroteBeforeIsGone() {
        let removed = RemovedVersions(["phone.1": 3])
        #expect(removed.contains(Self.stamp(3, "phone.1")))
        #expect(removed.contains(Self.stamp(1, "phone.1")))
        #expect(!removed.contains(Self.stamp(4, "phone.1")))
        #expect(!removed.contains(Self.stamp(1, "watch.2")))
    }

    /// An app that is installed anew counts from 1. What it wrote is newer, whoever passes it on.
    @Test func ofOtherWritersNothingIsConcluded() {
        let removed = RemovedVersions(["watch.1": 3])
        #expect(!removed.contains(Self.stamp(3, "phone.0")))
        #expect(!removed.contains(Self.stamp(1, "watch.1~0000000000000002.ab")))
    }

    /// What an installation found goes with what it wrote; what it finds after that counts from above (``SyncLedger/stampOfFoundValue(of:revision:)``).
    @Test func whatWasFoundGoesToo() throws {
        #expect(RemovedVersions(["phone.1": 3]).contains(Self.stamp(0, "phone.1")))
        var removed = RemovedVersions()
        removed.add(Self.stamp(0, "phone.1"))
        #expect(removed.contains(Self.stamp(0, "phone.1")) && !removed.contains(Self.stamp(1, "phone.1")))
        #expect(!removed.contains(Self.stamp(0, "watch.1")))

        let key = NotesKey()
        let ledger = SyncDevice(.phone, keys: SyncPair.keys).router.sync.ledger
        #expect(try ledger.stampOfFoundValue(of: key, revision: Data([1])).counter == 0)
        try ledger.updateInstallation { $0.raiseFloor(of: key.name, to: 4) }
        #expect(try ledger.stampOfFoundValue(of: key, revision: Data([1])).counter > 4)
    }

    @Test func otherLineagesAreNotJudged() throws {
        let removed = RemovedVersions(["phone.1": 3])
        #expect(!removed.contains(Self.stamp(2, "!watch.abcd")))
        let lineage = try SyncStamp.Lineage.after(nil, entropy: TestDevice().environment.entropy)
        #expect(!removed.contains(SyncStamp(counter: 1, device: "phone.1", in: lineage)))
        #expect(!RemovedVersions().contains(Self.stamp(1, "phone.1")))
        var taken = RemovedVersions()
        taken.add(SyncStamp(counter: 9, device: "phone.1", in: lineage))
        #expect(taken.isEmpty, "a counter of another lineage says nothing of this one")
    }

    /// Only where nothing is known of the key: a record says more, and one that cannot be read may.
    @Test func onlyAKeyWithoutARecordIsJudged() throws {
        let key = NotesKey()
        let ledger = SyncDevice(.phone, keys: SyncPair.keys).router.sync.ledger
        let version = Self.stamp(2, "watch.1")
        #expect(try !ledger.wasRemoved(version, of: key))
        try ledger.updateInstallation { $0.removed[key.name] = RemovedVersions(["watch.1": 2]) }
        #expect(try ledger.wasRemoved(version, of: key))
        ledger.note(StorageError(.corrupt), about: key.name)
        #expect(try !ledger.wasRemoved(version, of: key))
        ledger.note(nil, about: key.name)
        // Removed again, it is known by the record, and by what that notes once it is forgotten.
        _ = try ledger.recordRemovedAgain(version, of: key, at: StorageLocation(of: key))
        #expect(try !ledger.wasRemoved(version, of: key))
        #expect(try ledger.record(of: key.name, in: key.domain)?.removed.writers == ["watch.1": 2])
    }

    @Test func onlyTheLatestWritersAreRemembered() {
        var removed = RemovedVersions()
        for (index, writer) in ["a", "b", "c", "d", "e"].enumerated() { removed.add(Self.stamp(UInt64(index) + 1, writer)) }
        #expect(removed.writers == ["b": 2, "c": 3, "d": 4, "e": 5])
        removed.add(Self.stamp(SyncStamp.maximumCounter, "liar"))
        #expect(removed.writers["liar"] == nil)
    }

    /// What a counterpart says of its deletion is not believed: its number could be any.
    @Test func aDeletionTellsWhatThisDeviceHad() {
        let value = SyncRecord(
            keyName: "theme", location: "l", committed: SyncVersion(stamp: Self.stamp(2, "watch.1"), content: .value(revision: Data([1]))))
        let deletion = SyncVersion(stamp: Self.stamp(900, "phone.1"), content: .deleted)
        let record = SyncRecord.announcing(deletion, of: "theme", location: "l", after: value).confirmed()
        #expect(record.removed.writers == ["watch.1": 2])
        var (here, there) = (RemovedVersions(), RemovedVersions())
        here.add(record, forgottenBy: "phone.1")
        there.add(record, forgottenBy: "watch.1")
        #expect(here.writers == ["watch.1": 2, "phone.1": 900])
        #expect(there.writers == ["watch.1": 2])
        // It is known also where a value is set, and removed, before the deletion is forgotten.
        let next = SyncRecord.announcing(
            SyncVersion(stamp: Self.stamp(901, "phone.1"), content: .value(revision: Data([2]))), of: "theme", location: "l", after: record)
        #expect(next.removed == record.removed)
    }

    /// What another writer replaced, a removal takes away with the rest.
    @Test func whatOthersReplacedIsKnown() {
        var record: SyncRecord?
        for (counter, writer) in [(1, "watch.1"), (2, "watch.1"), (3, "phone.1"), (4, "phone.1")] as [(UInt64, String)] {
            let version = SyncVersion(stamp: Self.stamp(counter, writer), content: .value(revision: Data([UInt8(counter)])))
            record = SyncRecord.announcing(version, of: "theme", location: "l", after: record).confirmed()
        }
        #expect(record?.removed.writers == ["watch.1": 2])
    }

    @Test func formatsArePinned() throws {
        var record = SyncRecord(
            keyName: "theme", location: "l", committed: SyncVersion(stamp: Self.stamp(3, "phone.1"), content: .deleted))
        record.isSettled = true
        record.removed = RemovedVersions(["watch.1": 2, "phone.1": 1])
        let text =
            #"{"committed":{"content":"deleted","counter":3,"device":"phone.1"},"key":"theme","location":"l","#
            + #""removed":{"phone.1":1,"watch.1":2},"settled":true,"version":1}"#
        #expect(record.encoded == text)
        #expect(try SyncRecord(encoded: text, keyName: "theme") == record)
        #expect(try SyncRecord(encoded: text.replacingOccurrences(of: ",", with: ", "), keyName: "theme") == record)

        var installation = SyncInstallation(epoch: "0011aa")
        installation.removed = ["theme": RemovedVersions(["phone.1": 1, "wätch": 2]), "a": RemovedVersions(["phone.1": 7])]
        let stored =
            #"{"counterparts":[],"epoch":"0011aa","floor":0,"removed":{"a":{"phone.1":7},"theme":{"phone.1":1,"wätch":2}},"#
            + #""reserved":1,"version":1}"#
        #expect(installation.encoded == stored)
        #expect(try SyncInstallation(encoded: Data(stored.utf8)) == installation)
        #expect(installation.renewed(as: "ff").removed == installation.removed)
    }

    /// What a value has outdone is noted beside what it knows, as long as nothing else is forgotten for it. A deletion knows the latest.
    @Test(arguments: [false, true]) func whatAValueHasOutdoneTakesNoPlaceOfAnother(isDeletion: Bool) throws {
        let key = NotesKey()
        let ledger = SyncDevice(.phone, keys: SyncPair.keys).router.sync.ledger
        let content: SyncVersion.Content = isDeletion ? .deleted : .value(revision: Data([1]))
        var record = SyncRecord(
            keyName: key.name, location: try StorageLocation(of: key).identity,
            committed: SyncVersion(stamp: Self.stamp(9, "own"), content: content))
        record.removed = RemovedVersions(["a": 2, "b": 3, "c": 4, "d": 5])
        try ledger.setRecord(record, of: key.name, in: key.domain)
        func known() throws -> [String: UInt64]? { try ledger.record(of: key.name, in: key.domain)?.removed.writers }

        try ledger.noteOutdone(Self.stamp(6, "a"), of: key)
        #expect(try known() == ["a": 6, "b": 3, "c": 4, "d": 5])
        try ledger.noteOutdone(Self.stamp(5, "a"), of: key)
        #expect(try known() == ["a": 6, "b": 3, "c": 4, "d": 5])
        try ledger.noteOutdone(Self.stamp(7, "e"), of: key)
        #expect(try known() == (isDeletion ? ["a": 6, "c": 4, "d": 5, "e": 7] : ["a": 6, "b": 3, "c": 4, "d": 5]))
        // Of one's own versions the record tells itself, where it is that of a value.
        try ledger.noteOutdone(Self.stamp(8, "own"), of: key)
        #expect(try known()?["own"] == (isDeletion ? 8 : nil))
    }

    /// A power loss brings back what a deletion took away, in preferences: it goes again, as it was. What was found, or belongs to another writer, is not judged.
    @Test(arguments: [
        (3, "phone.1", true), (2, "phone.1", true), (4, "phone.1", false), (3, "watch.1", false), (0, "phone.1", false),
        (3, "!phone.1", false),
    ])
    func whatCameBackIsToGoAgain(counter: UInt64, writer: String, goes: Bool) throws {
        let key = ThemeKey()
        let ledger = SyncDevice(.phone, keys: SyncPair.keys).router.sync.ledger
        try ledger.updateInstallation { $0.removed[key.name] = RemovedVersions(["phone.1": 3, "!phone.1": 9]) }
        let place = try StorageLocation(of: key).identity
        let version = SyncVersion(stamp: Self.stamp(counter, writer), content: .value(revision: Data([1])))
        let record = SyncRecord(keyName: key.name, location: place, committed: version)
        let deletion = try ledger.deletionToRepeat(for: record, of: key)
        #expect((deletion != nil) == goes)
        if let deletion { #expect(version.stamp < deletion && deletion < Self.stamp(counter + 1, "a")) }
        let file = NotesKey()
        try ledger.updateInstallation { $0.removed[file.name] = RemovedVersions([writer: counter]) }
        #expect(try ledger.deletionToRepeat(for: SyncRecord(keyName: file.name, location: "", committed: version), of: file) == nil)
        // A change that is on its way is settled first.
        var changing = record
        changing.pending = SyncVersion(stamp: Self.stamp(9, "phone.1"), content: .deleted)
        #expect(try ledger.deletionToRepeat(for: changing, of: key) == nil)
    }

    /// What no catalog has named for thirty days is given up, of which a week at most passes between two looks; who names it begins anew.
    @Test func whatNobodyNamesIsGivenUpAfterItsTerm() {
        func day(_ number: Double) -> Date { Date(timeIntervalSinceReferenceDate: 1_000 + number * 86_400) }
        var installation = SyncInstallation(epoch: "e")
        #expect(!installation.isGivenUp("a", at: day(100)))
        for number in stride(from: 0.0, through: 28, by: 7) { installation.noteUnclaimed(["a", "b"], at: day(number)) }
        #expect(!installation.isGivenUp("a", at: day(29.9)) && installation.isGivenUp("a", at: day(30)))
        // A clock that was wrong once ends nothing, whichever way, and a leap counts a week.
        for wrong in [-5_000.0, -31, 60, 5_000] {
            var other = SyncInstallation(epoch: "e")
            other.noteUnclaimed(["a"], at: day(0))
            other.noteUnclaimed(["a"], at: day(wrong))
            other.noteUnclaimed(["a"], at: day(1))
            #expect(!other.isGivenUp("a", at: day(2)), "\(wrong)")
            #expect(!other.isGivenUp("a", at: day(9_000)), "\(wrong)")
        }
        // Whoever names it ends it, and it begins anew.
        installation.noteUnclaimed(["b"], at: day(30))
        #expect(!installation.isGivenUp("a", at: day(31)) && installation.isGivenUp("b", at: day(31)))
        installation.noteUnclaimed(["a", "b"], at: day(31))
        #expect(!installation.isGivenUp("a", at: day(38)))
        installation.noteClaimed(["a"])
        #expect(installation.unclaimed.keys.sorted() == ["b"] && installation.unclaimedAt > 0)
        installation.noteClaimed(["b"])
        #expect(installation == SyncInstallation(epoch: "e"))
        installation.noteUnclaimed(["b"], at: day(39))
        installation.noteUnclaimed([], at: day(40))
        #expect(installation.unclaimedAt == 0 && !installation.isGivenUp("b", at: day(100)))
    }

    /// A file that was purged or damaged leaves a record that has gone further than what lies there. In preferences that may be an announcement alone, whose value a power
    /// loss took: of those nothing is concluded.
    @Test func onlyOfFilesItIsKnownWhatWasLost() throws {
        let ledger = SyncDevice(.phone, keys: SyncPair.keys).router.sync.ledger
        for key in [NotesKey(), ThemeKey()] as [any StorageKey] {
            let here = SyncVersion(stamp: Self.stamp(5, "watch.1"), content: .value(revision: Data([1])))
            let record = SyncRecord(
                keyName: key.name, location: try StorageLocation(of: key).identity, committed: here, highestCounter: 6)
            try ledger.setRecord(record, of: key.name, in: key.domain)
            let isFile = key.domain.defaultsSuite == nil
            #expect(try ledger.hasLost(Self.stamp(6, "phone.1"), of: key) == isFile)
            #expect(try !ledger.hasLost(Self.stamp(7, "phone.1"), of: key))
            #expect(try !ledger.hasLost(Self.stamp(5, "watch.1"), of: key))
        }
    }
}
