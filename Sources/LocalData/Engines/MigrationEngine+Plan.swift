/// What migrations would do, without doing it.
extension MigrationEngine {
    func plannedState(
        of key: any StorageKey, at location: StorageLocation, context: MigrationContext, using router: StorageRouter
    ) async throws -> MigrationStep.State {
        guard let migration = key.migration?.base, try !turns.isMigrating(key, into: location) else { return .nothingToDo }
        // A turn of a migration, so that a source that leads back here comes to an end.
        return try await turns.run(at: location, migrating: key, admitsTasks: migration.isOfApp) {
            do {
                return try await self.moves.withDestination(key) {
                    if try !self.stored.isStored(key) {
                        try self.moves.requireNotMovedAway(key, at: location)
                        if try self.moves.isRetired(key, at: location) { return .removed }
                    }
                    let state = try await self.plannedState(of: migration, context: context, using: router)
                    switch state {
                    case .ready: try await self.requireTaking(key)
                    case .interrupted: try self.requireMarks()
                    case .nothingToDo, .deferred, .waiting, .incomplete, .removed, .superseded, .blocked: break
                    }
                    return state
                }
            } catch {
                return try Self.state(of: error, key)
            }
        }
    }

    /// What keeps a value from being stored at the key's place now, as far as that can be told without writing. In the ten seconds after locking, in
    /// which the system still has the keys, it may say so too early.
    private func requireTaking(_ key: any StorageKey) async throws {
        try requireMarks()
        if key.isStoredWhileUnlockedOnly, environment.device.lockState == .locked { throw StorageError(.locked) }
        if case .encrypted(let policy) = key.security {
            try await encryption.requireSealing(by: policy, keyName: key.name, accessGroup: key.accessGroup)
        }
    }

    /// A migration leaves marks in files that the first unlock opens.
    private func requireMarks() throws {
        if environment.device.lockState == .beforeFirstUnlock { throw StorageError(.lockedBeforeFirstUnlock) }
    }

    /// In the turn of the migration's key.
    func plannedState(of migration: any StorageMigration, context: MigrationContext, using router: StorageRouter) async throws
        -> MigrationStep.State
    {
        if let planned = migration as? any PlannedMigration { return try await planned.plannedState(using: router, context: context) }
        return try await migration.shouldMigrate(using: router, context: context) ? .ready : .nothingToDo
    }

    func plannedTransfer(
        from sources: [AnyStorageKey], to destination: some StorageKey, missing: MissingSources = .allowed, isConverting: Bool = false,
        context: MigrationContext, using router: StorageRouter
    ) async throws -> MigrationStep.State {
        let to = try StorageLocation(of: destination)
        _ = try distinctPlaces(of: sources, besides: destination, at: to)
        if let same = try sources.first(where: { try self.stored.isOneFile($0.base, destination) }) {
            if let refusal = moves.refusal(ofInPlace: same.base, to: destination, isConverting: isConverting) { throw refusal }
            return try await isAsDeclared(destination) ? .nothingToDo : .ready
        }
        if isConverting, try sources.allSatisfy({ try !moves.isHeld($0.base) }), try !otherNames(behind: sources, of: destination).isEmpty {
            return try await isAsDeclared(destination) ? .nothingToDo : .ready
        }
        try moves.requireDistinctFiles(sources.map(\.base), of: destination)
        let isLeftover = try await moves.isLeftover(destination, replacedBy: sources, at: to)
        let isDone = try stored.isStored(destination) && !isLeftover
        let isCompleting = try sources.count > 1 && marks.exists(.completing, at: to)
        let kept = try keptSource(behind: sources, of: destination, context: context)
        let present = try Set(moves.unretired(sources, at: to).map { try StorageLocation(of: $0.base).physical })
        var absent: [String] = []
        for source in sources.map(\.base) {
            let place = try StorageLocation(of: source)
            let state: MigrationStep.State = try await turns.run(at: place) {
                guard present.contains(place.physical) else { return .removed }
                // A chain may lead back to where it ends.
                if try self.moves.isAtDestination(source) { return .nothingToDo }
                if try self.moves.isHeld(source) {
                    if isDone, try self.moves.isInUse(source, besides: destination) { return MigrationStep.State.nothingToDo }
                    return isDone || isCompleting ? .ready : try await self.plannedReading(of: source, for: destination)
                }
                if let kept, try source.isMade(of: kept.base) {
                    return isDone || isCompleting ? .ready : try await self.plannedReading(of: kept.base, for: destination)
                }
                return isCompleting ? .nothingToDo : try await self.plannedState(of: source, at: place, context: context, using: router)
            }
            switch state {
            case .ready, .interrupted: continue
            case .nothingToDo, .waiting, .incomplete, .removed: absent.append(source.name)
            case .blocked where try await isOutdone(behind: sources, of: destination, at: to, context: context): absent.append(source.name)
            case .deferred, .superseded, .blocked: return state
            }
        }
        if isCompleting { return .interrupted }
        guard absent.count < sources.count else {
            return try await isOutdone(behind: sources, of: destination, at: to, context: context) ? .interrupted : .nothingToDo
        }
        if isDone {
            // It is read once more before its sources go.
            if !destination.security.asksPerson { _ = try await values.value(of: destination) }
            return .interrupted
        }
        guard missing == .awaited, !absent.isEmpty, kept == nil, try await keptForm(at: sources, for: destination) == nil else {
            return .ready
        }
        return .incomplete(missing: absent)
    }

    /// Whether a stored source can be read now, as far as that can be told without asking a person.
    private func plannedReading(
        of source: any StorageKey, for destination: any StorageKey
    ) async throws -> MigrationStep.State {
        do {
            if try await keptForm(at: [.key(source)], for: destination) != nil { return .ready }
            guard !source.security.asksPerson else { return .ready }
            // What nobody can open any more counts as absent where the source says so.
            return try await values.plainData(of: source) == nil ? .nothingToDo : .ready
        } catch {
            return try Self.state(of: error, source)
        }
    }

    private static func state(of error: any Error, _ key: any StorageKey) throws -> MigrationStep.State {
        guard let error = (error as? StorageError)?.at(key: key.name, domain: key.domain.kind, operation: "migrate") else { throw error }
        if error.code == .superseded { return .superseded(error) }
        return error.code.isTemporary ? .deferred(error) : .blocked(error)
    }
}
