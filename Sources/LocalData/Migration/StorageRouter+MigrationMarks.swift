import Foundation

/// Marks, read and written in the turn of the key that they are about.
extension StorageRouter {
    nonisolated func hasMark(_ state: MigrationMark.State, at location: StorageLocation) throws -> Bool {
        try readMark(state, at: location) != nil
    }

    /// The contents of the mark's file, whatever they say.
    nonisolated func readMark(_ state: MigrationMark.State, at location: StorageLocation) throws -> Data? {
        for name in try MigrationMark.files(state, of: location.recordIdentity(in: environment)) {
            if let data = try files.readInternal(name: name) { return data }
        }
        return nil
    }

    nonisolated func writeMark(_ state: MigrationMark.State, at location: StorageLocation) throws {
        let identity = try location.recordIdentity(in: environment)
        try writeMark(MigrationMark(state, location: identity), at: identity)
    }

    nonisolated func writeMark(_ mark: MigrationMark, at location: RecordIdentity) throws {
        let (name, data) = (MigrationMark.file(mark.state, of: location), try Coders.jsonEncoder.encode(mark))
        // Should the write fail halfway, the mark may be there.
        markNames.note(mark.state, MigrationMark.fileNames(of: location)[0])
        // Perhaps left by a process that died before its mark was durable.
        guard try files.readInternal(name: name) != data else { return try files.settleInternal(name: name) }
        try files.writeInternal(data, name: name)
    }

    nonisolated func removeMark(_ state: MigrationMark.State, at location: StorageLocation) throws {
        for name in try MigrationMark.files(state, of: location.recordIdentity(in: environment)) {
            guard try files.readInternal(name: name) != nil else { continue }
            try files.removeInternal(name: name)
        }
    }

    /// Notes, before it goes, that a value lies elsewhere now, for older versions of the app.
    nonisolated func markMoved(_ source: StorageLocation, to destination: StorageLocation) throws {
        let (from, to) = (try source.recordIdentity(in: environment), try destination.recordIdentity(in: environment))
        // Two directories outside of the app's containers may have one name: the mark would be about the destination as well.
        guard from.exact != to.exact else { return }
        try writeMark(MigrationMark(.moved, location: from, destination: to, appVersion: environment.device.appVersion), at: from)
    }

    /// Refuses to take an absent value for none where a newer version of the app has moved it away.
    /// - Throws: ``StorageError/Code/superseded``.
    nonisolated func requireNotMovedAway(_ key: any StorageKey, at location: StorageLocation) throws {
        guard mayHaveMark(.moved, at: location), let data = try readMark(.moved, at: location) else { return }
        // Damaged, or of a newer format: whoever moved it, nobody verified that there is no value.
        guard let mark = try? Coders.jsonDecoder.decode(MigrationMark.self, from: data), mark.version == MigrationMark.formatVersion,
            let mover = mark.appVersion
        else {
            throw StorageError(
                .superseded, key: key.name, domain: key.domain.kind, facts: ["a mark says that the value was moved, and cannot be read"])
        }
        guard let own = VersionNumber(environment.device.appVersion), let newer = VersionNumber(mover), own < newer else { return }
        throw StorageError(
            .superseded, key: key.name, domain: key.domain.kind,
            facts: ["version \(mover) of the app moved it\(mark.destination.map { " to \($0)" } ?? "")"])
    }
}

/// Removal, which must be no resurrection.
extension StorageRouter {
    /// Whether the value was removed on purpose and the key's migration is not to bring it back by itself.
    nonisolated func isRetired(_ key: any StorageKey, at location: StorageLocation) throws -> Bool {
        guard let migration = key.migration?.base else { return false }
        guard migration.sourceKeys.isEmpty || (migration as? any PlannedMigration)?.mayLeaveSources == true else { return false }
        return try hasMark(.removed, at: location)
    }

    /// Makes sure that a value about to be removed does not come back: clears the migration's sources, or leaves a mark. Both before the value goes, so
    /// that after a crash in between the value is still there, rather than an older one.
    nonisolated func retireMigration(of key: any StorageKey) async throws {
        guard key.migration != nil else { return }
        let location = try StorageLocation(of: key)
        guard !isMigrating(into: location) else { return }
        var visited: Set<String> = [location.resolved(in: environment)]
        try await retire(key, at: location, of: key, visited: &visited)
    }

    /// - Parameter removed: The key that is being removed, whose own removal comes after this.
    private nonisolated func retire(
        _ key: any StorageKey, at location: StorageLocation, of removed: any StorageKey, visited: inout Set<String>
    ) async throws {
        guard let migration = key.migration?.base else { return }
        let sources = (migration as? any PlannedMigration)?.clearableSources(in: migrationContext()) ?? migration.sourceKeys
        guard !sources.isEmpty else {
            return try writeMark(.removed, at: location)
        }
        try forgetSeen(key, at: location)
        // What is left after a crash between two deletions must not make up a value again.
        if sources.count > 1 { try writeMark(.completing, at: location) }
        for source in sources.map(\.base) {
            let place = try StorageLocation(of: source)
            guard visited.insert(place.resolved(in: environment)).inserted else { continue }
            try await retire(source, at: place, of: removed, visited: &visited)
            try await run(at: place) {
                // Nothing was moved that could be looked for any more.
                try self.removeMark(.moved, at: place)
                // The value itself, under another name. It goes as what it is, with its version.
                if (try? self.isOneFile(source, removed)) == true { return }
                // Not where it is verified to be absent; where that cannot be told, deleting may still work.
                if (try? self.isStored(source)) == false {
                    // Perhaps by a removal that was cut short before it was durable.
                    return try self.settle(source)
                }
                try await self.noteChange(self.erase(source, origin: self.localOrigin), of: source)
            }
        }
        if sources.count > 1 { try removeMark(.completing, at: location) }
    }
}
