import Foundation

/// Preferences of the app, of suites and of App Groups.
///
/// A process that started before the first unlock sees empty preferences, and keeps seeing them; the helper refuses with
/// ``StorageError/Code/lockedBeforeFirstUnlock`` rather than believe it. What was set survives a crash of the app; a power loss may take the
/// last sets of a suite, in order, as it does with every app's preferences.
public actor UserDefaultsHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: UserDefaultsHelper { StorageRouter.shared.defaults }

    nonisolated let environment: StorageEnvironment

    init(environment: StorageEnvironment) {
        self.environment = environment
    }

    public nonisolated func set(_ value: PropertyListValue, forKey key: String, in suite: DefaultsSuite = .standard) throws {
        try mapped(suite) { try environment.defaults.set(value, forKey: key, in: suite) }
    }

    /// - Returns: `nil` where the suite verifiably has no such key.
    public nonisolated func get(_ key: String, in suite: DefaultsSuite = .standard) throws -> PropertyListValue? {
        try mapped(suite) { try environment.defaults.value(forKey: key, in: suite) }
    }

    /// Removes a key. Removing what is not there succeeds.
    public nonisolated func delete(_ key: String, in suite: DefaultsSuite = .standard) throws {
        try mapped(suite) { try environment.defaults.set(nil, forKey: key, in: suite) }
    }

    public nonisolated func exists(_ key: String, in suite: DefaultsSuite = .standard) throws -> Bool {
        try get(key, in: suite) != nil
    }

    /// The keys of a suite, sorted, without LocalData's own.
    public nonisolated func list(_ suite: DefaultsSuite = .standard) throws -> [String] {
        try mapped(suite) { try environment.defaults.keys(in: suite).filter { !$0.hasPrefix(StorageNameRules.reservedPrefix) } }
    }

    private nonisolated func mapped<Result>(_ suite: DefaultsSuite, _ body: () throws -> Result) throws -> Result {
        guard environment.defaults.isReadable(suite) else { throw StorageError(.lockedBeforeFirstUnlock) }
        do {
            return try body()
        } catch let error as FileSystemError {
            throw error.storageError(lockState: environment.device.lockState)
        }
    }
}
