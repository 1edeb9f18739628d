import Foundation

/// The stored form of records: one line of JSON with sorted keys. It is a contract with the data on disk, pinned by a fixture.
extension SyncRecord {
    static let formatVersion: Int64 = 1

    var encoded: String {
        var text = CanonicalJSONWriter(capacity: 512)
        text.append("{\"committed\":")
        committed.write(to: &text, isNewest: pending == nil)
        for (index, version) in earlier.enumerated() {
            text.append(index == 0 ? ",\"earlier\":[" : ",")
            version.write(to: &text, isNewest: false)
        }
        if !earlier.isEmpty { text.append("]") }
        if let edit {
            text.append(",\"edit\":")
            text.append(text: edit)
        }
        if highestCounter > max(committed.stamp.counter, pending?.stamp.counter ?? 0) {
            text.append(",\"highest\":")
            text.append(number: highestCounter)
        }
        for (index, holder) in holders.enumerated() {
            text.append(index == 0 ? ",\"holders\":[" : ",")
            text.append(text: holder)
        }
        if !holders.isEmpty { text.append("]") }
        text.append(",\"key\":")
        text.append(text: keyName)
        text.append(",\"location\":")
        text.append(text: location)
        if let pending {
            text.append(",\"pending\":")
            pending.write(to: &text, isNewest: true)
        }
        // Of the newest version. Those before it say it themselves: after a crash one of them may be the stored one.
        if (pending ?? committed).isReduced { text.append(",\"reduced\":true") }
        if !removed.isEmpty {
            text.append(",\"removed\":")
            text.append(counters: removed.writers)
        }
        if isSettled { text.append(",\"settled\":true") }
        text.append(",\"version\":")
        text.append(number: UInt64(Self.formatVersion))
        text.append("}")
        return String(decoding: text.bytes, as: UTF8.self)
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
        guard SyncVersion.counters ~= highestCounter else { throw Self.corrupt(keyName) }
        earlier = try (stored.earlier ?? []).map {
            guard let version = SyncVersion($0) else { throw Self.corrupt(keyName) }
            return version
        }
        edit = stored.edit
        isSettled = stored.settled ?? false
        holders = stored.holders ?? []
        removed = RemovedVersions(stored.removed ?? [:])
        guard stored.reduced == true else { return }
        if self.pending == nil { self.committed.isReduced = true } else { self.pending?.isReduced = true }
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
    var version: Int64
    var committed: StoredVersion
    /// Written only where there are such.
    var earlier: [StoredVersion]?
    /// Written only where there is one, and by no earlier version of LocalData.
    var edit: String?
    var highest: UInt64?
    /// Written only where there are such.
    var holders: [String]?
    var key: String
    var location: String
    var pending: StoredVersion?
    var reduced: Bool?
    /// Written only where there are such.
    var removed: [String: UInt64]?
    var settled: Bool?
}

private struct StoredVersion: Decodable {
    var content: String
    var counter: UInt64
    var device: String
    /// Written only where it is so, and another version of the record is newer.
    var reduced: Bool?
    var revision: String?
}

extension StoredRecord {
    init?(canonical reader: inout CanonicalJSONReader) {
        guard reader.skip("{\"committed\":"), let committed = StoredVersion(canonical: &reader) else { return nil }
        self.committed = committed
        if reader.skip(",\"earlier\":[") {
            var earlier: [StoredVersion] = []
            repeat {
                guard let version = StoredVersion(canonical: &reader) else { return nil }
                earlier.append(version)
            } while reader.skip(",")
            guard reader.skip("]") else { return nil }
            self.earlier = earlier
        }
        if reader.skip(",\"edit\":") {
            guard let edit = reader.text() else { return nil }
            self.edit = edit
        }
        if reader.skip(",\"highest\":") {
            guard let highest = reader.number() else { return nil }
            self.highest = highest
        }
        if reader.skip(",\"holders\":[") {
            var holders: [String] = []
            repeat {
                guard let holder = reader.text() else { return nil }
                holders.append(holder)
            } while reader.skip(",")
            guard reader.skip("]") else { return nil }
            self.holders = holders
        }
        guard reader.skip(",\"key\":"), let key = reader.text(), reader.skip(",\"location\":"), let location = reader.text() else {
            return nil
        }
        self.key = key
        self.location = location
        if reader.skip(",\"pending\":") {
            guard let pending = StoredVersion(canonical: &reader) else { return nil }
            self.pending = pending
        }
        if reader.skip(",\"reduced\":true") { reduced = true }
        if reader.skip(",\"removed\":") {
            guard let counters = reader.counters() else { return nil }
            removed = counters
        }
        if reader.skip(",\"settled\":true") { settled = true }
        guard reader.skip(",\"version\":"), let version = reader.number(), reader.skip("}") else { return nil }
        self.version = Int64(clamping: version)
    }
}

extension StoredVersion {
    fileprivate init?(canonical reader: inout CanonicalJSONReader) {
        guard reader.skip("{\"content\":"), let content = reader.text(), reader.skip(",\"counter\":"), let counter = reader.number(),
            reader.skip(",\"device\":"), let device = reader.text()
        else { return nil }
        self.content = content
        self.counter = counter
        self.device = device
        if reader.skip(",\"reduced\":true") { reduced = true }
        if reader.skip(",\"revision\":") {
            guard let revision = reader.text() else { return nil }
            self.revision = revision
        }
        guard reader.skip("}") else { return nil }
    }
}

extension SyncVersion {
    fileprivate func write(to text: inout CanonicalJSONWriter, isNewest: Bool) {
        switch content {
        case .value: text.append("{\"content\":\"value\",\"counter\":")
        case .deleted: text.append("{\"content\":\"deleted\",\"counter\":")
        case .lost: text.append("{\"content\":\"lost\",\"counter\":")
        }
        text.append(number: stamp.counter)
        text.append(",\"device\":")
        text.append(text: stamp.device)
        if isReduced, !isNewest { text.append(",\"reduced\":true") }
        if case .value(let revision) = content {
            text.append(",\"revision\":")
            revision.withUnsafeBytes { text.append(hexadecimal: $0) }
        }
        text.append("}")
    }

    /// A counter that cannot be exceeded would end the key's history.
    fileprivate static let counters = 0..<UInt64(Int64.max)

    fileprivate init?(_ stored: StoredVersion) {
        guard Self.counters ~= stored.counter else { return nil }
        let content: Content
        switch (stored.content, stored.revision) {
        case ("value", let revision?):
            guard let bytes = Data(hexadecimal: revision) else { return nil }
            content = .value(revision: bytes)
        case ("deleted", nil): content = .deleted
        case ("lost", nil): content = .lost
        default: return nil
        }
        self.init(
            stamp: SyncStamp(counter: stored.counter, device: stored.device), content: content, isReduced: stored.reduced ?? false)
    }
}
