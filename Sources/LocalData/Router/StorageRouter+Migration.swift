import Foundation

extension StorageRouter {
    /// Runs a key's migration now, whether or not its value is there already. Running it again changes nothing.
    ///
    /// A value that was removed does not come back, and what a removal left at the sources stays: another ``remove(_:)`` clears it. Once the key has a value
    /// again, this clears it as well. A migration of the app's own that names no ``StorageMigration/sourceKeys`` runs.
    /// - Returns: What it did. A key without a migration is a success with nothing moved.
    /// - Throws: ``MigrationError``; ``MigrationError/deferred(_:)`` where the source or the destination cannot be reached for now, and
    ///   in an extension, which leaves it to the app. Nothing is lost then. Errors of other types that the key's own migration throws.
    @discardableResult
    public nonisolated func forceMigration<Key: StorageKey>(for key: Key) async throws -> MigrationResult {
        try await engines.migration.migrate(key, evenIfRetired: true, using: self)
    }

    /// The migrations of keys, to run one after the other in the order of their names; of all registered keys where none are given.
    ///
    /// Keys without a migration, keys of other devices, and kinds of names that are made at run time are left out: under such a name a value is brought over when it is used. Values that were removed on purpose stay so. See ``migrationPlan()`` for what
    /// it would do.
    public nonisolated func migrations(of keys: [AnyStorageKey]? = nil) -> MigrationSweep {
        let role = environment.device.role
        let due = (keys ?? registeredKeys())
            .filter { KeyNamePattern($0.name) == nil && $0.migration != nil && $0.availability.isAvailable(on: role) }
            .sorted { ($0.name, $0.domain.kind) < ($1.name, $1.domain.kind) }
        return MigrationSweep(router: self, keys: due)
    }

    nonisolated func sweepMigrations(of keys: [AnyStorageKey]) async throws -> [MigrationOutcome] {
        var outcomes: [MigrationOutcome] = []
        for try await progress in migrations(of: keys) { outcomes.append(progress.outcome) }
        return outcomes
    }
}

/// What migrations would do, without doing it.
extension StorageRouter {
    /// What the migration of a key would do now. Writes nothing anywhere and asks nobody to authenticate; values are read where that takes neither.
    ///
    /// A transformation is not tried. What a migration of one's own would do is what its `shouldMigrate` says.
    /// - Throws: ``StorageError`` for a key that cannot be used (`notRegistered`, `invalidKey`, `phoneOnly`, `watchOnly`); `CancellationError`.
    public nonisolated func migrationPlan<Key: StorageKey>(for key: Key) async throws -> MigrationStep {
        let state = try await ReadOnly.whileLooking {
            try await engines.admission.perform("migrate", on: key) { location in
                try await self.engines.migration.plannedState(
                    of: key, at: location, context: self.engines.moves.migrationContext(), using: self)
            }
        }
        return MigrationStep(
            key: key.name, domain: key.domain.kind, sources: key.migration?.base.sourceKeys.map(\.name) ?? [], state: state)
    }

    /// What a sweep of all registered keys would do now, in its order. Writes nothing. See ``migrations(of:)``.
    public nonisolated func migrationPlan() async throws -> [MigrationStep] {
        var steps: [MigrationStep] = []
        for key in migrations().keys {
            try Task.checkCancellation()
            steps.append(try await migrationPlan(for: key.base))
        }
        return steps
    }
}
