import Foundation

/// Forgetting of removals: a tombstone is pruned once this device and every counterpart have it, and know that of each other.
extension SyncEngine {
    /// Both devices have the same deletion. If the counterpart knew that already, this one may forget it; else the counterpart will learn of it.
    /// A phone keeps it until all of its watches have it; and it is kept of a key with a migration, since what an earlier version of the app leaves
    /// after a deletion is an edit, which only the deletion's version tells from something older.
    func noteShared(_ deletion: SyncEntry, of key: any StorageKey, by snapshot: SyncSnapshot, on router: isolated StorageRouter)
        async throws
    {
        let others = try sync.ledger.counterparts(besides: snapshot)
        if try isLost(deletion.stamp, of: key, awaitedBy: others) { try recordRemoval(as: deletion.stamp, of: key) }
        guard let record = try sync.ledger.record(of: key.name, in: key.domain) else {
            // Forgotten here, or never known. What is set from now on goes on from it all the same: the counterpart may still remember.
            return try sync.ledger.noteForgotten(deletion.stamp, of: key.name)
        }
        // Taken back from what this device sent: nobody is known to have it.
        guard try snapshot.epoch != sync.ledger.installation().epoch else { return }
        try sync.ledger.settleSeen(key)
        if deletion.isSettled, key.migration == nil, others.allSatisfy(record.holders.contains) {
            try await forget(record, of: key, on: router)
        } else {
            try sync.ledger.settle(record, in: key.domain, by: snapshot.epoch, among: others)
            await hold(SyncEntry(stamp: deletion.stamp, value: nil, isSettled: true), of: key, on: router)
        }
    }

    /// Whether a power loss may have taken a deletion from preferences, with its record, before all watches had it: one that was forgotten is up to the floor. The others are
    /// still to hear of it, or what they have would come back with them, again and again.
    private func isLost(_ deletion: SyncStamp, of key: any StorageKey, awaitedBy others: [String]) throws -> Bool {
        guard !others.isEmpty, key.domain.defaultsSuite != nil, deletion.lineage == nil,
            try sync.ledger.record(of: key.name, in: key.domain) == nil, sync.ledger.problem(of: key.name) == nil
        else { return false }
        return try deletion.isAbove(sync.ledger.installation().floor(of: key.name))
    }

    /// A deletion that the counterpart was known to have and no longer mentions is over. Another installation of it is another counterpart: it may have
    /// received, meanwhile, what was deleted.
    func forgetSettledDeletions(missingFrom snapshot: SyncSnapshot, on router: isolated StorageRouter) async throws {
        let everybody = try sync.ledger.counterparts(besides: snapshot) + [snapshot.epoch]
        for key in sync.ledger.syncedKeys(on: environment.device.role)
        where key.migration == nil && snapshot.isSilent(about: key.name) {
            guard let held = await sync.outbox.current(key.name), held.isDeletion, held.isSettled else { continue }
            try await turns.run(at: stored.location(of: key)) {
                guard let record = try self.sync.ledger.record(of: key.name, in: key.domain), record.pending == nil,
                    record.committed.content == .deleted, record.isSettled, everybody.allSatisfy(record.holders.contains)
                else { return }
                try await self.forget(record, of: key, on: router)
            }
        }
    }

    /// Removes once more what a deletion had taken away that was forgotten since: a watch that nobody knew of had it still, or a power loss brought it
    /// back. Called in the key's turn.
    /// - Returns: Whether it is such a version, and the counterpart will be told so.
    func removeAgain(_ incoming: SyncStamp, of key: any StorageKey, on router: isolated StorageRouter) async throws -> Bool {
        guard try sync.ledger.wasRemoved(incoming, of: key), try !stored.isStored(key) else { return false }
        let stamp = try sync.ledger.recordRemovedAgain(incoming, of: key, at: stored.location(of: key))
        await hold(SyncEntry(stamp: stamp, value: nil), of: key, on: router)
        return true
    }

    /// Removes what the counterpart's update made of an older value, where that was removed on this device under the key's former name: whoever heard of
    /// the removal would have made nothing of it. An edit under the former name goes before it in the same way. So does what the removed value was under
    /// the same name at a former place, which has a record of its own, and an earlier removal, which what was sent before the later one would go before. Called in the
    /// key's turn.
    /// - Returns: Whether it is such a value, and the counterpart will be told so.
    func removeAsAtSource(_ incoming: SyncStamp, of key: any StorageKey, on router: isolated StorageRouter) async throws -> Bool {
        guard let stamp = try await removalAtSource(of: key), incoming < stamp,
            // What has no version at all came from no migration: an extension set it.
            try !(incoming.hasNoVersion && stored.isShared(key))
        else { return false }
        try recordRemoval(as: stamp, of: key)
        await hold(SyncEntry(stamp: stamp, value: nil), of: key, on: router)
        return true
    }

    /// The removal under a former name or at a former place, of a key that has neither a value nor a version at its own, as a version of the key. It is told like any
    /// other removal: what somebody sets who never had the value would lose to one that was never heard of.
    func adoptRemovalAtSource(of key: any StorageKey) async throws -> SyncEntry? {
        guard key.migration != nil, let stamp = try await removalAtSource(of: key) else { return nil }
        try recordRemoval(as: stamp, of: key)
        return SyncEntry(stamp: stamp, value: nil)
    }

    private func removalAtSource(of key: any StorageKey) async throws -> SyncStamp? {
        let known = try sync.ledger.record(of: key.name, in: key.domain)
        let place = try stored.location(of: key).identity
        // A record of the time when the value was here before, or had the name at another place, says nothing of it.
        guard try !stored.isStored(key), known.map({ $0.pending == nil && $0.committed.content == .lost || $0.location != place }) ?? true
        else { return nil }
        return try await versions.removalOfSource(of: key)
    }

    private func recordRemoval(as stamp: SyncStamp, of key: any StorageKey) throws {
        let known = try sync.ledger.record(of: key.name, in: key.domain)
        let record = SyncRecord(
            keyName: key.name, location: try stored.location(of: key).identity, committed: SyncVersion(stamp: stamp, content: .deleted),
            highestCounter: max(stamp.counter, known?.highestCounter ?? 0))
        try sync.ledger.setRecord(record, of: key.name, in: key.domain)
    }

    private func forget(_ record: SyncRecord, of key: any StorageKey, on router: isolated StorageRouter) async throws {
        guard try sync.ledger.forget(record, in: key.domain) else { return }
        await hold(nil, of: key, on: router)
    }

    func hold(_ entry: SyncEntry?, of key: any StorageKey, on router: isolated StorageRouter) async {
        await sync.hold(entry, of: key, isShared: true)
    }

    /// Says a removal back under a name that is made at run time and that this process has not used, where a catalog lists names of its kind and nothing lies at the
    /// place: then this device has it as well, and the counterpart may forget it. Nobody else would say so, since such a name may never be used again.
    /// One that the counterpart knows to be here, such as one that it says back itself, is not said back again: each would then be the other's only reason to keep it.
    func repeatRemoval(_ deletion: SyncEntry, named name: String) async -> Bool {
        guard let listed = admission.catalogs.description(matching: name), !listed.hasMigration else { return false }
        let key = DescribedKey(listed, name: name)
        do {
            _ = try sync.ledger.overrides()
            guard sync.ledger.syncs(key, on: environment.device.role) else { return false }
            return try await turns.run(at: stored.location(of: key)) {
                guard try self.sync.ledger.record(of: name, in: key.domain) == nil, self.sync.ledger.problem(of: name) == nil,
                    try !self.stored.isStored(key)
                else { return false }
                if !deletion.isSettled { await self.sync.repeatRemoval(deletion.stamp, of: key) }
                return true
            }
        } catch {
            return false
        }
    }
}
