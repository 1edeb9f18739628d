import Foundation

/// Reading of the ledger's own small JSON files.
enum SyncFile {
    private struct Version: Decodable {
        var version: Int
    }

    /// Decodes a file of a format that this version of LocalData knows.
    /// - Throws: ``StorageError/Code/corrupt``, or ``StorageError/Code/superseded`` for a newer format.
    static func decode<Content: Decodable>(_ type: Content.Type, from data: Data, version known: Int, what: String) throws -> Content {
        let decoder = JSONDecoder()
        guard let version = try? decoder.decode(Version.self, from: data).version, version >= 1 else {
            throw StorageError(.corrupt, operation: "sync", facts: ["the \(what) is damaged (\(data.count) bytes)"])
        }
        guard version <= known else {
            throw StorageError(.superseded, operation: "sync", facts: ["the \(what) has version \(version), this app knows \(known)"])
        }
        guard let content = try? decoder.decode(type, from: data) else {
            throw StorageError(.corrupt, operation: "sync", facts: ["the \(what) is damaged (\(data.count) bytes)"])
        }
        return content
    }
}
