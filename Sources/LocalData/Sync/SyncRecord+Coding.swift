import Foundation

/// The stored form of records: one line of JSON with sorted keys. It is a contract with the data on disk, pinned by a fixture.
extension SyncRecord {
    static let formatVersion = 1

    var encoded: String {
        var text = "{\"committed\":\(committed.json)"
        if highestCounter > max(committed.stamp.counter, pending?.stamp.counter ?? 0) { text += ",\"highest\":\(highestCounter)" }
        text += ",\"key\":\(JSONText.quoted(keyName)),\"location\":\(JSONText.quoted(location))"
        if let pending { text += ",\"pending\":\(pending.json)" }
        if isReduced { text += ",\"reduced\":true" }
        if isSettled { text += ",\"settled\":true" }
        return text + ",\"version\":\(Self.formatVersion)}"
    }

    /// - Throws: ``StorageError/Code/corrupt`` for anything that ``encoded`` does not write, ``StorageError/Code/superseded`` for a newer format.
    init(encoded text: String, keyName: String) throws {
        let stored = try SyncFile.decode(StoredRecord.self, from: Data(text.utf8), version: Self.formatVersion, what: "sync record")
        guard stored.key == keyName, let committed = SyncVersion(stored.committed) else { throw Self.corrupt(keyName) }
        var pending: SyncVersion?
        if let storedPending = stored.pending {
            guard let version = SyncVersion(storedPending) else { throw Self.corrupt(keyName) }
            pending = version
        }
        self.init(
            keyName: stored.key, location: stored.location, committed: committed, pending: pending, highestCounter: stored.highest ?? 0)
        // A counter that cannot be exceeded would end the key's history.
        guard highestCounter < UInt64(Int64.max) else { throw Self.corrupt(keyName) }
        isSettled = stored.settled ?? false
        isReduced = stored.reduced ?? false
    }

    /// The key that a stored record is about; `nil` for a damaged one.
    static func keyName(in data: Data) -> String? {
        try? SyncFile.decode(StoredRecord.self, from: data, version: formatVersion, what: "sync record").key
    }

    private static func corrupt(_ keyName: String) -> StorageError {
        StorageError(.corrupt, key: keyName, operation: "sync", facts: ["the sync record is damaged"])
    }
}

private struct StoredRecord: SyncFileContent {
    var version: Int
    var committed: StoredVersion
    var highest: UInt64?
    var key: String
    var location: String
    var pending: StoredVersion?
    var reduced: Bool?
    var settled: Bool?
}

private struct StoredVersion: Decodable {
    var content: String
    var counter: UInt64
    var device: String
    var revision: String?
}

extension SyncVersion {
    fileprivate var json: String {
        let name: String
        var revision = ""
        switch content {
        case .value(let bytes):
            name = "value"
            revision = ",\"revision\":\"\(bytes.hexadecimal)\""
        case .deleted: name = "deleted"
        case .lost: name = "lost"
        }
        return "{\"content\":\"\(name)\",\"counter\":\(stamp.counter),\"device\":\(JSONText.quoted(stamp.device))\(revision)}"
    }

    fileprivate init?(_ stored: StoredVersion) {
        let content: Content
        switch (stored.content, stored.revision) {
        case ("value", let revision?):
            guard let bytes = Data(hexadecimal: revision) else { return nil }
            content = .value(revision: bytes)
        case ("deleted", nil): content = .deleted
        case ("lost", nil): content = .lost
        default: return nil
        }
        self.init(stamp: SyncStamp(counter: stored.counter, device: stored.device), content: content)
    }
}
