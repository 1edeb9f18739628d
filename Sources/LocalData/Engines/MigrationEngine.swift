import Foundation

/// Brings values from where earlier versions of the app left them: runs keys' migrations, plans them, makes up for those that were interrupted, and
/// sees to it that what was removed does not come back.
///
/// Its state is which migrations wait to be tried again. A migration is given the router whose values it moves, so that an app's own can use it.
final class MigrationEngine: Sendable {
    let environment: StorageEnvironment
    let files: FileStorageHelper
    let encryption: EncryptionHelper
    let marks: MigrationMarks
    let sync: SyncHelper
    let turns: Turns
    let stored: StoredValues
    let admission: Admission
    let versions: ValueVersions
    let moves: MovedValues
    let values: ValueEngine
    /// Nobody else would try again before the next launch: a value that is at its destination already is read without its migration.
    private let interrupted = KeysPutOff()

    init(
        environment: StorageEnvironment, files: FileStorageHelper, encryption: EncryptionHelper, marks: MigrationMarks, sync: SyncHelper,
        turns: Turns, stored: StoredValues, admission: Admission, versions: ValueVersions, moves: MovedValues, values: ValueEngine
    ) {
        self.environment = environment
        self.files = files
        self.encryption = encryption
        self.marks = marks
        self.sync = sync
        self.turns = turns
        self.stored = stored
        self.admission = admission
        self.versions = versions
        self.moves = moves
        self.values = values
    }
}

/// Running. What is not told otherwise runs in the key's turn.
extension MigrationEngine {
    func outcome(of key: any StorageKey, using router: StorageRouter) async throws -> MigrationOutcome.Result {
        do {
            let result = try await migrate(key, evenIfRetired: false, using: router)
            guard result.migratedCount == 0 else { return .migrated(result) }
            try await forgetDigestsOfMoved(to: key)
            return .nothingToDo
        } catch let error as CancellationError {
            throw error
        } catch MigrationError.deferred(let error) {
            if !environment.device.isAppExtension, let location = try? stored.location(of: key) { interrupted.note(key, at: location) }
            return .deferred(error)
        } catch let error as MigrationError {
            return .failed(error)
        } catch {
            let problem = StorageError(.inputOutput, facts: ["the migration failed with \(type(of: error))"])
            return .failed(.storage(problem.at(key: key.name, domain: key.domain.kind, operation: "migrate")))
        }
    }

    func migrate(_ key: any StorageKey, evenIfRetired: Bool, using router: StorageRouter) async throws -> MigrationResult {
        if environment.device.isAppExtension {
            do {
                return try await leaveToApp(key, using: router)
            } catch let error as StorageError {
                throw MigrationError(error)
            }
        }
        let result: MigrationResult
        do {
            result = try await admission.perform("migrate", on: key) { location in
                try await self.turns.run(at: location) {
                    let isAbsent = try !self.stored.isStored(key)
                    if isAbsent { try self.moves.requireNotMovedAway(key, at: location) }
                    // Asked for, what is left behind a value that was set since is cleared. A removed value does not come back: only a migration that names no sources, of
                    // which nobody knows what it would bring, runs anew.
                    let clearsRemoved = evenIfRetired && !isAbsent
                    if try !clearsRemoved && self.moves.isRetired(key, at: location),
                        !evenIfRetired || key.migration?.base.sourceKeys.isEmpty == false
                    {
                        return MigrationResult(success: true)
                    }
                    let run = { @Sendable in
                        try await self.runMigration(of: key, at: location, context: self.moves.migrationContext(), using: router)
                            ?? MigrationResult(success: true)
                    }
                    return try await clearsRemoved ? self.moves.clearingRemoved(key, at: location, run) : run()
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

    /// Brings an absent value over, if its key has a migration.
    /// - Throws: Why it cannot be told whether there is a value, or who has it now. An absent one is no error.
    func migrateOnRead(_ key: any StorageKey, at location: StorageLocation, using router: StorageRouter) async throws {
        try moves.requireNotMovedAway(key, at: location)
        guard key.migration != nil, !turns.isMigrating(into: location), try !moves.isRetired(key, at: location),
            let result = try await runMigration(of: key, at: location, context: moves.migrationContext(), using: router),
            try !stored.isStored(key)
        else { return }
        if let error = result.errors.first { throw error.readError(of: key) }
        if !result.success { throw Self.unexplained }
    }

    /// Runs a key's migration in a turn of its own, if it has one and none is running.
    /// - Returns: `nil` if there was none to run.
    func runMigration(
        of key: any StorageKey, at location: StorageLocation, context: MigrationContext, using router: StorageRouter
    ) async throws -> MigrationResult? {
        guard let migration = key.migration?.base, try !turns.isMigrating(key, into: location) else { return nil }
        return try await turns.run(at: location, migrating: key, admitsTasks: migration.isOfApp) {
            let result = try await self.capturingFailure {
                try await self.moves.withDestination(key) {
                    try await self.discardWhatReturned(to: key)
                    // What a set that was cut short left at a place where nothing lies: nobody else would come by.
                    for source in key.allSources { self.stored.collectLeftovers(of: source) }
                    guard try await migration.shouldMigrate(using: router, context: context) else { return MigrationResult(success: true) }
                    return try await migration.migrate(using: router, context: context)
                }
            }
            if result.errors.contains(where: \.mayPass), !Self.isLinkOfRunningMigration(key) { self.interrupted.note(key, at: location) }
            return result
        }
    }

    /// Whether a key is only passed on the way of another one's migration: that one is to be completed. The link by itself would count as a second place that
    /// the app uses of the name, which then syncs at neither.
    private static func isLinkOfRunningMigration(_ key: any StorageKey) -> Bool {
        MovedValues.destinations.contains { destination in
            destination.base.allSources.contains { $0.name == key.name && $0.domain == key.domain }
        }
    }

    /// Runs `body` and makes its failure a result. Errors that say nothing of storage, cancellation among them, pass.
    func capturingFailure(
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

    /// Forgets what records say of plain values that were moved: a process that died just after it had deleted one did not come to that.
    private func forgetDigestsOfMoved(to key: any StorageKey) async throws {
        guard marks.mayExist(.moved) else { return }
        for source in key.allSources {
            guard let place = try? StorageLocation(of: source), marks.mayExist(.moved, at: place) else { continue }
            try await turns.run(at: place) {
                guard (try? self.stored.isStored(source)) == false, (try? self.moves.isInUse(source, besides: key)) == false else { return }
                self.sync.ledger.forgetDigests(of: source, movedTo: key)
                // Not what an extension has left since: its value may be on its way.
                if let noted = self.moves.extensionEdit(of: source), try noted.identifier == self.moves.editMoved(from: place) {
                    self.sync.ledger.forget(noted, of: source)
                }
            }
        }
    }

    private static let unexplained = StorageError(.inputOutput, facts: ["the migration failed and gave no reason"])
}

/// What could not be completed.
extension MigrationEngine {
    /// Tries again what this process could not complete. What fails again is kept for the next time.
    /// - Parameter mayAskPerson: False where nobody may be looking: what may ask a person waits then.
    func resumeMigrations(mayAskPerson: Bool = false, using router: StorageRouter) async {
        guard !interrupted.isEmpty else { return }
        for key in interrupted.takeAll() {
            if mayAskPerson || !self.mayAskPerson(key), (try? await outcome(of: key, using: router)) != nil { continue }
            if let location = try? stored.location(of: key) { interrupted.note(key, at: location) }
        }
    }

    /// Does what is left to do of the migration of a key whose value is to be sealed anew. It may bring the value in a form that the key accepts and does not
    /// declare, and nobody would come back to that; and what tells that a source is still to be deleted is the form that it was moved in. What lies at a source
    /// is brought to the registered key, and no further step of the way is taken for its own sake.
    /// - Parameter asksPerson: Whether a person may be asked to authenticate.
    /// - Returns: Why that is not possible for now; `nil` where nothing is left to do.
    func completeBeforeResealing(_ key: any StorageKey, asksPerson: Bool = false, using router: StorageRouter) async throws -> StorageError?
    {
        guard key.migration != nil, asksPerson || !mayAskPerson(key), admission.admits(key) else { return nil }
        guard case .deferred(let error) = try await outcome(of: key, using: router) else { return nil }
        return error
    }

    /// Whether bringing a key's value over may ask a person: for what it is to be read from, near or far, or for reading it back.
    func mayAskPerson(_ key: any StorageKey) -> Bool {
        // Where it cannot be told, there may be something.
        key.security.asksPerson || key.allSources.contains { $0.security.asksPerson && (try? moves.isHeld($0)) != false }
    }

    /// The same of one key that is used, in its turn. The value that it has is not to be withheld because of that.
    func resumeMigration(ifInterrupted key: any StorageKey, at location: StorageLocation, using router: StorageRouter) async {
        guard interrupted.take(at: location) else { return }
        if (try? stored.isStored(key)) == true, (try? moves.isRetired(key, at: location)) == false,
            (try? await runMigration(of: key, at: location, context: moves.migrationContext(), using: router))?.success == true
        {
            return
        }
        interrupted.note(key, at: location)
    }
}
