import Foundation
import Testing

@testable import LocalData

/// Values that no record tells of, and what an edit of them counts as.
@Suite struct SyncFoundValueTests {
    private let device = SyncDevice(.phone, keys: SyncPair.keys)
    private var ledger: SyncLedger { device.router.sync.ledger }
    private func leap(over counter: UInt64) -> UInt64 { SyncInstallation.leap(over: counter, at: device.router.environment.clock.now) }

    private func announce(_ key: any StorageKey, replacing found: Data?, origin: ChangeOrigin = .local) throws -> SyncTicket {
        try ledger.announce(key, at: StorageLocation(of: key), to: .bytes(Data([1])), origin: origin, replacing: found)
    }

    /// A secret that outlived its app has a version that nobody knows any more.
    @Test func anEditOfASecretWithATagLeaps() throws {
        #expect(try announce(TokenKey(), replacing: Data(repeating: 7, count: 16)).stamp.counter == leap(over: 0))
    }

    /// Its tag says which version it is, and it is no newer than what the counterpart has of the same version.
    @Test func aSecretThatOutlivedItsAppIsItsVersion() async throws {
        try await device.set("1234", for: TokenKey())
        try await device.set("5678", for: TokenKey())
        let generic = try #require(device.storage.keychain.peek("token")?.generic)
        let item = try #require(KeychainItemMetadata(stored: generic).tag)
        let stamp = try SyncDevice(.phone, keys: []).router.sync.ledger.stampOfFoundValue(of: TokenKey(), revision: item)
        #expect(stamp.counter == 2)
        #expect(stamp < SyncStamp(counter: 2, device: "phone.00112233") && stamp < SyncStamp(counter: 2, device: "Watch"))
        #expect(stamp > SyncStamp(counter: 1, device: "watch.ffeeddcc"))
    }

    /// What is read is what was written, also where the app's own bytes begin as an envelope does.
    @Test func bytesThatLookLikeAnEnvelopeAreTheVersionThatWasSet() async throws {
        let device = SyncDevice(.phone, keys: [AnyStorageKey(EnvelopeLikeKey())])
        try await device.set("value", for: EnvelopeLikeKey())
        let set = try #require(try device.router.sync.ledger.record(of: EnvelopeLikeKey().name, in: EnvelopeLikeKey().domain))
        let found = try #require(try await device.router.engines.stored.syncRevision(of: EnvelopeLikeKey()).value)
        let recovered = try device.router.sync.ledger.recover(EnvelopeLikeKey(), finding: found)
        #expect(set.latestStamp.counter == 1 && recovered?.committed.stamp == set.latestStamp && recovered?.pending == nil)
    }

    @Test func aTagCarriesACounterOrNone() {
        let random = Data(repeating: 0xff, count: 16)
        #expect(SyncRevision.counter(of: SyncRevision.tag(random, counter: 0x0102_0304)) == 0x0102_0304)
        #expect(SyncRevision.tag(random, counter: 0) == random)
        #expect(SyncRevision.counter(of: random) == 0 && SyncRevision.counter(of: Data()) == 0)
        #expect(SyncRevision.counter(of: random + random.prefix(8)) == 0, "one more would not fit")
    }

    @Test func anEditOfAValueThatLocalDataNeverWroteCountsFromOne() throws {
        #expect(try announce(TokenKey(), replacing: Data()).stamp.counter == 1)
        #expect(try announce(NotesKey(), replacing: Data(repeating: 7, count: 32)).stamp.counter == 1)
    }

    /// The change was announced and did not happen: what is there is no edit.
    @Test func aChangeThatDidNotHappenLeavesWhatWasFound() throws {
        let found = Data(repeating: 7, count: 32)
        _ = try announce(NotesKey(), replacing: found)
        let record = try ledger.recover(NotesKey(), finding: found)
        #expect(
            record?.committed == SyncVersion(stamp: SyncStamp(counter: 0, device: try device.replica), content: .value(revision: found)))
    }

    /// Neither ledger nor installation can be written: the tag says all the same that the secret is newer than the one that it replaces.
    @Test func anEditOfASecretWithoutALedgerLeapsToo() throws {
        device.crash.arm(before: 1)
        let ticket = try announce(TokenKey(), replacing: SyncRevision.tag(Data(repeating: 7, count: 16), counter: 3))
        #expect(!ticket.isRecorded)
        #expect(SyncRevision.counter(of: try #require(ticket.tag)) == leap(over: 3))
    }

    @Test func aFileWithoutARecordHasItsVersionBesideIt() throws {
        _ = try device.replica
        #expect(try announce(NotesKey(), replacing: nil).tag == nil, "the record says it")
        device.crash.arm(before: 1)
        let ticket = try announce(NotesKey(), replacing: nil)
        let note = try SyncFileNote(encoded: #require(ticket.tag))
        #expect(note.counter == ticket.stamp.counter && note.counter > 0)
        #expect(note.keyName == NotesKey().name && note.revision == SHA256Digest.digest(of: Data([1])))
    }

    /// The record could not be written. In the same process memory says that the value is an edit.
    @Test func anEditWithoutARecordIsNoFoundValue() throws {
        let (before, after) = (Data(repeating: 7, count: 32), Data(repeating: 8, count: 32))
        _ = try device.replica
        device.crash.arm(before: 1)
        #expect(try !announce(NotesKey(), replacing: before).isRecorded)
        device.crash.arm(before: nil)
        #expect(try ledger.stampOfFoundValue(of: NotesKey(), revision: after).counter == 1)
        #expect(try ledger.stampOfFoundValue(of: NotesKey(), revision: before).counter == 0)
        device.relaunch()
        #expect(try ledger.stampOfFoundValue(of: NotesKey(), revision: after).counter == 0)
    }

    /// Whatever file operation of a set fails: if the value is stored, the next process knows it for an edit. Preferences are in no file here.
    @Test func anEditWithoutAVersionGetsOneLater() async throws {
        var failed = 0
        for operation in 1...40 {
            let device = SyncDevice(.phone, keys: SyncPair.keys)
            let files = device.storage.files
            files.plan = .fail(operation: files.operationCount + operation, errno: ENOSPC)
            let isStored = (try? await device.set("dark", for: ThemeKey())) != nil
            files.plan = .none
            guard isStored else { continue }
            if try device.record(ThemeKey())?.committed.stamp.counter ?? 0 == 0 { failed += 1 }
            device.relaunch()
            try await device.sync()
            #expect(try device.record(ThemeKey())?.committed.stamp.counter ?? 0 > 0, "operation \(operation)")
        }
        #expect(failed > 0)
    }

    /// What a migration brought over is no edit, also where its record could not be written.
    @Test func aMigratedValueWithoutARecordIsAFoundValue() throws {
        _ = try device.replica
        device.crash.arm(before: 1)
        #expect(try !announce(NotesKey(), replacing: nil, origin: .migration).isRecorded)
        device.crash.arm(before: nil)
        #expect(try ledger.stampOfFoundValue(of: NotesKey(), revision: Data(repeating: 8, count: 32)).counter == 0)
    }
}

/// A key whose stored bytes begin with the mark of an envelope.
private struct EnvelopeLikeKey: StorageKey {
    typealias Value = String
    let name = "envelopeLike"
    let domain = StorageDomain.userDefaults(suite: nil)
    let security = SecurityPolicy.none
    let owner = "Tests"
    let syncPolicy = SyncPolicy.automaticSmall
    var serializer: Serializer<String> {
        .custom(name: "marked") {
            Data(EnvelopeFormat.magic) + Data($0.utf8)
        } decode: {
            String(decoding: $0.dropFirst(EnvelopeFormat.magic.count), as: UTF8.self)
        }
    }
}
