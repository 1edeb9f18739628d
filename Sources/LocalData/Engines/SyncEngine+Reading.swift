import Foundation

/// Reading of the synced keys, to know what there is to send.
extension SyncEngine {
    enum SyncLoading {
        /// Keys that this process has not read yet.
        case missing
        /// All keys, so that edits made outside LocalData are found.
        case all
    }

    /// Takes the synced keys that this process knows of into the outbox. What cannot be read is noted there.
    func loadSyncedKeys(_ loading: SyncLoading, on router: isolated StorageRouter) async {
        for key in sync.ledger.syncedKeys(on: environment.device.role) {
            if loading == .missing, await sync.isLoaded(key.name) { continue }
            await loadSynced(key, on: router)
        }
    }

    private func loadSynced(_ key: any StorageKey, on router: isolated StorageRouter) async {
        do {
            let location = try stored.location(of: key)
            guard sync.ledger.claim(key, at: location) else { return }
            try await turns.run(at: location) {
                let entry = try await self.syncEntry(of: key, on: router)
                if let entry, entry.isDeletion { try self.sync.ledger.coverByMark(entry.stamp, of: key) }
                // Found, not changed: a manual key that was published stays so.
                let reduced = entry.flatMap { self.versions.reducedEntry($0, of: key) }
                await self.sync.hold(entry, reduced: reduced, of: key, isShared: false)
            }
        } catch is CancellationError {
            // Nothing is wrong with the key. Who syncs next reads it.
        } catch {
            await sync.withhold(key, because: SyncLedger.storageError(error).code, isBeyondReading: error is DamagedValue)
        }
    }

    /// What a key holds, with edits made outside LocalData and unconfirmed changes settled. Called under the key's lock.
    /// - Throws: also ``DamagedValue``.
    func syncEntry(of key: any StorageKey, on router: isolated StorageRouter) async throws -> SyncEntry? {
        // What lies there may be another key's, which does not travel.
        try admission.requireFileOfItsOwn(key)
        let revision = try await foundRevision(of: key)
        try requireMayCount(key, finding: revision)
        try await requireUndamaged(key, finding: revision, on: router)
        let record = try sync.ledger.recover(key, finding: revision)
        guard let revision else {
            guard let record, record.committed.content == .deleted else { return try await adoptRemovalAtSource(of: key) }
            return SyncEntry(stamp: record.committed.stamp, value: nil, isSettled: record.isSettled)
        }
        if let record, let deletion = try sync.ledger.deletionToRepeat(for: record, of: key) {
            try await remove(key, as: deletion)
            return SyncEntry(stamp: deletion, value: nil)
        }
        let stamp = try record?.committed.stamp ?? sync.ledger.stampOfFoundValue(of: key, revision: revision)
        // The same version is not read twice: opening it may cost a person's attention, or much time. The tag of a sealed keychain item does not say
        // whether its bytes are whole, so that is opened.
        if record != nil, !(key.domain.isKeychain && key.security.isEncrypted), let held = await sync.outbox.current(key.name),
            held.stamp == stamp, !held.isDeletion
        {
            return held
        }
        guard !key.security.asksPerson else { throw StorageError(.authenticationRequired, key: key.name, operation: "sync") }
        guard let plain = try await openedForSync(key, on: router) else { return nil }
        // A damaged record stays where it is, to be seen.
        if record == nil, sync.ledger.problem(of: key.name)?.code != .corrupt {
            try sync.ledger.adopt(key, at: stored.location(of: key), finding: revision, as: stamp)
        }
        return SyncEntry(
            stamp: stamp, value: plain, isReduced: record?.committed.isReduced ?? false,
            schemaVersion: try stored.storedSchema(of: key))
    }

    /// The revision of what lies at the key's place, without what nobody can open any more; `nil` on verified absence.
    private func foundRevision(of key: any StorageKey) async throws -> Data? {
        try await values.discardIfSealedForGood(key)
        return try await stored.syncRevision(of: key).value
    }

    /// The serialized value. What can never be opened again is damage: its envelope is not whole, or its master key is gone.
    private func openedForSync(_ key: any StorageKey, on router: isolated StorageRouter) async throws -> Data? {
        do {
            return try await values.plainData(of: key, inAnyForm: true, asksPerson: false)
        } catch let error as StorageError where isDamage(error, of: key) {
            throw DamagedValue(reason: error)
        } catch let error as StorageError where error.code == .keyMissing {
            guard try await stored.formSealedForGood(of: key) != nil else { throw error }
            throw DamagedValue(reason: error)
        }
    }

    /// Whether a value that does not open never will. Not where the key material is a provider's: it may be what a person typed, and typed wrong. Nor in a file
    /// that the key's migration is still to give its own form.
    private func isDamage(_ error: StorageError, of key: any StorageKey) -> Bool {
        guard !key.allSources.contains(where: { (try? stored.isAnotherName($0, of: key)) == true }) else { return false }
        guard error.code == .decryptionFailed else { return error.code == .corrupt }
        if case .master? = try? stored.envelopeHeader(of: key)?.keySource { return true }
        return false
    }

    /// While the counterpart has the value in a form that only a newer version of this app knows, no edit of this one's counts: `set` refuses it, and what an extension has
    /// set, or other code, is no version of anything until then. It does not travel, and the counterpart's replaces it.
    private func requireMayCount(_ key: any StorageKey, finding revision: Data?) throws {
        guard let form = newerForm(of: key), let revision, try isEdit(revision, of: key) else { return }
        let facts = ["the counterpart has schema version \(form), this app knows \(key.schemaVersion)"]
        throw DamagedValue(reason: StorageError(.superseded, key: key.name, domain: key.domain.kind, operation: "sync", facts: facts))
    }

    /// Whether what lies there is such an edit, and came after a version that this device has had already. That replaces nothing, whoever tells it once more; damage it does.
    func isBefore(editOf key: any StorageKey, _ incoming: SyncStamp, on router: isolated StorageRouter) async throws -> Bool {
        guard newerForm(of: key) != nil, let record = try sync.ledger.record(of: key.name, in: key.domain),
            incoming <= record.latestStamp,
            let revision = try await foundRevision(of: key), try isEdit(revision, of: key)
        else { return false }
        do {
            try await requireUndamaged(key, finding: revision, on: router)
            return true
        } catch is DamagedValue {
            return false
        }
    }

    /// The form in which the counterpart has the value, where only a newer version of this app knows it.
    private func newerForm(of key: any StorageKey) -> Int? {
        guard sync.ledger.awaitsForms, let form = try? sync.ledger.installation().awaitedForm(of: key.name), form > key.schemaVersion else {
            return nil
        }
        return form
    }

    /// Whether what lies there is none of the values that this app has recorded.
    private func isEdit(_ revision: Data, of key: any StorageKey) throws -> Bool {
        guard let record = try sync.ledger.record(of: key.name, in: key.domain), record.knows(revision) else { return true }
        return try sync.ledger.newExtensionEdit(of: key, besides: record, finding: revision) != nil
    }

    /// Bytes that LocalData did not write may be an edit by somebody else. If `get` cannot return them they are damage, and no version of anything:
    /// they do not travel, and any version of the counterpart replaces them.
    private func requireUndamaged(_ key: any StorageKey, finding revision: Data?, on router: isolated StorageRouter) async throws {
        guard let revision, !key.domain.isKeychain || key.security.isEncrypted,
            let record = try sync.ledger.record(of: key.name, in: key.domain),
            !record.knows(revision)
        else { return }
        do {
            guard let plain = try await values.plainData(of: key, inAnyForm: true, asksPerson: false) else { return }
            // What a newer app has left cannot be judged.
            if try stored.storedSchema(of: key) <= key.schemaVersion {
                try key.requireDecodable(plain, width: environment.device.integerBitWidth)
            }
        } catch let error as StorageError where error.code == .undeclaredPolicy {
            // Another version of the app has sealed it, or left it plain, and could not record that.
            if sync.ledger.carriedCounter(by: revision, of: key) > 0 { throw error }
            if try await stored.storedForm(of: key, asksPerson: false)?.looksSealed == true { throw error }
            throw DamagedValue(reason: error)
        } catch let error as StorageError where error.code == .wrongType || isDamage(error, of: key) {
            throw DamagedValue(reason: error)
        } catch let error as StorageError where error.code == .outOfRange {
            // Whole, and too wide for this device alone.
        }
    }
}

/// What an earlier version of the app left on this device is a version of the value as well, though its migration was not made yet: the counterpart's must
/// not be taken for the only one, or the migration would find its destination filled and delete what it should have brought there.
extension SyncEngine {
    /// Brings an absent value over, if its key has a migration and what comes from the counterpart may be older than that. Called in the key's turn.
    /// - Throws: Why it cannot be told what there is, or which of the two is later. Nothing is to be applied then.
    func bringOver(_ key: any StorageKey, before incoming: SyncStamp, on router: isolated StorageRouter) async throws {
        guard let migration = key.migration?.base, try !isCertainlyLater(incoming, thanSourcesOf: key) else { return }
        let location = try stored.location(of: key)
        guard try !stored.isStored(key), !turns.isMigrating(into: location), try !moves.isRetired(key, at: location) else { return }
        do {
            if self.migration.mayAskPerson(key) {
                let isDue = try await turns.run(at: location, migrating: key, admitsTasks: migration.isOfApp) {
                    try await migration.shouldMigrate(using: router, context: self.moves.migrationContext())
                }
                guard isDue else { return }
                throw StorageError(.authenticationRequired, key: key.name, operation: "sync")
            }
            guard
                let result = try await self.migration.runMigration(of: key, at: location, context: moves.migrationContext(), using: router),
                try !stored.isStored(key),
                let error = result.errors.first
            else { return }
            throw error.readError(of: key)
        } catch {
            let problem = SyncLedger.storageError(error)
            guard !problem.code.mayPass else { throw error }
            // As a value at the key's own place that nobody opens any more gives way to any version.
            if try await isLost(problem, atOnlySourceOf: key) { return }
            // It will not be made for good, so it is all the same what the value would be. Which version it is can be told.
            guard let earlier = try await versions.stampToCome(for: key),
                incoming <= .found(as: earlier, on: incoming.device)
            else { return }
            throw error
        }
    }

    /// Whether a migration fails since what lies at its source, or at that of the chain behind it, is damaged or sealed for good. Of several sources one may be whole.
    private func isLost(_ error: StorageError, atOnlySourceOf key: any StorageKey) async throws -> Bool {
        var next = key.onlySource
        for _ in key.allSources {
            guard let source = next else { return false }
            if try stored.isStored(source) {
                switch error.code {
                case .keyMissing: return try await stored.formSealedForGood(of: source) != nil
                case .wrongType: return try await isUnrecorded(source)
                default: return isDamage(error, of: source)
                }
            }
            next = source.onlySource
        }
        return false
    }

    /// Whether what lies at a source is none of the values that were recorded there. One that was, and that a migration cannot read, another version of the app may.
    private func isUnrecorded(_ source: any StorageKey) async throws -> Bool {
        guard let revision = try await stored.syncRevision(of: source).value,
            let text = try sync.ledger.store.record(of: source.name, in: source.domain),
            let record = try? SyncRecord(encoded: text, keyName: source.name)
        else { return false }
        return !record.knows(revision)
    }

    /// Whether a version is later than anything that the key's migration can bring: somebody set it at the new place.
    private func isCertainlyLater(_ incoming: SyncStamp, thanSourcesOf key: any StorageKey) throws -> Bool {
        guard !incoming.isOfFoundValue, key.migration?.base.sourceKeys.contains(where: { $0.name == key.name }) == false else {
            return false
        }
        // Nor a version of the time before the value had another name.
        if let name = key.nameReturn, incoming.isBefore(name) { return false }
        // What is found after a deletion counts as an edit.
        return try sync.ledger.record(of: key.name, in: key.domain)?.committed.content != .deleted
    }
}
