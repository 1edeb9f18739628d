import Foundation

/// Remembers durably that a value was removed, where its migration might bring it back.
///
/// Only needed for migrations that do not say where they bring values from. The mark is an internal file, so it also holds where the value lay in
/// preferences, and it is written before the value goes.
struct MigrationMark: Codable, Sendable {
    static let folder = "Migration"

    var version = 1
    /// ``StorageLocation/identity``
    let location: String
    var state = "removed"

    static func file(of location: StorageLocation) -> String {
        "\(folder)/\(TemporaryFile.hexadecimal(SHA256Digest.digest(of: Data(location.identity.utf8)).prefix(16))).json"
    }

    init(location: StorageLocation) {
        self.location = location.identity
    }
}

extension StorageRouter {
    /// Whether the value was removed on purpose and the key's migration is not to bring it back by itself.
    ///
    /// The file's presence is the mark: damaged contents do not make a removed value return.
    nonisolated func isRetired(_ key: any StorageKey, at location: StorageLocation) throws -> Bool {
        guard let migration = key.migration?.base, migration.sourceKeys.isEmpty else { return false }
        return try files.readInternal(name: MigrationMark.file(of: location)) != nil
    }

    /// Makes sure that a value about to be removed does not come back: clears the migration's sources, or leaves a mark. Both before the value goes, so
    /// that after a crash in between the value is still there, rather than an older one.
    nonisolated func retireMigration(of key: any StorageKey) async throws {
        guard key.migration != nil else { return }
        let location = try StorageLocation(of: key)
        guard !isMigrating(into: location) else { return }
        var visited: Set<String> = [location.resolved(in: environment)]
        try await retire(key, at: location, visited: &visited)
    }

    private nonisolated func retire(_ key: any StorageKey, at location: StorageLocation, visited: inout Set<String>) async throws {
        guard let migration = key.migration?.base else { return }
        let sources = migration.sourceKeys
        guard !sources.isEmpty else {
            if try isRetired(key, at: location) {
                // Perhaps by a removal that was cut short before its mark was durable.
                try files.settleInternal(name: MigrationMark.file(of: location))
            } else {
                try files.writeInternal(
                    Coders.jsonEncoder.encode(MigrationMark(location: location)), name: MigrationMark.file(of: location))
            }
            return
        }
        for source in sources.map(\.base) {
            let place = try StorageLocation(of: source)
            guard visited.insert(place.resolved(in: environment)).inserted else { continue }
            try await retire(source, at: place, visited: &visited)
            try await run(at: place) {
                // Not where it is verified to be absent; where that cannot be told, deleting may still work.
                if (try? self.isStored(source)) == false {
                    // Perhaps by a removal that was cut short before it was durable.
                    return try self.settle(source)
                }
                try await self.noteChange(self.erase(source, origin: self.localOrigin), of: source)
            }
        }
    }
}
