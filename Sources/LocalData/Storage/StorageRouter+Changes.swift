extension StorageRouter {
    /// A key's values: the current one first, then each change, with where it came from (this device, the counterpart, a migration).
    ///
    /// ```swift
    /// for try await change in StorageRouter.shared.changes(of: StorageKeys.ThemeKey()) {
    ///     apply(change.value ?? .system)
    /// }
    /// ```
    ///
    /// An observer that is slower than the changes skips to the latest. Changes made by other processes, or around LocalData, are not seen.
    public nonisolated func changes<Key: StorageKey>(of key: Key) -> StorageChanges<Key> {
        StorageChanges(router: self, key: key)
    }

    /// The current value and, without a gap, the changes from then on.
    nonisolated func observe<Key: StorageKey>(_ key: Key) async throws -> (AsyncStream<ChangeObservers.Update>, Key.Value?) {
        try await perform("changes", on: key) { location in
            try await self.run(at: location) {
                if try await self.plainData(of: key) == nil { try await self.migrateOnRead(key, at: location) }
                let value = try await self.value(of: key)
                return (self.observers.updates(at: location.resolved(in: self.environment)), value)
            }
        }
    }
}
