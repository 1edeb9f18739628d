import Foundation
import Testing

@testable import LocalData

/// What a report says, without a router, and that it changes nothing.
@Suite struct AuditEngineTests {
    private let device = TestDevice()
    private let engines: Engines
    private let note = ValueKey("note", of: String.self, in: .documents)
    private let letter = ValueKey("letter", of: String.self, in: .documents, security: .recommended)

    init() throws {
        engines = Engines(environment: device.environment)
        try engines.admission.register(ListedKeys(allKeys: [.key(note), .key(letter)]))
    }

    private var ring: MasterKeyRing { MasterKeyRing(environment: engines.environment) }

    private func presence(_ report: StorageAuditReport) -> [String: StoragePresence] {
        Dictionary(report.items.compactMap { item in item.presence.map { (item.key.name, $0) } }) { first, _ in first }
    }

    private func store(_ key: ValueKey<String>) async throws {
        _ = try await engines.values.store(Data(#""dear""#.utf8), for: key, origin: .local)
    }

    /// All that lies on the device: files with their bytes, and the calls that changed the keychain.
    private var everything: [String] {
        device.files.paths.map { "\($0) \(device.files.peek($0)?.base64EncodedString() ?? "")" }
            + device.keychain.operations.filter { !$0.hasPrefix("copyMatching") }
    }

    @Test func aReportChangesNothingAndRemembersNothing() async throws {
        try await store(note)
        try await store(letter)
        device.files.put(Data([1]), at: "/app/Documents/stray")
        // What a crashed write left, which another process would clear away at its first read of the key's place.
        device.files.put(Data([1]), at: "/app/Documents/.localdata-0123456789abcdef0123456789abcdef.tmp")
        let before = everything
        let later = Engines(environment: device.environment)
        try later.admission.register(ListedKeys(allKeys: [.key(note), .key(letter)]))
        let first = await later.audit.report(opensValues: true)
        #expect(everything == before)
        #expect(presence(first)["note"] == .present(byteCount: 6))
        #expect(first.findings?.contains(StorageFinding(.unclaimed, place: "fileSystem, documents", name: "stray", byteCount: 1)) == true)
        #expect(first.findings?.contains { $0.kind == .leftover } == true)
        #expect(await later.audit.report(opensValues: true) == first)
        try engines.stored.remove(note)
        #expect(presence(await later.audit.report(opensValues: true))["note"] == .missing)
    }

    /// A task that code of the app starts while an audit asks for its key material goes on when the audit is over, and reads as ever.
    @Test func whatAnAuditSetsOffOutlivesIt() async {
        let (states, continuation) = AsyncStream.makeStream(of: Bool.self)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        await ReadOnly.whileLooking {
            #expect(ReadOnly.isOn)
            Task {
                for await _ in starts { break }
                continuation.yield(ReadOnly.isOn)
                continuation.finish()
            }
        }
        #expect(!ReadOnly.isOn)
        start.yield()
        start.finish()
        for await isReadOnly in states { #expect(!isReadOnly) }
    }

    @Test func damageShowsOnlyToAReportThatOpensValues() async throws {
        try await store(letter)
        guard case .bytes(var sealed)? = try await engines.stored.storedForm(of: letter) else {
            Issue.record("nothing lies there")
            return
        }
        sealed[sealed.count - 1] ^= 1
        try engines.stored.put(.bytes(sealed), for: letter, tag: nil)
        #expect(presence(await engines.audit.report(opensValues: false))["letter"] == .present(byteCount: sealed.count))
        #expect(presence(await engines.audit.report(opensValues: true))["letter"] == .damaged(.decryptionFailed))
    }

    @Test func aKeyIsCalledNeedlessOnlyWhereEverythingWasSeen() async throws {
        try await store(letter)
        let stray = ValueKey("stray", of: String.self, in: .documents, security: .recommended)
        try await store(stray)
        let old = try #require(try ring.primary()?.id)
        _ = try #require(try ring.beginRotation())
        let orphan = StorageFinding(.orphanedKey, place: "master keys", name: old)
        #expect(await engines.audit.report(opensValues: false).findings?.contains(orphan) == false, "the letter is sealed by it")
        _ = try await engines.sealer.outcome(ofResealing: letter)
        #expect(await engines.audit.report(opensValues: false).findings?.contains(orphan) == false, "what no key names is sealed by it")
        try engines.stored.remove(stray)
        #expect(await engines.audit.report(opensValues: false).findings?.contains(orphan) == true)
        let path = try #require(device.files.paths.first { $0.hasSuffix("/letter") })
        let bytes = try #require(device.files.peek(path))
        device.files.put(bytes, at: path, protection: .complete)
        device.lockState = .locked
        let report = await engines.audit.report(opensValues: false)
        #expect(presence(report)["letter"] == .unreadable(.locked))
        #expect(report.findings?.contains(orphan) == false, "it may be what seals the letter")
    }

    @Test func aCopyWaitsUntilItsMigrationIsMadeAndIsLeftOverAfterwards() async throws {
        let old = ValueKey("old", of: String.self, in: .documents)
        let engines = Engines(environment: device.environment)
        try engines.admission.register(ListedKeys(allKeys: [.key(note.replacing(old))]))
        try engines.stored.put(.bytes(Data(#""dear""#.utf8)), for: old, tag: nil)
        func state(_ report: StorageAuditReport) -> [LegacyCopy.State] { report.items.flatMap(\.legacyCopies).map(\.state) }
        #expect(state(await engines.audit.report(opensValues: false)) == [.waiting])
        try engines.stored.put(.bytes(Data(#""dear""#.utf8)), for: note, tag: nil)
        #expect(state(await engines.audit.report(opensValues: false)) == [.residual])
    }
}
