import Foundation

/// What waits in preferences until the system has written it, and what a power loss brings back there.
extension MigrationEngine {
    /// Deletes what sources in preferences were made of, as parts of a chain: it waited for them to settle, and the chain's end has the value now.
    func discardWhatWaited(behind sources: [AnyStorageKey], context: MigrationContext) async throws {
        for source in sources.map(\.base) {
            guard case .defaults = source.place else { continue }
            let location = try StorageLocation(of: source)
            guard !turns.isMigrating(into: location), try moves.markOfSeen(at: location) != nil else { continue }
            let waiting = (source.migration?.base as? any PlannedMigration)?.clearableSources(in: context) ?? []
            for key in waiting.map(\.base) {
                let place = try StorageLocation(of: key)
                try await turns.run(at: place) {
                    // A chain may lead back to where it began: what lies there is the value.
                    guard try self.stored.isStored(key), try !self.moves.isAtDestination(key), try await !self.moves.isNeeded(key) else {
                        return
                    }
                    try self.moves.markMoved(place, to: location, edit: self.moves.extensionEdit(of: key))
                    try self.values.takeAway(key, origin: .migration)
                    self.sync.ledger.noteMovedAway(key, to: source)
                }
            }
            try moves.forgetSeen(source, at: location)
            try await discardWhatWaited(behind: waiting, context: context)
        }
    }

    /// Deletes again what came back to the sources of a key, and forgets the marks of what did not.
    func discardWhatReturned(to key: any StorageKey) async throws {
        guard marks.mayExist(.cleared) else { return }
        try moves.forgetAdmitted(of: key, at: StorageLocation(of: key))
        for source in key.allSources {
            guard case .defaults = source.place else { continue }
            let location = try StorageLocation(of: source)
            guard !turns.isMigrating(into: location), marks.mayExist(.cleared, at: location) else { continue }
            try await turns.run(at: location) {
                guard let data = try self.marks.contents(.cleared, at: location) else { return }
                let mark = try? Coders.jsonDecoder.decode(MigrationMark.self, from: data)
                guard try !self.stored.isStored(source) else {
                    // What an extension leaves beside its value does not stay: who looks later could not tell that it was set.
                    if try self.moves.isSetByExtension(source, sinceCleared: data) { return try self.marks.remove(.cleared, at: location) }
                    guard try !self.moves.isHeld(source) else { return }
                    try self.moves.noteCleared(at: location, edit: mark?.edit)
                    return try self.values.takeAway(source, origin: .migration)
                }
                guard let mark, try self.moves.isPast(mark) else { return }
                try self.marks.remove(.cleared, at: location)
            }
        }
    }
}
