import Foundation

/// Reading of the synced keys, to know what there is to send.
extension StorageRouter {
    enum SyncLoading {
        /// Keys that this process has not read yet.
        case missing
        /// All keys, so that edits made outside LocalData are found.
        case all
    }

    /// Takes the synced keys that this process knows of into the outbox. What cannot be read is noted there.
    func loadSyncedKeys(_ loading: SyncLoading) async {
        for key in sync.ledger.syncedKeys(on: environment.device.role) {
            if loading == .missing, await sync.isLoaded(key.name) { continue }
            await loadSynced(key)
        }
    }

    private func loadSynced(_ key: any StorageKey) async {
        let policy = sync.ledger.policy(of: key)
        do {
            let location = try location(of: key)
            guard sync.ledger.claim(key, at: location) else { return }
            try await withExclusiveAccess(to: location) {
                let entry = try await self.syncEntry(of: key)
                // Found, not changed: a manual key that was published stays so.
                let reduced = entry.flatMap { self.reducedEntry($0, of: key) }
                await self.sync.hold(entry, reduced: reduced, of: key.name, policy: policy, isShared: false)
            }
        } catch {
            await sync.withhold(
                key.name, policy: policy, because: SyncLedger.storageError(error).code, isBeyondReading: error is DamagedValue)
        }
    }

    /// What a key holds, with edits made outside LocalData and unconfirmed changes settled. Called under the key's lock.
    /// - Throws: also ``DamagedValue``.
    func syncEntry(of key: any StorageKey) async throws -> SyncEntry? {
        try await discardIfSealedForGood(key)
        let revision = try await syncRevision(of: key).value
        try await requireUndamaged(key, finding: revision)
        let record = try sync.ledger.recover(key, finding: revision)
        guard let revision else {
            guard let record, record.committed.content == .deleted else { return nil }
            return SyncEntry(stamp: record.committed.stamp, value: nil, isSettled: record.isSettled)
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
        guard let plain = try await openedForSync(key) else { return nil }
        // A damaged record stays where it is, to be seen.
        if record == nil, sync.ledger.problems[key.name]?.code != .corrupt {
            try sync.ledger.adopt(key, at: location(of: key), finding: revision, as: stamp)
        }
        return SyncEntry(
            stamp: stamp, value: plain, isReduced: record?.committed.isReduced ?? false,
            schemaVersion: try storedSchema(of: key))
    }

    /// The serialized value. What can never be opened again is damage: its envelope is not whole, or its master key is gone.
    private func openedForSync(_ key: any StorageKey) async throws -> Data? {
        do {
            return try await plainData(of: key, inAnyForm: true, asksPerson: false)
        } catch let error as StorageError where isDamage(error, of: key) {
            throw DamagedValue(reason: error)
        } catch let error as StorageError where error.code == .keyMissing {
            guard try await isSealedForGood(key) else { throw error }
            throw DamagedValue(reason: error)
        }
    }

    /// Whether a value that does not open never will. Not where the key material is a provider's: it may be what a person typed, and typed wrong.
    private func isDamage(_ error: StorageError, of key: any StorageKey) -> Bool {
        guard error.code == .decryptionFailed else { return error.code == .corrupt }
        if case .master? = try? envelopeHeader(of: key)?.keySource { return true }
        return false
    }

    /// Bytes that LocalData did not write may be an edit by somebody else. If `get` cannot return them they are damage, and no version of anything:
    /// they do not travel, and any version of the counterpart replaces them.
    private func requireUndamaged(_ key: any StorageKey, finding revision: Data?) async throws {
        guard let revision, !key.domain.isKeychain || key.security.isEncrypted,
            let record = try sync.ledger.record(of: key.name, in: key.domain),
            !record.knows(revision)
        else { return }
        do {
            guard let plain = try await plainData(of: key, inAnyForm: true) else { return }
            // What a newer app has left cannot be judged.
            if try storedSchema(of: key) <= key.schemaVersion {
                try key.requireDecodable(plain, width: environment.device.integerBitWidth)
            }
        } catch let error as StorageError where [.wrongType, .undeclaredPolicy].contains(error.code) || isDamage(error, of: key) {
            throw DamagedValue(reason: error)
        } catch let error as StorageError where error.code == .outOfRange {
            // Whole, and too wide for this device alone.
        }
    }

    /// The revision of what lies at the key's place, `nil` on verified absence. Called under the key's lock.
    nonisolated func syncRevision(of key: any StorageKey) async throws -> (value: Data?, Void) {
        if case .keychain(let service) = key.domain {
            return (try keychain.syncTag(of: key, service: service), ())
        }
        return (try await storedForm(of: key).map(SyncRevision.digest), ())
    }
}

/// What lies at a key's place is no value of the key and will never be read as one: damaged, or sealed under a key that is gone.
struct DamagedValue: Error {
    let reason: StorageError
}

extension SecurityPolicy {
    /// Whether reading may show a prompt, which nothing in the background may cause.
    var asksPerson: Bool {
        if case .keychain(_, let control) = self { control != nil } else { false }
    }
}

extension KeychainHelper {
    /// What is stored beside a secret as its version's tag; empty for an item without one, `nil` where there is no item. Asks nobody.
    nonisolated func syncTag(of key: any StorageKey, service: String?) throws -> Data? {
        try syncTag(service: service, account: key.name, accessGroup: key.accessGroup)
    }

    nonisolated func syncTag(service: String?, account: String, accessGroup: String? = nil) throws -> Data? {
        var query = query(account, service, accessGroup)
        query.returnsData = false
        query.allowsInteraction = false
        let (status, item, _) = found(query)
        switch status {
        case .success: return item.map { KeychainItemMetadata(stored: $0.generic ?? Data()).tag ?? Data() }
        case .itemNotFound: return nil
        default:
            throw StorageError(
                status.storageError(lockState: environment.device.lockState, stores: false), key: account, operation: "sync",
                facts: [status.fact(at: "copyMatching")])
        }
    }
}
