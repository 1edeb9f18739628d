import Foundation

/// What lies behind a link of a chain that cannot be made of it, or that waits for more.
extension MigrationEngine {
    /// Deletes it where the chain's end has a value all the same, as one that was set since, or that the counterpart had: at the key's own sources it would go, too. Of a synced
    /// value, what an earlier version of the app has set after that stays, for the day that something can be made of it.
    /// - Parameter error: Why nothing was made of it.
    /// - Returns: `nil` where there is nothing of that kind.
    func discardUnmade(
        behind sources: [AnyStorageKey], of destination: some StorageKey, at to: StorageLocation, because error: MigrationError? = nil,
        metadata: [String: String], context: MigrationContext
    ) async throws -> MigrationResult? {
        guard try await isOutdone(behind: sources, of: destination, at: to, because: error, context: context) else { return nil }
        let unmade = try unmade(behind: sources, of: destination, context: context)
        let places = try distinctPlaces(of: unmade.map { AnyStorageKey($0) }, besides: destination, at: to)
        return try await inTurns(at: places[...]) {
            guard try await self.values.plainData(of: destination) != nil else {
                throw MigrationError.verificationFailed(key: destination.name)
            }
            try self.mark(unmade, movedTo: destination, at: to)
            guard try await self.moves.isSettled(destination, copiedFrom: unmade, isNew: false, at: to),
                try await self.moves.disposable(unmade).count == unmade.count
            else { return MigrationResult(success: true, metadata: metadata) }
            let errors = try await self.discard(unmade, movedTo: destination)
            if errors.isEmpty { try self.moves.forgetSeen(destination, at: to) }
            return MigrationResult(success: errors.isEmpty, errors: errors, metadata: metadata)
        }
    }

    /// Whether there is something of that kind, and the value at the key's place is the later one.
    func isOutdone(
        behind sources: [AnyStorageKey], of destination: any StorageKey, at to: StorageLocation, because error: MigrationError? = nil,
        context: MigrationContext
    ) async throws -> Bool {
        // What cannot be told now, or read, may be made later.
        if let error, !error.isForGood { return false }
        guard try stored.isStored(destination), try sources.allSatisfy({ try !moves.isHeld($0.base) }),
            try await !moves.isLeftover(destination, replacedBy: sources, at: to)
        else { return false }
        let unmade = try unmade(behind: sources, of: destination, context: context)
        guard !unmade.isEmpty else { return false }
        return try await !versions.areLater(unmade.map { AnyStorageKey($0) }, than: destination)
    }

    /// The nearest that lie behind sources which hold nothing. Not where a condition does not hold, or an app makes the value: that says by itself when there is something to do.
    private func unmade(
        behind sources: [AnyStorageKey], of destination: any StorageKey, context: MigrationContext
    ) throws -> [any StorageKey] {
        var found: [any StorageKey] = []
        var visited: Set<[String]> = []
        var due = sources.map(\.base)
        while let link = due.popLast() {
            guard try visited.insert(link.linkOfChain).inserted, let migration = link.migration?.base as? any PlannedMigration else {
                continue
            }
            // Also what is left of a value that was removed.
            for key in migration.clearableSources(in: context).map(\.base)
            where try !moves.isAtDestination(key) && !stored.isOneFile(key, destination) {
                if try moves.isHeld(key) { found.append(key) } else { due.append(key) }
            }
        }
        return found
    }
}

extension MigrationError {
    /// Whether nothing will ever be made of what lies at the sources, by this version of the app.
    fileprivate var isForGood: Bool {
        switch self {
        case .transformFailed, .conflictingSources: true
        default: false
        }
    }
}
