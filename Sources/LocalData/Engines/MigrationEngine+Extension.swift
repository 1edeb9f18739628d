import Foundation

/// What an extension of the app, such as a widget, does differently: it moves nothing. What tells what was moved and removed before lies in the app's own container,
/// and what an extension stores counts as its edit, which beats what the counterpart has set since. A value that the app has not brought over yet is read
/// where it lies.
extension MigrationEngine {
    /// The key's value, where it lies, or what its migration would make of what lies at its sources; `nil` where there is neither. Writes nothing. In the key's turn.
    ///
    /// Not read are sources that are registered keys themselves, and what a migration of the app's own would bring: the app may have removed the value, and the mark
    /// that says so is out of reach.
    func valueInExtension<Key: StorageKey>(of key: Key, at location: StorageLocation) async throws -> Key.Value? {
        guard let migration = key.migration?.base as? any PlannedMigration, !turns.isMigrating(into: location) else {
            let value = try await values.value(of: key)
            if value == nil { try moves.requireNotMovedAway(key, at: location) }
            return value
        }
        let context = moves.migrationContext()
        let sources = migration.clearableSources(in: context)
        let width = environment.device.integerBitWidth
        do {
            // What an extension of a later version of the app left here is older than what lies at the sources.
            if try await !moves.isLeftover(key, replacedBy: sources, at: location), let value = try await values.value(of: key) {
                return value
            }
        } catch let error as StorageError where error.code.mayBeEarlierForm {
            guard sources.count == 1, try hasOtherNames(behind: sources, of: key) else { throw error }
            let found = try await readingFailures(of: key) {
                _ = try self.distinctPlaces(of: sources, besides: key, at: location)
                return try await self.valueInPlace(self.otherNames(behind: sources, of: key), of: key, context: context) { sources in
                    try migration.made(of: sources, in: context).map { try key.decoded($0, width: width) }
                }
            }
            guard let found else { throw error }
            return found.value
        }
        try moves.requireNotMovedAway(key, at: location)
        let plain = try await ReadOnly.whileLooking {
            try await self.readingFailures(of: key) { try await self.plainData(madeFor: key, at: location, context: context) }
        }
        if let plain { return try key.decoded(plain, width: width) }
        return try await values.value(of: key)
    }

    /// What the key's migration would store, in turns as it takes them.
    private func plainData(madeFor key: any StorageKey, at location: StorageLocation, context: MigrationContext) async throws -> Data? {
        guard let migration = key.migration?.base as? any PlannedMigration, try !turns.isMigrating(key, into: location) else { return nil }
        let sources = migration.clearableSources(in: context)
        return try await turns.run(at: location, migrating: key) {
            try await self.moves.withDestination(key) {
                _ = try self.distinctPlaces(of: sources, besides: key, at: location)
                let kept = try self.keptSource(behind: sources, of: key, context: context)
                if let sent = try await self.keptForm(at: sources + (kept.map { [$0] } ?? []), for: key) { return sent.plain }
                var entries: [MigrationSources.Entry] = []
                for source in sources.map(\.base) {
                    let place = try StorageLocation(of: source)
                    let plain: Data? = try await self.turns.run(at: place) {
                        // A chain may lead back to where it ends.
                        guard try !self.moves.isAtDestination(source), try !self.moves.isInUse(source, besides: key) else { return nil }
                        if try self.moves.isHeld(source) { return try await self.values.plainData(of: source) }
                        return try await self.plainData(madeFor: source, at: place, context: context)
                    }
                    entries.append(.init(key: source, location: place, plain: plain))
                }
                guard entries.contains(where: { $0.plain != nil }) else { return nil }
                let found = MigrationSources(
                    destination: key.name, entries: entries, integerBitWidth: self.environment.device.integerBitWidth)
                return try Self.made(found) { try migration.made(of: $0, in: context) }
            }
        }
    }

    /// What goes wrong at the sources is told of the key, as a read that migrates tells it.
    private func readingFailures<Result>(of key: any StorageKey, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as MigrationError {
            throw error.readError(of: key)
        } catch let error as StorageError {
            throw MigrationError(error.at(operation: "migrate")).readError(of: key)
        }
    }

    /// Says what the app has to do, and does none of it.
    /// - Throws: ``MigrationError/deferred(_:)`` where there is something to do; ``MigrationError`` where it cannot be told.
    func leaveToApp(_ key: any StorageKey, using router: StorageRouter) async throws -> MigrationResult {
        let state = try await ReadOnly.whileLooking {
            try await admission.perform("migrate", on: key) { location in
                try await self.plannedState(of: key, at: location, context: self.moves.migrationContext(), using: router)
            }
        }
        switch state {
        case .nothingToDo, .waiting, .incomplete, .removed: return MigrationResult(success: true)
        case .ready, .interrupted:
            let error = StorageError(
                .unsupported,
                facts: [
                    "an extension moves nothing: the app brings the value over when it runs next, and until then it is read where it lies"
                ])
            throw MigrationError.deferred(error.at(key: key.name, domain: key.domain.kind, operation: "migrate"))
        case .deferred(let error): throw MigrationError.deferred(error)
        case .superseded(let error), .blocked(let error): throw MigrationError.storage(error)
        }
    }
}
