import Foundation

extension StorageRouter {
    /// Runs a key's migration now, whether or not its value is there already. Running it again changes nothing.
    /// - Returns: What it did. A key without a migration is a success with nothing moved.
    /// - Throws: ``MigrationError``; ``MigrationError/deferred(_:)`` where the source or the destination cannot be reached for now. Nothing is lost then.
    ///   Errors of other types that the key's own migration throws.
    @discardableResult
    public nonisolated func forceMigration<Key: StorageKey>(for key: Key) async throws -> MigrationResult {
        try await migrate(key, evenIfRetired: true)
    }

    /// The migrations of keys, to run one after the other in the order of their names; of all registered keys where none are given.
    ///
    /// Keys without a migration, and keys of other devices, are left out. Values that were removed on purpose stay so. See ``migrationPlan()`` for what
    /// it would do.
    public nonisolated func migrations(of keys: [AnyStorageKey]? = nil) -> MigrationSweep {
        let role = environment.device.role
        let due = (keys ?? registeredKeys()).filter { $0.migration != nil && $0.availability.isAvailable(on: role) }
            .sorted { ($0.name, $0.domain.kind) < ($1.name, $1.domain.kind) }
        return MigrationSweep(router: self, keys: due)
    }

    nonisolated func sweepMigrations(of keys: [AnyStorageKey]) async throws -> [MigrationOutcome] {
        var outcomes: [MigrationOutcome] = []
        for try await progress in migrations(of: keys) { outcomes.append(progress.outcome) }
        return outcomes
    }

    nonisolated func outcome(of key: any StorageKey) async throws -> MigrationOutcome.Result {
        do {
            let result = try await migrate(key, evenIfRetired: false)
            return result.migratedCount == 0 ? .nothingToDo : .migrated(result)
        } catch let error as CancellationError {
            throw error
        } catch MigrationError.deferred(let error) {
            if let location = try? location(of: key) { interrupted.note(key, at: location) }
            return .deferred(error)
        } catch let error as MigrationError {
            return .failed(error)
        } catch {
            let problem = StorageError(.inputOutput, facts: ["the migration failed with \(type(of: error))"])
            return .failed(.storage(problem.at(key: key.name, domain: key.domain.kind, operation: "migrate")))
        }
    }

    nonisolated func migrate(_ key: any StorageKey, evenIfRetired: Bool) async throws -> MigrationResult {
        let result: MigrationResult
        do {
            result = try await perform("migrate", on: key) { location in
                try await self.run(at: location) {
                    if try !self.isStored(key) { try self.requireNotMovedAway(key, at: location) }
                    if try !evenIfRetired && self.isRetired(key, at: location) { return MigrationResult(success: true) }
                    return try await self.runMigration(of: key, at: location, context: self.migrationContext())
                        ?? MigrationResult(success: true)
                }
            }
        } catch let error as StorageError {
            let failure = MigrationError(error)
            if failure.mayPass, let location = try? location(of: key) { interrupted.note(key, at: location) }
            throw failure
        }
        if let error = result.errors.first { throw error }
        guard result.success else {
            throw MigrationError.storage(Self.unexplained.at(key: key.name, domain: key.domain.kind, operation: "migrate"))
        }
        return result
    }
}

/// What the operations need of migrations. All of these run in the key's turn.
extension StorageRouter {
    /// Brings an absent value over, if its key has a migration.
    /// - Throws: Why it cannot be told whether there is a value, or who has it now. An absent one is no error.
    nonisolated func migrateOnRead(_ key: any StorageKey, at location: StorageLocation) async throws {
        try requireNotMovedAway(key, at: location)
        guard key.migration != nil, !isMigrating(into: location), try !isRetired(key, at: location),
            let result = try await runMigration(of: key, at: location, context: migrationContext()), try !isStored(key)
        else { return }
        if let error = result.errors.first { throw error.readError(of: key) }
        if !result.success { throw Self.unexplained }
    }

    /// Runs a key's migration in a turn of its own, if it has one and none is running.
    /// - Returns: `nil` if there was none to run.
    nonisolated func runMigration(
        of key: any StorageKey, at location: StorageLocation, context: MigrationContext
    ) async throws -> MigrationResult? {
        guard let migration = key.migration?.base, !isMigrating(into: location) else { return nil }
        return try await run(at: location, isMigration: true) {
            let result = try await self.capturingFailure {
                try await self.withDestination(key) {
                    try await self.discardWhatReturned(to: key)
                    guard try await migration.shouldMigrate(using: self, context: context) else { return MigrationResult(success: true) }
                    return try await migration.migrate(using: self, context: context)
                }
            }
            if result.errors.contains(where: \.mayPass) { self.interrupted.note(key, at: location) }
            return result
        }
    }

    /// Runs `body` and makes its failure a result. Errors that say nothing of storage, cancellation among them, pass.
    nonisolated func capturingFailure(
        _ metadata: [String: String] = [:], _ body: @Sendable () async throws -> MigrationResult
    ) async throws -> MigrationResult {
        do {
            return try await body()
        } catch let error as MigrationError {
            return .failure(error, metadata: metadata)
        } catch let error as StorageError {
            return .failure(MigrationError(error.at(operation: "migrate")), metadata: metadata)
        }
    }

    nonisolated func migrationContext() -> MigrationContext {
        MigrationContext(
            appVersion: environment.device.appVersion, deviceInfo: environment.device.deviceInfo, systemInfo: environment.device.systemInfo,
            date: environment.clock.now)
    }

    private static let unexplained = StorageError(.inputOutput, facts: ["the migration failed and gave no reason"])
}
