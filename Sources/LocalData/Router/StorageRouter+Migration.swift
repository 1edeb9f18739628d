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
            if let location = try? stored.location(of: key) { interrupted.note(key, at: location) }
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
            result = try await admission.perform("migrate", on: key) { location in
                try await self.turns.run(at: location) {
                    if try !self.stored.isStored(key) { try self.moves.requireNotMovedAway(key, at: location) }
                    if try !evenIfRetired && self.moves.isRetired(key, at: location) { return MigrationResult(success: true) }
                    return try await self.runMigration(of: key, at: location, context: self.moves.migrationContext())
                        ?? MigrationResult(success: true)
                }
            }
        } catch let error as StorageError {
            let failure = MigrationError(error)
            if failure.mayPass, let location = try? stored.location(of: key) { interrupted.note(key, at: location) }
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
        try moves.requireNotMovedAway(key, at: location)
        guard key.migration != nil, !turns.isMigrating(into: location), try !moves.isRetired(key, at: location),
            let result = try await runMigration(of: key, at: location, context: moves.migrationContext()), try !stored.isStored(key)
        else { return }
        if let error = result.errors.first { throw error.readError(of: key) }
        if !result.success { throw Self.unexplained }
    }

    /// Runs a key's migration in a turn of its own, if it has one and none is running.
    /// - Returns: `nil` if there was none to run.
    nonisolated func runMigration(
        of key: any StorageKey, at location: StorageLocation, context: MigrationContext
    ) async throws -> MigrationResult? {
        guard let migration = key.migration?.base, !turns.isMigrating(into: location) else { return nil }
        return try await turns.run(at: location, isMigration: true) {
            let result = try await self.capturingFailure {
                try await self.moves.withDestination(key) {
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

    private static let unexplained = StorageError(.inputOutput, facts: ["the migration failed and gave no reason"])
}

/// Removal: a removed value stays removed.
extension StorageRouter {
    /// Makes sure that a value about to be removed does not come back: clears the migration's sources, or leaves a mark. Both before the value goes, so
    /// that after a crash in between the value is still there, rather than an older one.
    /// - Throws: Also ``StorageError/Code/superseded``, where a newer version of the app has the value elsewhere.
    nonisolated func retireMigration(of key: any StorageKey) async throws {
        let location = try StorageLocation(of: key)
        try moves.requireIsHere(key, at: location)
        guard key.migration != nil else { return }
        guard !turns.isMigrating(into: location) else { return }
        var visited: Set<String> = [location.resolved(in: environment)]
        try await retire(key, at: location, of: key, visited: &visited)
    }

    /// - Parameter removed: The key that is being removed, whose own removal comes after this.
    private nonisolated func retire(
        _ key: any StorageKey, at location: StorageLocation, of removed: any StorageKey, visited: inout Set<String>
    ) async throws {
        guard let migration = key.migration?.base else { return }
        let sources = ((migration as? any PlannedMigration)?.clearableSources(in: moves.migrationContext()) ?? migration.sourceKeys).map(\.base)
        var clearable: [any StorageKey] = []
        for source in sources where try await !moves.isNeeded(source, besides: removed) { clearable.append(source) }
        // What stays is somebody else's, and not to be made a value of again.
        if clearable.isEmpty || clearable.count < sources.count { try marks.write(.removed, at: location) }
        guard !clearable.isEmpty else { return }
        try moves.forgetSeen(key, at: location)
        // What is left after a crash between two deletions must not make up a value again.
        let held = sources.count > 1 ? clearable.filter { (try? stored.isStored($0)) != false } : []
        if sources.count > 1 { try marks.write(.completing, at: location) }
        do {
            for source in clearable { try await clear(source, of: removed, visited: &visited) }
        } catch {
            // Nothing is gone: nothing is to be completed.
            if sources.count > 1, held.allSatisfy({ (try? stored.isStored($0)) == true }) { try? marks.remove(.completing, at: location) }
            throw error
        }
        if sources.count > 1 { try marks.remove(.completing, at: location) }
    }

    private nonisolated func clear(_ source: any StorageKey, of removed: any StorageKey, visited: inout Set<String>) async throws {
        let place = try StorageLocation(of: source)
        guard visited.insert(place.resolved(in: environment)).inserted else { return }
        try await retire(source, at: place, of: removed, visited: &visited)
        try await turns.run(at: place) {
            let mayReturn = self.moves.mayReturn(source, at: place)
            // The value itself, under another name. It goes as what it is, with its version.
            if (try? self.stored.isOneFile(source, removed)) == true { return try self.marks.remove(.moved, at: place) }
            // Not where it is verified to be absent; where that cannot be told, deleting may still work.
            if (try? self.stored.isStored(source)) == false {
                // Perhaps by a removal that was cut short before it was durable.
                try self.stored.settle(source)
            } else {
                try await self.versions.noteChange(self.values.erase(source, origin: self.turns.localOrigin), of: source)
            }
            // Nothing was moved that could be looked for any more. Not before: by this a newer version of the app, which has its value at the same place,
            // knows what lies there for the older value.
            try self.marks.remove(.moved, at: place)
            if mayReturn { try self.moves.noteCleared(at: place) }
        }
    }
}
