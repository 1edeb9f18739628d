import Foundation

/// What all operations have in common.
extension StorageRouter {
    /// Checks a key, then runs `body` with its location. Storage errors leave with key, domain and operation in them.
    nonisolated func perform<Result: Sendable>(
        _ operation: String, on key: any StorageKey, _ body: @Sendable (StorageLocation) async throws -> Result
    ) async throws -> Result {
        do {
            try checkAvailable(key)
            // Legacy keys are in no catalog: their migration is.
            if !access.isMigrating() { try checkRegistered(key, operation: operation) }
            let location = try location(of: key)
            if !access.isMigrating() { try requireFileOfItsOwn(key) }
            return try await body(location)
        } catch let error as StorageError {
            throw error.at(key: key.name, domain: key.domain.kind, operation: operation)
        }
    }

    nonisolated func checkAvailable(_ key: any StorageKey) throws {
        guard !key.availability.isAvailable(on: environment.device.role) else { return }
        throw StorageError(key.availability == .watchOnly ? .watchOnly : .phoneOnly)
    }

    /// Runs `body` alone among all operations on one location; first come, first served. Other locations are not delayed.
    ///
    /// Within `body`, operations on the same location run in turns of their own. See ``ExclusiveAccess``.
    nonisolated func withExclusiveAccess<Result: Sendable>(
        to location: StorageLocation, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await access.run(at: location.resolved(in: environment), body)
    }

    nonisolated func run<Result: Sendable>(
        at location: StorageLocation, isMigration: Bool = false, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await access.run(at: location.resolved(in: environment), isMigration: isMigration, body)
    }

    /// Whether the running task is a migration into this location.
    nonisolated func isMigrating(into location: StorageLocation) -> Bool {
        access.isMigrating(into: location.resolved(in: environment))
    }

    /// What a change by the running task counts as: what migrations set is theirs.
    nonisolated var localOrigin: ChangeOrigin { access.isMigrating() ? .migration : .local }

    /// Lets the sync send a change, once no turn is held any more.
    nonisolated func noteChange(_ ticket: SyncTicket?, of key: any StorageKey, origin: ChangeOrigin? = nil) async {
        guard let ticket else { return }
        let origin = origin ?? localOrigin
        await access.afterTurn { await self.syncAfterChange(ticket, key: key, origin: origin) }
    }

    /// The value at the key's own place, or `nil` on verified absence.
    nonisolated func value<Key: StorageKey>(of key: Key) async throws -> Key.Value? {
        try await plainData(of: key).map { try key.decoded($0, width: environment.device.integerBitWidth) }
    }
}
