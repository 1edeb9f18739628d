import Foundation
import Testing

@testable import LocalData

/// Digests of plain values that were moved elsewhere: none stays in a record.
@Suite struct FormerDigestTests {
    private let device = SyncDevice(.phone, keys: SyncPair.keys)
    private var ledger: SyncLedger { device.router.sync.ledger }

    private static let plain = Data(repeating: 7, count: 32)
    private static let other = Data(repeating: 8, count: 32)
    private static let tag = SyncRevision.tag(Data(repeating: 9, count: 16), counter: 3)

    /// A record of the notes' name, as a set left it that failed where an earlier version of the app was to move them.
    private func record(of location: String, earlier: Data, pending: Data) throws -> SyncRecord {
        let version = { (counter: UInt64, revision: Data) in
            SyncVersion(stamp: SyncStamp(counter: counter, device: "phone"), content: .value(revision: revision))
        }
        let lost = SyncVersion(stamp: SyncStamp(counter: 1, device: "phone"), content: .lost)
        var record = SyncRecord(keyName: "notes", location: location, committed: lost, pending: version(3, pending))
        record.earlier = [version(2, earlier)]
        try ledger.setRecord(record, of: "notes", in: NotesKey().domain)
        return record
    }

    private func stored() throws -> SyncRecord { try #require(try ledger.record(of: "notes", in: NotesKey().domain)) }

    @Test func ofTheSourceItGoesWithTheValue() throws {
        _ = try record(of: StorageLocation(of: NotesKey()).identity, earlier: Self.plain, pending: Self.other)
        ledger.forgetDigests(of: NotesKey(), movedTo: TokenKey())
        #expect(try !stored().hasDigests)
        #expect(try stored().highestCounter == 3, "whoever counts on there goes on above it")
    }

    @Test func inTheRecordOfASecretItGoesAndTheTagStays() throws {
        let before = try record(of: "keychain//notes", earlier: Self.plain, pending: Self.tag)
        ledger.forgetDigests(of: NotesKey(), movedTo: TokenKey())
        #expect(try stored().earlier.isEmpty)
        #expect(try stored().pending == before.pending)
    }

    /// Of another file's record it cannot be told which digests are of the value that has gone, unless the value is there to tell.
    @Test func inTheRecordOfAnotherFileTheOneThatWasMovedGoes() async throws {
        let before = try record(of: "file/caches/notes", earlier: Self.plain, pending: Self.other)
        ledger.forgetDigests(of: NotesKey(), movedTo: TokenKey())
        #expect(try stored() == before)
        await ledger.forgetDigest(of: NotesKey(), movedTo: TokenKey()) { Self.other }
        #expect(try stored() == before, "the version that is to be stored there is that place's own")
        await ledger.forgetDigest(of: NotesKey(), movedTo: TokenKey()) { Self.plain }
        #expect(try stored().earlier.isEmpty && stored().pending == before.pending)
    }

    /// A value is read for its digest only where a record may have that.
    @Test func whereTheRecordIsOfTheSourceNothingIsRead() async throws {
        let before = try record(of: StorageLocation(of: NotesKey()).identity, earlier: Self.plain, pending: Self.other)
        await ledger.forgetDigest(of: NotesKey(), movedTo: TokenKey()) {
            Issue.record("it was read")
            return Self.plain
        }
        #expect(try stored() == before)
    }

    /// Nobody holds the turn of what the record is of by then: what is announced there while the value is read stays.
    @Test func aRecordThatChangesMeanwhileStays() async throws {
        let announced = try record(of: "file/caches/notes", earlier: Self.plain, pending: Self.tag)
        _ = try record(of: "file/caches/notes", earlier: Self.plain, pending: Self.other)
        await ledger.forgetDigest(of: NotesKey(), movedTo: TokenKey()) {
            try? ledger.setRecord(announced, of: "notes", in: NotesKey().domain)
            return Self.plain
        }
        #expect(try stored() == announced)
    }

    /// Both places have one record, which is the destination's by then.
    @Test func aRecordOfBothIsTheDestinations() async throws {
        let before = try record(of: "file/caches/notes", earlier: Self.plain, pending: Self.other)
        ledger.forgetDigests(of: NotesKey(), movedTo: NotesKey())
        await ledger.forgetDigest(of: NotesKey(), movedTo: NotesKey()) { Self.plain }
        #expect(try stored() == before)
    }
}
