import Foundation
import Testing

@testable import LocalData

@Suite struct SyncRecordTests {
    static let old = SyncVersion(stamp: SyncStamp(counter: 4, device: "phone"), content: .value(revision: Data([0x0a])))
    static let new = SyncVersion(stamp: SyncStamp(counter: 7, device: "watch"), content: .value(revision: Data([0xb0, 0x01])))
    static let deleted = SyncVersion(stamp: SyncStamp(counter: 5, device: "phone"), content: .deleted)

    static func record(_ committed: SyncVersion, pending: SyncVersion? = nil) -> SyncRecord {
        SyncRecord(keyName: "theme", location: "userDefaults/theme", committed: committed, pending: pending)
    }

    /// Names that are equal as text are those of two keys where their bytes differ: each has a record of its own.
    @Test func namesOfOtherBytesHaveOtherRecords() throws {
        let store = TestDevice().router().sync.ledger.store
        let names = ["caf\u{e9}", "cafe\u{301}"]
        #expect(names[0] == names[1])
        for name in names { try store.setRecord("\(Array(name.utf8))", of: name, in: .documents) }
        for name in names { #expect(try store.record(of: name, in: .documents) == "\(Array(name.utf8))") }
    }

    /// What LocalData would never have stored is damage, and the counterpart's version takes its place.
    @Test func aPlainNumberInThePlaceOfASealedTextIsDamage() async throws {
        let pair = SyncPair()
        try await pair.phone.set("secret", for: SealedSettingKey())
        try await pair.heal()
        pair.phone.storage.defaults.put(.integer(5), forKey: "sealedSetting", in: .standard)
        pair.phone.relaunch()
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(SealedSettingKey()) == "secret") }
    }

    /// What is announced may never be stored: until it is known to be, the record is of what lies there.
    @Test func theRecordTellsWhichEditItIsOfUntilSomethingElseIsStored() {
        var edited = Self.record(Self.old)
        edited.edit = "0123456789abcdef"
        let announced = SyncRecord.announcing(Self.new, of: "theme", location: "userDefaults/theme", after: edited)
        #expect(announced.edit == edited.edit)
        let (stored, other) = (Data([0xb0, 0x01]), SyncStamp(counter: 9, device: "phone"))
        #expect(announced.recovered(finding: Data([0x0a])) { other }.edit == edited.edit)
        #expect(announced.recovered(finding: stored) { other }.edit == nil)
        #expect(announced.confirmed().edit == nil)
        let outside = edited.recovered(finding: Data([0x77])) { other }
        #expect(outside.committed.stamp == other && outside.edit == nil)
    }

    @Test(arguments: [nil, SyncStamp.Lineage(name: "00000000000000aa", ended: ["00000000000000bb"])])
    func whatFollowsAVersionComesRightAfterIt(lineage: SyncStamp.Lineage?) {
        let stamp = SyncStamp(counter: 5, device: "watch.1", in: lineage)
        let next = stamp.followed(by: "phone.1")
        #expect(stamp < next && next.lineage == lineage)
        for writer in ["", "a", "phone.1", "watch.1"] { #expect(next < SyncStamp(counter: 6, device: writer, in: lineage)) }
        #expect(stamp < stamp.followed(by: "a") && stamp.followed(by: "a") < next, "both devices pick the same of two")
    }

    // MARK: The stored form is a contract

    struct Fixture: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let record: SyncRecord
        let text: String
    }

    static var fixtures: [Fixture] {
        var rich = record(deleted)
        rich.isSettled = true
        rich.highestCounter = 9
        var held = record(deleted)
        held.isSettled = true
        held.holders = ["00ff", "11aa"]
        var unsettled = record(old, pending: new)
        unsettled.earlier = [deleted, new]
        var reduced = SyncRecord(keyName: "a \"b\"\n\u{1}é", location: "file/documents/a", committed: new)
        reduced.committed.isReduced = true
        var replaced = record(old, pending: new)
        replaced.committed.isReduced = true
        var edited = record(old, pending: new)
        edited.earlier = [deleted]
        edited.edit = "0123456789abcdef"
        return [
            Fixture(
                testDescription: "announced over an extension's edit",
                record: edited,
                text: #"{"committed":{"content":"value","counter":4,"device":"phone","revision":"0a"},"#
                    + #""earlier":[{"content":"deleted","counter":5,"device":"phone"}],"edit":"0123456789abcdef","key":"theme","#
                    + #""location":"userDefaults/theme","pending":{"content":"value","counter":7,"device":"watch","revision":"b001"},"version":1}"#
            ),
            Fixture(
                testDescription: "announced over a smaller form",
                record: replaced,
                text: #"{"committed":{"content":"value","counter":4,"device":"phone","reduced":true,"revision":"0a"},"key":"theme","#
                    + #""location":"userDefaults/theme","pending":{"content":"value","counter":7,"device":"watch","revision":"b001"},"version":1}"#
            ),
            Fixture(
                testDescription: "announced",
                record: record(old, pending: new),
                text: #"{"committed":{"content":"value","counter":4,"device":"phone","revision":"0a"},"key":"theme","#
                    + #""location":"userDefaults/theme","pending":{"content":"value","counter":7,"device":"watch","revision":"b001"},"version":1}"#
            ),
            Fixture(
                testDescription: "announced over changes that may be stored",
                record: unsettled,
                text: #"{"committed":{"content":"value","counter":4,"device":"phone","revision":"0a"},"#
                    + #""earlier":[{"content":"deleted","counter":5,"device":"phone"},"#
                    + #"{"content":"value","counter":7,"device":"watch","revision":"b001"}],"key":"theme","location":"userDefaults/theme","#
                    + #""pending":{"content":"value","counter":7,"device":"watch","revision":"b001"},"version":1}"#
            ),
            Fixture(
                testDescription: "settled deletion",
                record: rich,
                text: #"{"committed":{"content":"deleted","counter":5,"device":"phone"},"highest":9,"key":"theme","#
                    + #""location":"userDefaults/theme","settled":true,"version":1}"#
            ),
            Fixture(
                testDescription: "deletion that several counterparts have",
                record: held,
                text: #"{"committed":{"content":"deleted","counter":5,"device":"phone"},"holders":["00ff","11aa"],"key":"theme","#
                    + #""location":"userDefaults/theme","settled":true,"version":1}"#
            ),
            Fixture(
                testDescription: "escapes and a smaller form",
                record: reduced,
                text: #"{"committed":{"content":"value","counter":7,"device":"watch","revision":"b001"},"key":"a \"b\"\n\u0001é","#
                    + #""location":"file/documents/a","reduced":true,"version":1}"#
            ),
        ]
    }

    @Test(arguments: fixtures) func formatIsPinned(_ fixture: Fixture) throws {
        #expect(fixture.record.encoded == fixture.text)
        #expect(try SyncRecord(encoded: fixture.text, keyName: fixture.record.keyName) == fixture.record)
    }

    @Test func everyTruncationIsCorruptAndNoneCrashes() {
        for fixture in Self.fixtures {
            for length in 0..<fixture.text.utf8.count {
                let text = String(decoding: fixture.text.utf8.prefix(length), as: UTF8.self)
                let error = #expect(throws: StorageError.self) { try SyncRecord(encoded: text, keyName: fixture.record.keyName) }
                #expect(error?.code == .corrupt, "\(text)")
            }
        }
    }

    @Test(arguments: [
        #"{"committed":{"content":"value","counter":4,"device":"phone"},"key":"theme","location":"l","version":1}"#,
        #"{"committed":{"content":"value","counter":4,"device":"phone","revision":"0"},"key":"theme","location":"l","version":1}"#,
        #"{"committed":{"content":"value","counter":-1,"device":"phone","revision":"00"},"key":"theme","location":"l","version":1}"#,
        #"{"committed":{"content":"other","counter":4,"device":"phone"},"key":"theme","location":"l","version":1}"#,
        #"{"committed":{"content":"deleted","counter":4,"device":"phone"},"key":"other","location":"l","version":1}"#,
        #"{"committed":{"content":"deleted","counter":9223372036854775807,"device":"p"},"key":"theme","location":"l","version":1}"#,
        #"{"committed":{"content":"lost","counter":1,"device":"p"},"#
            + #""earlier":[{"content":"deleted","counter":18446744073709551615,"device":"^0123456789abcdef.p"}],"#
            + #""key":"theme","location":"l","version":1}"#,
        #"{"version":0}"#, "[]", "null", "{}", "5", "\u{0}",
    ])
    func foreignRecordsAreCorrupt(_ text: String) {
        let error = #expect(throws: StorageError.self) { try SyncRecord(encoded: text, keyName: "theme") }
        #expect(error?.code == .corrupt)
    }

    @Test func aNewerFormatIsSuperseded() {
        let error = #expect(throws: StorageError.self) { try SyncRecord(encoded: #"{"version":2,"unheard":"of"}"#, keyName: "theme") }
        #expect(error?.code == .superseded)
    }

    // MARK: Recovery

    @Test func theAnnouncedVersionHoldsWhereItIsStored() {
        let recovered = Self.record(Self.old, pending: Self.new).recovered(finding: Data([0xb0, 0x01]), device: "phone")
        #expect(recovered.committed == Self.new)
        #expect(recovered.pending == nil)
    }

    @Test func theCommittedVersionHoldsWhereItIsStored() {
        let recovered = Self.record(Self.old, pending: Self.new).recovered(finding: Data([0x0a]), device: "phone")
        #expect(recovered.committed == Self.old)
        #expect(recovered.pending == nil)
        #expect(recovered.highestCounter == 7, "the counter that was announced is not given out again")
    }

    @Test func anAnnouncedDeletionHoldsWhereNothingIsStored() {
        #expect(Self.record(Self.old, pending: Self.deleted).recovered(finding: nil, device: "phone").committed == Self.deleted)
        #expect(Self.record(Self.old, pending: Self.deleted).recovered(finding: Data([0x0a]), device: "phone").committed == Self.old)
    }

    @Test func anEditMadeElsewhereIsANewVersionOfThisDevice() {
        for pending in [nil, Self.new] {
            let recovered = Self.record(Self.old, pending: pending).recovered(finding: Data([0xff]), device: "phone")
            #expect(recovered.committed.stamp == SyncStamp(counter: pending == nil ? 5 : 8, device: "phone"))
            #expect(recovered.committed.content == .value(revision: Data([0xff])))
        }
        let overDeletion = Self.record(Self.deleted).recovered(finding: Data([1]), device: "watch")
        #expect(overDeletion.committed.stamp == SyncStamp(counter: 6, device: "watch"))
    }

    @Test func aLossIsNoDeletion() {
        let recovered = Self.record(Self.old).recovered(finding: nil, device: "phone")
        #expect(recovered.committed.content == .lost)
        #expect(recovered.highestCounter == 4)
        #expect(Self.record(Self.old, pending: Self.new).recovered(finding: nil, device: "phone").committed.content == .lost)
    }

    /// On a locked device the place cannot be read: each change is announced over the one before, and any of them may be stored.
    @Test func aChangeThatWasAnnouncedBeforeTheLastHoldsWhereItIsStored() {
        let first = SyncVersion(stamp: SyncStamp(counter: 1, device: "watch"), content: .value(revision: Data([1])))
        var record = SyncRecord.announcing(first, of: "theme", location: "l", after: nil)
        for _ in 0..<12 { record = SyncRecord.announcing(Self.new, of: "theme", location: "l", after: record) }
        let recovered = record.recovered(finding: Data([1]), device: "phone")
        #expect(recovered.committed == first)
        #expect(recovered.pending == nil && recovered.earlier.isEmpty && recovered.highestCounter == 7)
        #expect(record.recovered(finding: Data([0xb0, 0x01]), device: "phone").committed == Self.new)
        #expect(record.recovered(finding: Data([9]), device: "phone").committed.stamp == SyncStamp(counter: 8, device: "phone"))
        #expect(record.encoded.utf8.count < 1_200, "it does not grow with every try")
        #expect(record.knows(Data([1])) && !record.knows(Data([9])))
    }

    /// What it was to replace may lie where an earlier version of the app kept the value: found there, it is still that version.
    @Test func aSetThatFailedBeforeAMoveLeavesTheVersionsAtTheOldPlace() {
        let set = SyncVersion(stamp: SyncStamp(counter: 5, device: "phone"), content: .value(revision: Data([5])))
        for committed in [Self.old, Self.deleted] {
            var record = Self.record(committed, pending: set)
            for _ in 0..<12 {
                record = SyncRecord.announcing(Self.new, of: "theme", location: "l", after: record)
                record = record.recovered(finding: nil, device: "phone")
                #expect(record.committed.content != Self.new.content)
            }
            #expect(record.recovered(finding: Data([5]), device: "phone").committed == set)
            #expect(committed == Self.deleted || record.recovered(finding: Data([0x0a]), device: "phone").committed == Self.old)
            #expect(record.earlier.count <= 8)
        }
    }

    @Test func recoveryIsIdempotent() {
        for committed in [Self.old, Self.deleted] {
            for pending in [nil, Self.new, Self.deleted] {
                for found in [nil, Data([0x0a]), Data([0xb0, 0x01]), Data([0xff])] as [Data?] {
                    let once = Self.record(committed, pending: pending).recovered(finding: found, device: "phone")
                    #expect(once.recovered(finding: found, device: "phone") == once)
                    #expect(once.committed.content.matches(found))
                }
            }
        }
    }

    @Test func announcingWithoutARecordLosesAgainstEverythingUntilItIsStored() {
        let record = SyncRecord.announcing(Self.new, of: "theme", location: "l", after: nil)
        #expect(record.committed.content == .lost)
        #expect(record.recovered(finding: nil, device: "phone").committed.content == .lost)
        #expect(record.confirmed().committed == Self.new)
    }
}

extension SyncRecord {
    /// An edit by a device that goes on counting.
    func recovered(finding revision: Data?, device: String) -> SyncRecord {
        recovered(finding: revision) { SyncStamp(counter: highestCounter + 1, device: device) }
    }
}
