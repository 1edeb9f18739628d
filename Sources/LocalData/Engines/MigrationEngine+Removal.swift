import Foundation

/// Removal: a removed value stays removed.
extension MigrationEngine {
    /// Removes the key's value, with what its migration would bring back. Where that fails before anything is deleted, it is as if nobody had asked.
    /// - Throws: Also ``StorageError/Code/superseded``, where a newer version of the app has the value elsewhere.
    func remove(_ key: any StorageKey) async throws -> SyncTicket? {
        var noted = NotedRemoval(announcesNames: true)
        do {
            try await retireMigration(of: key, noting: &noted)
            let ticket = try await values.erase(key, origin: turns.localOrigin)
            for name in noted.names { await versions.didRemoveName(of: name.key, name.ticket) }
            return ticket
        } catch {
            if !noted.marks.isEmpty, (try? heldPlaces(of: key)) == noted.held {
                for mark in noted.marks.reversed() { try? moves.restoreRemovalMark(mark.earlier, at: mark.location) }
            }
            throw error
        }
    }

    /// A device that does not have the key has nothing to remove, unless an earlier version of the app, or of the declaration, left it here: nobody else could take
    /// that away (``StorageFinding/Kind/strandedValue``). The removal is no version then, and the counterpart hears nothing of it.
    /// - Throws: ``StorageError/Code/phoneOnly`` or ``StorageError/Code/watchOnly``.
    func requireRemovable(_ key: any StorageKey, at location: StorageLocation) async throws {
        guard !key.availability.isAvailable(on: environment.device.role) else { return }
        let isLeft = try await turns.run(at: location) {
            // What a key of this device has there, or is still to bring from there, is not this one's.
            guard try await !self.moves.isNeeded(key) else { return false }
            return try ([key] + key.allSources).contains { try self.stored.isStored($0) }
        }
        if !isLeft { try admission.checkAvailable(key) }
    }

    /// What a removal noted before anything was deleted.
    private struct NotedRemoval {
        /// Where the value lay, and what its migration would make one of, as far as that could be told.
        var held: [String] = []
        /// The marks that were there before, by place.
        var marks: [(location: StorageLocation, earlier: MigrationMark?)] = []
        /// The value's other names, under which its removal was announced.
        var names: [(key: any StorageKey, ticket: SyncTicket)] = []
        /// Whether they are: what the counterpart removed it knows by the name that it gave.
        var announcesNames = false
    }

    private func heldPlaces(of key: any StorageKey) throws -> [String] {
        try ([key] + key.allSources).filter { (try? stored.isStored($0)) != false }.map { try StorageLocation(of: $0).physical }
    }

    /// Makes sure that a value about to be removed does not come back: clears the migration's sources, or leaves a mark. Both before the value goes, so
    /// that after a crash in between the value is still there, rather than an older one.
    /// - Throws: Also ``StorageError/Code/superseded``, where a newer version of the app has the value elsewhere.
    func retireMigration(of key: any StorageKey) async throws {
        var noted = NotedRemoval()
        try await retireMigration(of: key, noting: &noted)
    }

    private func retireMigration(of key: any StorageKey, noting noted: inout NotedRemoval) async throws {
        let location = try StorageLocation(of: key)
        try moves.requireIsHere(key, at: location)
        guard let migration = key.migration?.base, !turns.isMigrating(into: location) else { return }
        try requireIsKnown(key)
        // What was left at the place is not the value. Once the sources are gone it would be taken for that, should the removal end there.
        if try await moves.isLeftover(key, replacedBy: migration.sourceKeys, at: location) {
            try values.takeAway(key, origin: .migration)
        }
        var visited: Set<[String]> = []
        try await retire(key, at: location, of: key, visited: &visited, noting: &noted)
    }

    /// Before the first unlock nobody knows what preferences and keychain hold: the removal is going to fail, and must have taken nothing from a file.
    private func requireIsKnown(_ key: any StorageKey) throws {
        for held in [key] + key.allSources {
            if case .file = held.place { continue }
            do {
                _ = try stored.isStored(held)
            } catch let error as StorageError where error.code == .lockedBeforeFirstUnlock {
                throw error
            } catch {}
        }
    }

    /// - Parameter removed: The key that is being removed, whose own removal comes after this.
    private func retire(
        _ key: any StorageKey, at location: StorageLocation, of removed: any StorageKey, visited: inout Set<[String]>,
        noting noted: inout NotedRemoval
    ) async throws {
        guard let migration = key.migration?.base, try visited.insert(key.linkOfChain).inserted else { return }
        let sources = ((migration as? any PlannedMigration)?.clearableSources(in: moves.migrationContext()) ?? migration.sourceKeys).map(
            \.base)
        var clearable: [any StorageKey] = []
        for source in sources where try await !moves.isNeeded(source, besides: removed) { clearable.append(source) }
        // What stays is somebody else's, and not to be made a value of again.
        if clearable.isEmpty || clearable.count < sources.count {
            if noted.marks.isEmpty { noted.held = try heldPlaces(of: removed) }
            noted.marks.append((location, try moves.removalMark(at: location)))
            try moves.markRemoved(at: location, sources: migration.sourceKeys.map(\.base))
        }
        guard !clearable.isEmpty else { return }
        // What is left after a crash between two deletions must not make up a value again.
        let held = sources.count > 1 ? clearable.filter { (try? stored.isStored($0)) != false } : []
        if sources.count > 1 { try marks.write(.completing, at: location) }
        do {
            for source in clearable { try await clear(source, of: removed, visited: &visited, noting: &noted) }
        } catch {
            // Nothing is gone: nothing is to be completed.
            if sources.count > 1, held.allSatisfy({ (try? stored.isStored($0)) == true }) { try? marks.remove(.completing, at: location) }
            throw error
        }
        if sources.count > 1 { try marks.remove(.completing, at: location) }
    }

    private func clear(
        _ source: any StorageKey, of removed: any StorageKey, visited: inout Set<[String]>, noting noted: inout NotedRemoval
    ) async throws {
        let place = try StorageLocation(of: source)
        try await retire(source, at: place, of: removed, visited: &visited, noting: &noted)
        // Where the chain leads back to the value itself.
        guard try place.resolved(in: environment) != StorageLocation(of: removed).resolved(in: environment) else { return }
        let announcesNames = noted.announcesNames
        let ticket: SyncTicket? = try await turns.run(at: place) {
            let mayReturn = self.moves.mayReturn(source, at: place)
            // Where the value was moved away, the mark of that tells what may come back.
            let edit = try mayReturn ? self.moves.extensionEdit(of: source)?.identifier ?? self.moves.editMoved(from: place) : nil
            let isOfOthers = try self.moves.isSourceOfOthers(source, besides: removed)
            // The value itself, under another name. It goes as what it is, with its version. Where that cannot be told nothing goes: taken for another it would
            // be gone without a version, and what was there before would come back.
            if try self.stored.isOneFile(source, removed) {
                // But a counterpart that was not updated has it under that name.
                try self.marks.remove(.moved, at: place)
                guard announcesNames, !isOfOthers, source.name != removed.name, self.versions.keepsVersions(of: removed) else { return nil }
                return try await self.versions.willChange(source, to: nil, origin: self.turns.localOrigin)
            }
            // Not where it is verified to be absent; where that cannot be told, deleting may still work.
            if (try? self.stored.isStored(source)) == false {
                // Perhaps by a removal that was cut short before it was durable.
                try self.stored.settle(source)
                self.stored.collectLeftovers(of: source, isRemoval: true)
                // Its record has a digest of what was there until the removal is confirmed.
                if self.versions.keepsVersions(of: source) {
                    _ = try? self.sync.ledger.recover(source, finding: nil)
                }
            } else {
                let keepsVersions = self.versions.keepsVersions(of: removed)
                if keepsVersions { try self.sync.ledger.requireRoom() }
                if !isOfOthers, keepsVersions {
                    try await self.versions.noteChange(self.values.erase(source, origin: self.turns.localOrigin), of: source)
                } else {
                    // The counterpart's older app keeps its own: the removed key never syncs, or another key was made of the same value, which nobody removed.
                    try self.values.takeAway(source, origin: .migration)
                    self.sync.ledger.noteMovedAway(source, to: removed)
                }
            }
            // Nothing was moved that could be looked for any more, but by another key. Not before: by this a newer version of the app, which has its value
            // at the same place, knows what lies there for the older value.
            if !isOfOthers { try self.marks.remove(.moved, at: place) }
            if mayReturn { try self.moves.noteCleared(at: place, edit: edit) }
            return nil
        }
        if let ticket { noted.names.append((source, ticket)) }
    }
}
