/// Sync policies chosen at run time.
extension StorageRouter {
    /// Replaces the declared sync policy of a key on this device, durably, such as for a setting "sync over the watch"; `nil` returns to the declaration.
    ///
    /// ``SyncPolicy/never`` stops sending and applying here; what the counterpart has stays there, and what the system has not delivered to it yet is
    /// taken back, at once where the session is activated, else by the next sync. What is on its way already arrives. What is set and removed here
    /// meanwhile keeps its place among the versions of the value, and travels once the key syncs again. Another policy takes effect with the next
    /// change or sync. It does not make a key sync whose availability keeps it on one device.
    ///
    /// It goes along with the value: a key with a ``StorageKey/migration`` and without a choice of its own has that of its source, where both declare
    /// the same policy, and else what was switched off or restricted at any of its sources.
    ///
    /// A damaged list of overrides means ``SyncPolicy/never`` for every key, since nobody knows what a person switched off: ``syncStatus()`` and the audit
    /// tell. The first override that is set then replaces the list. Each other key stays as it is until it gets an override, or `nil` for its declaration;
    /// ``removeSyncPolicyOverrides()`` does so for all keys.
    /// - Throws: ``StorageError`` if the list of overrides cannot be read or written, or is of a newer version (`superseded`); the policy is then unchanged.
    public func setSyncPolicyOverride<Key: StorageKey>(_ policy: SyncPolicy?, for key: Key) async throws {
        try checkRegistered(key, operation: "set the sync policy")
        do {
            try sync.ledger.setOverride(policy, of: key)
        } catch {
            throw SyncLedger.storageError(error).at(key: key.name, domain: key.domain.kind, operation: "set the sync policy")
        }
        await forgetOutgoing(key.name)
        // Refused, it is remembered for ``syncStatus()``, and the next sync does it.
        try? await sync.takeBackWhatStays()
    }

    /// Forgets what ``setSyncPolicyOverride(_:for:)`` chose, for all keys: each syncs again as it declares. Also the way out of a damaged list; ask the
    /// person first, who may have switched something off.
    /// - Throws: ``StorageError`` if the list of overrides cannot be read or written, or is of a newer version (`superseded`); the policies are then
    ///   unchanged.
    public func removeSyncPolicyOverrides() async throws {
        do {
            try sync.ledger.removeOverrides()
        } catch {
            throw SyncLedger.storageError(error).at(operation: "set the sync policy")
        }
        for name in sync.ledger.knownNames() { await forgetOutgoing(name) }
        try? await sync.takeBackWhatStays()
    }

    private func forgetOutgoing(_ name: String) async {
        await sync.drop(name)
        // Edits made while it did not sync are found when it is read again.
        sync.ledger.reread(name)
    }

    /// The sync policy in force for a key on this device: its override, else what it declares; ``SyncPolicy/never`` while the overrides cannot be read.
    public nonisolated func syncPolicy<Key: StorageKey>(of key: Key) -> SyncPolicy {
        sync.ledger.policy(of: key)
    }
}
