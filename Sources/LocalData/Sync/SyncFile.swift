import Foundation

/// What every file of the ledger says first: its format.
protocol SyncFileContent: Decodable {
    var version: Int64 { get }

    /// The content of a file as this version writes it. `nil` for everything else, which `Decodable` then judges.
    init?(canonical reader: inout CanonicalJSONReader)
}

extension SyncFileContent {
    init?(canonical reader: inout CanonicalJSONReader) { nil }
}

/// Reading of the ledger's own small JSON files.
enum SyncFile {
    private struct Version: SyncFileContent {
        var version: Int64
    }

    /// Decodes a file of a format that this version of LocalData knows.
    /// - Throws: ``StorageError/Code/corrupt``, or ``StorageError/Code/superseded`` for a newer format.
    static func decode<Content: SyncFileContent>(_ type: Content.Type, from data: Data, version known: Int64, what: String) throws
        -> Content
    {
        var reader = CanonicalJSONReader([UInt8](data))
        if let content = type.init(canonical: &reader), reader.isAtEnd, content.version == known { return content }
        let decoder = JSONDecoder()
        if let content = try? decoder.decode(type, from: data), content.version == known { return content }
        if let version = try? decoder.decode(Version.self, from: data).version, version > known {
            throw StorageError(.superseded, operation: "sync", facts: ["the \(what) has version \(version), this app knows \(known)"])
        }
        throw StorageError(.corrupt, operation: "sync", facts: ["the \(what) is damaged (\(data.count) bytes)"])
    }
}

extension SyncFileNote {
    /// - Throws: ``StorageError/Code/corrupt``, or ``StorageError/Code/superseded`` for a newer format.
    init(encoded data: Data) throws {
        let damaged = StorageError(.corrupt, operation: "sync", facts: ["the note of a file's version is damaged"])
        guard data.count <= Self.maximumByteCount else { throw damaged }
        let stored = try SyncFile.decode(Stored.self, from: data, version: Self.formatVersion, what: "note of a file's version")
        // Like all counters that are read: one more must still fit.
        guard let revision = Data(hexadecimal: stored.content), stored.counter < UInt64(Int64.max) else { throw damaged }
        let schema = stored.schema.map { Int(clamping: $0) }
        guard schema.map(KeyRules.schemaVersions.contains) ?? true else { throw damaged }
        self.init(counter: stored.counter, edit: stored.edit, revision: revision, keyName: stored.key, schema: schema)
    }

    private struct Stored: SyncFileContent {
        var version: Int64
        var content: String
        var counter: UInt64
        /// Left out of what no extension set, and by earlier versions of LocalData.
        var edit: String?
        var key: String
        /// Left out of a first form, of what the app alone stores, and by earlier versions of LocalData.
        var schema: UInt64?
    }
}
