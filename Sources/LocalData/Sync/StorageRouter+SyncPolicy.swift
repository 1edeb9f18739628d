/// Sync policies chosen at run time.
extension StorageRouter {
    /// Replaces the declared sync policy of a key on this device, durably, such as for a setting "sync over the watch"; `nil` returns to the declaration.
    ///
    /// ``SyncPolicy/never`` stops sending and applying here; what the counterpart has stays there. What is set and removed here meanwhile keeps its
    /// place among the versions of the value, and travels once the key syncs again. Another policy takes effect with the next change or sync. It does not make a key sync whose availability keeps it on one device.
    /// - Throws: ``StorageError`` if the list of overrides cannot be read or written; the policy is then unchanged.
    public func setSyncPolicyOverride<Key: StorageKey>(_ policy: SyncPolicy?, for key: Key) async throws {
        try checkRegistered(key, operation: "set the sync policy")
        do {
            try sync.ledger.setOverride(policy, of: key.name)
        } catch {
            throw SyncLedger.storageError(error).at(key: key.name, domain: key.domain.kind, operation: "set the sync policy")
        }
        await sync.drop(key.name)
        // Edits made while it did not sync are found when it is read again.
        sync.ledger.reread(key.name)
    }

    /// The sync policy in force for a key on this device: its override, else what it declares.
    public nonisolated func syncPolicy<Key: StorageKey>(of key: Key) -> SyncPolicy {
        sync.ledger.policy(of: key)
    }
}
