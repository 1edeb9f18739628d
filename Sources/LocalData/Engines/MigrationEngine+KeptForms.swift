import Foundation

/// What the counterpart sent to an earlier version of this app, which could only keep it, at its own place: it has the destination's form already.
extension MigrationEngine {
    /// Of several sources it lies at the one whose name the value has, and what the others hold is in it.
    func keptForm(at sources: [AnyStorageKey], for destination: any StorageKey) async throws -> (source: AnyStorageKey, plain: Data)? {
        guard let source = try sources.first(where: { try keepsForm($0.base, of: destination) }) else { return nil }
        return try await values.plainData(of: source.base, inAnyForm: true).map { (source, $0) }
    }

    /// Where it lies further back than at a source, and none of the keys between knows its form: the nearest such place. An update skipped the versions of
    /// the app between, or they could do no more than leave it there.
    func keptSource(behind sources: [AnyStorageKey], of destination: any StorageKey, context: MigrationContext) throws -> AnyStorageKey? {
        guard sources.contains(where: { $0.base.allSources.contains { $0.name == destination.name } }) else { return nil }
        var visited: Set<[String]> = []
        var open = try moves.unretired(sources, at: StorageLocation(of: destination)).map { [$0.base] }
        while !open.isEmpty {
            let path = open.removeFirst()
            // Of a migration of the app's own nobody knows what it makes of which source.
            guard let key = path.last, try visited.insert(key.linkOfChain).inserted,
                let migration = key.migration?.base as? any PlannedMigration,
                try !moves.isHeld(key), try !moves.isRetired(key, at: StorageLocation(of: key))
            else { continue }
            for source in try moves.unretired(migration.clearableSources(in: context), at: StorageLocation(of: key)) {
                guard try keepsForm(source.base, of: destination), try moves.isHeld(source.base) else {
                    open.append(path + [source.base])
                    continue
                }
                // A key on the way that knows the form takes it, and what comes after makes its own of that.
                if try !path.contains(where: { try keepsForm(source.base, of: $0) }),
                    try !moves.isInUse(source.base, besides: destination), try !stored.isOneFile(source.base, destination)
                {
                    return source
                }
            }
        }
        return nil
    }

    private func keepsForm(_ source: any StorageKey, of destination: any StorageKey) throws -> Bool {
        guard source.name == destination.name else { return false }
        let schema = try stored.storedSchema(of: source)
        return schema > source.schemaVersion && schema <= destination.schemaVersion
    }
}

extension StorageKey {
    /// Whether its migration takes a value from another key's place, near or far.
    func isMade(of other: any StorageKey) throws -> Bool {
        let place = try StorageLocation(of: other).physical
        return try allSources.contains { try StorageLocation(of: $0).physical == place }
    }
}
