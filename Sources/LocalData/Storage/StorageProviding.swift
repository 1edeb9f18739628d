/// The storage operations that code under test depends on, so that tests can put another store in the router's place.
public protocol StorageProviding: Sendable {
    /// Stores `value` durably; when it returns, the value survives a crash and a power loss.
    func set<Key: StorageKey>(_ value: Key.Value, for key: Key) async throws
    /// The stored value. Throws ``StorageError/Code/notFound`` only on verified absence.
    func get<Key: StorageKey>(_ key: Key) async throws -> Key.Value
    /// Removes the value. Removing an absent value succeeds.
    func remove<Key: StorageKey>(_ key: Key) async throws
    /// Whether a value is stored. Throws where that cannot be told, such as on a locked device.
    func exists<Key: StorageKey>(_ key: Key) async throws -> Bool
}
