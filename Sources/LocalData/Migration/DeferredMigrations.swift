import Foundation

/// The migrations that a sweep of this process had to defer, to be tried again once the device is unlocked.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class DeferredMigrations: @unchecked Sendable {
    private struct Name: Hashable {
        let key: String
        let domain: StorageDomain
    }

    private let lock = NSLock()
    private var keys: [Name: AnyStorageKey] = [:]

    /// In no order: a sweep has its own.
    var all: [AnyStorageKey] { lock.withLock { Array(keys.values) } }

    func note(_ key: some StorageKey) { lock.withLock { keys[Name(key: key.name, domain: key.domain)] = .key(key) } }

    func forget(_ key: any StorageKey) { lock.withLock { keys[Name(key: key.name, domain: key.domain)] = nil } }
}
