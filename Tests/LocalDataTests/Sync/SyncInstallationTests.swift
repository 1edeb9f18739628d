import Foundation
import Testing

@testable import LocalData

@Suite struct SyncInstallationTests {
    @Test func formatIsPinned() throws {
        var installation = SyncInstallation(epoch: "0011aa")
        #expect(installation.encoded == #"{"counterparts":[],"epoch":"0011aa","floor":0,"reserved":1,"version":1}"#)
        installation.floor = 12
        installation.reservedSequence = 65
        installation.counterparts = [.init(epoch: "e1", sequence: 7, content: 5)]
        let text =
            #"{"counterparts":[{"content":5,"epoch":"e1","sequence":7}],"epoch":"0011aa","floor":12,"reserved":65,"version":1}"#
        #expect(installation.encoded == text)
        #expect(try SyncInstallation(encoded: Data(text.utf8)) == installation)
    }

    @Test func formatWithFloorsIsPinned() throws {
        var installation = SyncInstallation(epoch: "0011aa")
        installation.floor = 12
        installation.mark = 3
        for (name, counter) in [("theme", UInt64(40)), ("a", 13), ("low", 12), ("theme", 39)] {
            installation.raiseFloor(of: name, to: counter)
        }
        let text =
            #"{"counterparts":[],"epoch":"0011aa","floor":12,"floors":{"a":13,"theme":40},"mark":3,"reserved":1,"version":1}"#
        #expect(installation.encoded == text)
        #expect(try SyncInstallation(encoded: Data(text.utf8)) == installation)
        // Written by somebody else, with a number that no honest device reaches.
        let other = text.replacingOccurrences(of: "40}", with: "40, \"x\": \(SyncStamp.maximumCounter)}")
        #expect(try SyncInstallation(encoded: Data(other.utf8)) == installation)
        #expect(["theme", "a", "low", "none"].map { installation.floor(of: $0) } == [40, 13, 12, 12])
    }

    @Test func formatWithMissedVersionsIsPinned() throws {
        var installation = SyncInstallation(epoch: "0011aa")
        let lineage = SyncStamp.Lineage(name: "00112233aabbccdd", ended: [])
        for (name, stamp) in [
            ("theme", SyncStamp(counter: 40, device: "phone")), ("theme", SyncStamp(counter: 39, device: "phone")),
            ("taken", SyncStamp(counter: 8, device: "phone")), ("absurd", SyncStamp(counter: SyncStamp.maximumCounter, device: "phone")),
            ("other", SyncStamp(counter: 8, device: "phone", in: lineage)),
        ] {
            installation.noteMissed(stamp, of: name)
        }
        installation.noteTaken(SyncStamp(counter: 39, device: "watch"), of: "theme")
        installation.noteTaken(SyncStamp(counter: 8, device: "phone"), of: "taken")
        let text = #"{"counterparts":[],"epoch":"0011aa","floor":0,"missed":{"theme":40},"reserved":1,"version":1}"#
        #expect(installation.encoded == text)
        #expect(try SyncInstallation(encoded: Data(text.utf8)) == installation)
        #expect(installation.renewed(as: "0022").missed == ["theme": 40])
        // What is edited from now on comes after it, and what a lineage counts does not.
        #expect(installation.nextCounter(of: "theme", after: nil, by: "watch.0011aa", at: .init(timeIntervalSinceReferenceDate: 0)) == 41)
        #expect(
            installation.nextCounter(of: "theme", after: nil, by: "watch.0011aa", at: .init(timeIntervalSinceReferenceDate: 0), in: lineage)
                == 1)
        #expect(installation.nextCounter(of: "none", after: nil, by: "watch.0011aa", at: .init(timeIntervalSinceReferenceDate: 0)) == 1)
    }

    @Test func formatOfWhatIsToComeAndOfWhatWasRemovedUnseenIsPinned() throws {
        var installation = SyncInstallation(epoch: "0011aa")
        installation.noteMissed(SyncStamp(counter: 4, device: "phone"), of: "form")
        installation.noteAwaited(2, of: "form", on: "watch")
        installation.noteAwaited(3, of: "other", on: "watch")
        installation.noteAwaited(nil, of: "other", on: "watch")
        installation.removedUnseen = ["theme"]
        installation.inherited = ["draft"]
        installation.noteUnclaimed(["old", "new"], at: .init(timeIntervalSinceReferenceDate: 2))
        installation.noteUnclaimed(["old", "new"], at: .init(timeIntervalSinceReferenceDate: 9))
        installation.noteClaimed(["new"])
        let text =
            #"{"awaitedForms":{"form":{"watch":2}},"counterparts":[],"epoch":"0011aa","floor":0,"inherited":{"draft":1},"missed":{"form":4},"reserved":1,"unclaimed":{"old":7},"unclaimedAt":9,"unseen":{"theme":1},"version":1}"#
        #expect(installation.encoded == text)
        #expect(try SyncInstallation(encoded: Data(text.utf8)) == installation)
        // Written by somebody else.
        #expect(try SyncInstallation(encoded: Data(text.replacing(",\"", with: ", \"").utf8)) == installation)
        for other in [installation.renewed(as: "0022"), installation.replaced(by: "0022")] {
            #expect(
                other.awaitedForm(of: "form") == 2 && other.removedUnseen == ["theme"] && other.unclaimed == ["old": 7]
                    && other.unclaimedAt == 9)
        }
        // Another installation has heard of nobody: what is inherited there is found out once it has.
        #expect(installation.renewed(as: "0022").inherited == ["draft"] && installation.replaced(by: "0022").inherited.isEmpty)
        // No such form can be.
        #expect(try SyncInstallation(encoded: Data(text.replacing("\"watch\":2", with: "\"watch\":0").utf8)).awaited == [:])
        // What another watch does not have says nothing of what this one has.
        installation.noteAwaited(5, of: "form", on: "watch2")
        installation.noteAwaited(nil, of: "form", on: "watch")
        #expect(installation.awaitedForm(of: "form") == 5)
        for number in 0..<20 { installation.noteAwaited(2, of: "form", on: "liar\(number)") }
        #expect(installation.awaited["form"]?.count == SyncInstallation.maximumCounterparts)
        // With the version the form is here.
        installation.noteTaken(SyncStamp(counter: 4, device: "phone"), of: "form")
        #expect(installation.missed == [:] && installation.awaited == [:])
    }

    @Test func formatOfWhatWasNotKnownIsPinned() throws {
        var installation = SyncInstallation(epoch: "0011aa")
        let heard = SyncSnapshot(device: "phone.1", epoch: "e1", sequence: 7, content: 5, entries: [:])
        installation.note(heard, lacksNames: true)
        let version = SyncSnapshot.OmittedVersion(stamp: SyncStamp(counter: 3, device: "phone"))
        installation.noteUnknown([("note_42", version)], beside: [], on: "phone")
        let text =
            #"{"counterparts":[{"content":5,"device":"phone.1","epoch":"e1","lacksNames":1,"sequence":7}],"epoch":"0011aa","floor":0,"missed":{"note_42":3},"reserved":1,"version":1}"#
        #expect(installation.encoded == text)
        #expect(try SyncInstallation(encoded: Data(text.utf8)) == installation)
        // Written by somebody else.
        #expect(try SyncInstallation(encoded: Data(text.replacing(",\"", with: ", \"").utf8)) == installation)
        #expect(installation.acknowledgement?.lacksNames == true)
        installation.note(heard)
        installation.noteUnknown([], beside: ["note_42"], on: "phone")
        #expect(installation.acknowledgement?.lacksNames == false && installation.missed == ["note_42": 3])
        // Bounded, whatever a counterpart says.
        installation.noteUnknown((0..<10_000).map { ("note_\($0)", version) }, beside: ["note_42"], on: "phone")
        #expect(installation.missed.count == SyncInstallation.maximumUnknownNames)
    }

    /// Under a name that no process knows yet a form may be waited for, and what waits under it may be that of a name that another one has.
    @Test func formatOfFormsAndNamesIsPinned() throws {
        var installation = SyncInstallation(epoch: "0011aa")
        let newer = SyncSnapshot.OmittedVersion(stamp: SyncStamp(counter: 3, device: "phone"), schemaVersion: 2)
        installation.noteUnknown([("draft_1", newer)], beside: [], on: "phone.1")
        installation.former = ["first": "second", "second": "third"]
        let text =
            #"{"awaitedForms":{"draft_1":{"phone.1":2}},"counterparts":[],"epoch":"0011aa","floor":0,"former":{"first":"second","second":"third"},"missed":{"draft_1":3},"reserved":1,"version":1}"#
        #expect(installation.encoded == text)
        #expect(try SyncInstallation(encoded: Data(text.utf8)) == installation)
        #expect(try SyncInstallation(encoded: Data(text.replacing(",\"", with: ", \"").utf8)) == installation)
        #expect(installation.renewed(as: "0022bb").former == installation.former)
        // Forgotten with the version.
        installation.noteUnknown((0..<600).map { ("note_\($0)", newer) }, beside: ["draft_1"], on: "phone.1")
        #expect(installation.awaitedForm(of: "draft_1") == nil)
    }

    /// No number ends in a trap: the next edit after the greatest one begins another lineage.
    @Test func afterTheGreatestCounterThereIsNoGreater() {
        let lineage = SyncStamp.Lineage(name: "00112233aabbccdd", ended: [])
        var record = SyncRecord(
            keyName: "theme", location: "l", committed: SyncVersion(stamp: SyncStamp(counter: 1, device: "phone"), content: .deleted))
        record.earlier = [SyncVersion(stamp: SyncStamp(counter: .max, device: "phone", in: lineage), content: .deleted)]
        let installation = SyncInstallation(epoch: "0011aa")
        #expect(
            installation.nextCounter(
                of: "theme", after: record, by: "watch.0011aa", at: .init(timeIntervalSinceReferenceDate: 0), in: lineage) == .max)
    }

    @Test func formatWithDevicesIsPinned() throws {
        var installation = SyncInstallation(epoch: "0011aa")
        installation.note(SyncSnapshot(device: "watch", epoch: "e1", sequence: 7, content: 5, entries: [:]))
        installation.note(SyncSnapshot(device: "wätch 2", epoch: "e2", sequence: 9, content: 8, entries: [:]))
        let text =
            #"{"counterparts":[{"content":5,"device":"watch","epoch":"e1","sequence":7},{"content":8,"device":"wätch 2","epoch":"e2","#
            + #""sequence":9}],"epoch":"0011aa","floor":0,"reserved":1,"version":1}"#
        #expect(installation.encoded == text)
        #expect(try SyncInstallation(encoded: Data(text.utf8)) == installation)
    }

    /// What an earlier version heard has no device, and is nobody who could come back.
    @Test func theOthersAreTheLatestInstallationsOfOtherDevices() {
        var installation = SyncInstallation(epoch: "own")
        installation.counterparts = [.init(epoch: "e0", sequence: 1, content: 1)]
        for (device, epoch) in [("a", "a1"), ("b", "b1"), ("a", "a2")] {
            installation.note(SyncSnapshot(device: device, epoch: epoch, sequence: 1, content: 1, entries: [:]))
        }
        #expect(installation.others(than: "a") == ["b1"])
        #expect(installation.others(than: "b") == ["a2"])
        #expect(installation.others(than: "new") == ["b1", "a2"])
    }

    @Test func aWatchThatIsReinstalledOftenDoesNotPushTheOtherOut() {
        var installation = SyncInstallation(epoch: "own")
        installation.note(SyncSnapshot(device: "other", epoch: "o", sequence: 1, content: 1, entries: [:]))
        for number in 0..<12 {
            installation.note(SyncSnapshot(device: "w", epoch: "e\(number)", sequence: 1, content: 1, entries: [:]))
        }
        #expect(installation.counterparts.count == SyncInstallation.maximumCounterparts)
        #expect(installation.devices.count == SyncInstallation.maximumCounterparts)
        #expect(installation.others(than: "w") == ["o"])
    }

    @Test(arguments: [
        "", "{", #"{"version":1}"#, #"{"counterparts":[],"epoch":"e","floor":18446744073709551615,"reserved":1,"version":1}"#,
    ])
    func damagedIsCorrupt(_ text: String) {
        let error = #expect(throws: StorageError.self) { try SyncInstallation(encoded: Data(text.utf8)) }
        #expect(error?.code == .corrupt)
    }

    @Test func onlyOlderSnapshotsOfTheSameInstallationAreOutdated() {
        var installation = SyncInstallation(epoch: "own")
        let seen = SyncSnapshot(device: "watch", epoch: "e1", sequence: 7, content: 5, entries: [:])
        installation.note(seen)
        var other = seen
        #expect(!installation.isOutdated(other), "the same again may bring what was deferred")
        other.sequence = 6
        #expect(installation.isOutdated(other))
        other.epoch = "e2"
        #expect(!installation.isOutdated(other))
    }

    @Test func remembersTheLatestCounterparts() {
        var installation = SyncInstallation(epoch: "own")
        for number in 0..<12 {
            installation.note(SyncSnapshot(device: "w", epoch: "e\(number)", sequence: 1, content: 1, entries: [:]))
        }
        installation.note(SyncSnapshot(device: "w", epoch: "e6", sequence: 2, content: 2, entries: [:]))
        #expect(installation.counterparts.count == SyncInstallation.maximumCounterparts)
        #expect(installation.acknowledgement?.epoch == "e6")
        #expect(installation.counterpart("e3") == nil)
    }
}
