import Foundation
import Testing

@testable import LocalData

/// What a process knows of a key's versions, step by step, without a device.
@Suite struct KeyVersionsTests {
    private static func record(_ counter: UInt64) -> SyncRecord {
        SyncRecord(
            keyName: "theme", location: "",
            committed: SyncVersion(stamp: SyncStamp(counter: counter, device: "a"), content: .value(revision: Data([1]))))
    }

    private static let damage = StorageError(.corrupt, key: "theme")

    @Test func nothingIsKnownUntilItIsRead() {
        var versions = KeyVersions()
        #expect(versions.known(in: nil) == nil)
        versions.wasRead(nil, in: nil)
        #expect(versions.known(in: nil) == .some(nil))
        versions.reread()
        versions.wasRead(Self.record(1), in: nil)
        #expect(versions.present == Self.record(1))
        versions.reread()
        #expect(versions.known(in: nil) == nil)
    }

    /// A task that reads without the key's turn may be slower than one that writes: what it read is from before.
    @Test func whatIsWrittenWhileItIsReadIsLater() {
        var versions = KeyVersions()
        versions.wasWritten(Self.record(2), in: nil)
        versions.wasRead(Self.record(1), in: nil)
        #expect(versions.present == Self.record(2))
        versions.wasFoundDamaged(Self.damage, in: nil)
        #expect(versions.present == Self.record(2) && versions.problem == nil)
        versions.wasWritten(nil, in: nil)
        versions.wasRead(Self.record(1), in: nil)
        #expect(versions.known(in: nil) == .some(nil))
    }

    /// A name whose value moves has a record at each place: what is known of one says nothing of the other.
    @Test func aRecordElsewhereIsNotKnown() {
        var versions = KeyVersions()
        versions.wasRead(Self.record(1), in: .standard)
        #expect(versions.known(in: nil) == nil && versions.known(in: .appGroup("group")) == nil)
        #expect(versions.known(in: .standard) == .some(Self.record(1)))
        versions.wasWritten(Self.record(2), in: nil)
        #expect(versions.known(in: nil) == .some(Self.record(2)) && versions.known(in: .standard) == nil)
        versions.wasFoundDamaged(Self.damage, in: .standard)
        #expect(versions.known(in: .standard) == .some(nil) && versions.known(in: nil) == nil)
    }

    @Test func aDamagedRecordCountsAsNoneUntilAnotherIsWritten() {
        var versions = KeyVersions()
        versions.wasFoundDamaged(Self.damage, in: nil)
        #expect(versions.known(in: nil) == .some(nil))
        #expect(versions.problem?.code == .corrupt)
        versions.wasWritten(Self.record(1), in: nil)
        #expect(versions.problem == nil)
        #expect(versions.present == Self.record(1))
    }

    /// It is an edit also after the record was looked for again, until one is written that tells of it.
    @Test func aChangeWithoutAVersionIsKnownUntilARecordTellsOfIt() {
        var versions = KeyVersions()
        versions.wasRead(nil, in: nil)
        versions.changedUnversioned(replacing: Data([7]))
        versions.reread()
        #expect(versions.unversioned?.replaced == Data([7]))
        versions.wasRead(nil, in: nil)
        #expect(versions.unversioned?.replaced == Data([7]))
        versions.changedUnversioned(replacing: nil)
        #expect(versions.unversioned == KeyVersions.Unversioned(replaced: nil))
        versions.wasWritten(Self.record(2), in: nil)
        #expect(versions.unversioned == nil)
        versions.wasWritten(nil, in: nil)
        #expect(versions.unversioned == nil)
    }

    @Test func aRecordThatIsThereTellsOfEveryChange() {
        var versions = KeyVersions()
        versions.remember(Self.record(3))
        versions.changedUnversioned(replacing: Data([7]))
        #expect(versions.present == Self.record(3))
        #expect(versions.unversioned == nil)
    }

    @Test func theLatestVersionThatWasSeenStays() {
        var versions = KeyVersions()
        for counter: UInt64 in [4, 9, 2] { versions.see(SyncStamp(counter: counter, device: "b")) }
        #expect(versions.seen?.counter == 9)
    }
}

/// Which numbers a process has used.
@Suite struct SyncNumberingTests {
    private static func installation(reserved: UInt64, mark: UInt64 = 0) -> SyncInstallation {
        var installation = SyncInstallation(epoch: "e")
        installation.reservedSequence = reserved
        installation.mark = mark
        return installation
    }

    @Test func whatWasReadFirstStays() {
        var numbering = SyncNumbering()
        #expect(numbering.wasRead(Self.installation(reserved: 1)).reservedSequence == 1)
        #expect(numbering.wasRead(Self.installation(reserved: 9)).reservedSequence == 1)
    }

    @Test func numbersAreTakenUpToWhatIsReserved() {
        var numbering = SyncNumbering()
        #expect(numbering.take() == nil)
        numbering.wasWritten(Self.installation(reserved: 1))
        #expect(numbering.take() == nil)
        numbering.wasWritten(Self.installation(reserved: 4))
        numbering.begin(after: 1)
        #expect([numbering.take(), numbering.take(), numbering.take()] == [2, 3, nil])
        numbering.begin(after: nil)
        #expect(numbering.next == nil)
    }

    /// Later writes raise the mark; the process counts on from where it was.
    @Test func theMarkIsThatOfTheFirstEdit() {
        var numbering = SyncNumbering()
        numbering.wasWritten(Self.installation(reserved: 1, mark: 5))
        #expect(numbering.markAtFirstEdit() == 5)
        numbering.wasWritten(Self.installation(reserved: 1, mark: 70))
        #expect(numbering.markAtFirstEdit() == 5)
    }
}
