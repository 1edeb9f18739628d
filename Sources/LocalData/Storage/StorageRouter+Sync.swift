import Foundation

extension StorageRouter {
    /// Announces a change durably, before the stored bytes change. Called under the key's lock. `form` is `nil` for a removal.
    /// - Returns: `nil` if the key does not sync.
    func syncWillChange(_ key: any StorageKey, to form: StoredForm?, origin: ChangeOrigin) async throws -> SyncTicket? {
        nil
    }

    /// Confirms the change after it was stored. Called under the key's lock. `plain` are the serialized bytes, `nil` for a removal.
    func syncDidChange(_ ticket: SyncTicket, key: any StorageKey, plain: Data?, origin: ChangeOrigin) async {}

    /// Sends what is to be sent after a change. Called after the lock is released. Never throws: what cannot be sent stays pending.
    func syncAfterChange(_ ticket: SyncTicket, key: any StorageKey, origin: ChangeOrigin) async {}
}
