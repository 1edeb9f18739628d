import Foundation

/// What an earlier version of the app left on this device is a version of the value as well, though its migration was not made yet: the counterpart's must
/// not be taken for the only one, or the migration would find its destination filled and delete what it should have brought there.
extension StorageRouter {
    /// Brings an absent value over, if its key has a migration and what comes from the counterpart may be older than that. Called in the key's turn.
    /// - Throws: Why it cannot be told what there is, or which of the two is later. Nothing is to be applied then.
    func bringOver(_ key: any StorageKey, before incoming: SyncEntry) async throws {
        guard let migration = key.migration?.base, try !isCertainlyLater(incoming, thanSourcesOf: key) else { return }
        let location = try location(of: key)
        guard try !isStored(key), !isMigrating(into: location), try !isRetired(key, at: location) else { return }
        do {
            if migration.sourceKeys.contains(where: \.base.security.asksPerson) || key.security.asksPerson {
                guard try await migration.shouldMigrate(using: self, context: migrationContext()) else { return }
                throw StorageError(.authenticationRequired, key: key.name, operation: "sync")
            }
            guard let result = try await runMigration(of: key, at: location, context: migrationContext()), try !isStored(key),
                let error = result.errors.first
            else { return }
            throw error.readError(of: key)
        } catch {
            guard !SyncLedger.storageError(error).code.mayPass else { throw error }
            // It will not be made for good, so it is all the same what the value would be. Which version it is can be told.
            guard let earlier = try await earlierStamp(of: migration.sourceKeys, for: key),
                incoming.stamp <= .found(as: earlier, on: incoming.stamp.device)
            else { return }
            throw error
        }
    }

    /// Whether a version is later than anything that the key's migration can bring: somebody set it at the new place.
    private func isCertainlyLater(_ incoming: SyncEntry, thanSourcesOf key: any StorageKey) throws -> Bool {
        guard !incoming.stamp.isOfFoundValue, key.migration?.base.sourceKeys.contains(where: { $0.name == key.name }) == false else {
            return false
        }
        // What is found after a deletion counts as an edit.
        return try sync.ledger.record(of: key.name, in: key.domain)?.committed.content != .deleted
    }
}
