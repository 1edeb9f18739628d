import Foundation
import Testing

@testable import LocalData

@Suite struct RemovedVersionsTests {
    private static func stamp(_ counter: UInt64, _ writer: String) -> SyncStamp { SyncStamp(counter: counter, device: writer) }

    @Test func whatItsWriterWroteBeforeIsGone() {
        let removed = RemovedVersions(["phone.1": 3])
        #expect(removed.contains(Self.stamp(3, "phone.1"), isPassedOn: false))
        #expect(removed.contains(Self.stamp(1, "phone.1"), isPassedOn: false))
        #expect(!removed.contains(Self.stamp(4, "phone.1"), isPassedOn: false))
        #expect(!removed.contains(Self.stamp(1, "watch.2"), isPassedOn: false))
    }

    /// What a sender wrote itself may be new, from an app that was installed anew. What it has from others it got before.
    @Test func whatIsPassedOnIsOldAndWhatTheSenderWroteMayBeNew() {
        let removed = RemovedVersions(["watch.1": 3])
        #expect(removed.contains(Self.stamp(3, "phone.0"), isPassedOn: true))
        #expect(!removed.contains(Self.stamp(4, "phone.0"), isPassedOn: true))
        #expect(!removed.contains(Self.stamp(1, "watch.2"), isPassedOn: false))
        #expect(removed.contains(Self.stamp(1, "watch.1"), isPassedOn: false))
    }

    @Test func whatWasFoundAndOtherLineagesAreNotJudged() throws {
        let removed = RemovedVersions(["phone.1": 3])
        #expect(!removed.contains(Self.stamp(0, "phone.1"), isPassedOn: true))
        #expect(!removed.contains(Self.stamp(2, "!watch.abcd"), isPassedOn: true))
        let lineage = try SyncStamp.Lineage.after(nil, entropy: TestDevice().environment.entropy)
        #expect(!removed.contains(SyncStamp(counter: 1, device: "phone.1", in: lineage), isPassedOn: true))
        #expect(!RemovedVersions().contains(Self.stamp(1, "phone.1"), isPassedOn: true))
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
}
