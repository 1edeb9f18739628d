import Foundation

/// Preferences of the app, of suites and of App Groups.
///
/// A process that was started before the first unlock sees empty preferences. They are not believed: every operation then throws
/// ``StorageError/Code/lockedBeforeFirstUnlock``. Nothing in here is isolated to the actor, so keys do not wait for each other.
public actor UserDefaultsHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: UserDefaultsHelper { StorageRouter.shared.defaults }

    let environment: StorageEnvironment

    init(environment: StorageEnvironment) {
        self.environment = environment
    }
}

/// What apps call. All of these throw ``StorageError``.
extension UserDefaultsHelper {
    /// Stores a value. It survives a crash of the app; a power loss may take the last sets of a suite, in their order.
    public nonisolated func set(_ value: PropertyListValue, forKey key: String, in suite: DefaultsSuite = .standard) async throws {
        try check(key, suite)
        try change(to: value, forKey: key, in: suite)
    }

    /// The stored value, or `nil` on verified absence.
    public nonisolated func value(forKey key: String, in suite: DefaultsSuite = .standard) async throws -> PropertyListValue? {
        try check(key, suite)
        return try stored(forKey: key, in: suite)
    }

    /// Removes the value; removing an absent one succeeds.
    /// - Throws: ``StorageError``: `lockedBeforeFirstUnlock`, `invalidKey` for one of LocalData's own entries, `unsupported` for an App
    ///   Group that the app does not belong to.
    public nonisolated func remove(forKey key: String, in suite: DefaultsSuite = .standard) async throws {
        try check(key, suite)
        try change(to: nil, forKey: key, in: suite)
    }

    /// Whether the suite itself holds a value of that key.
    /// - Throws: ``StorageError`` as ``remove(forKey:in:)``.
    public nonisolated func exists(forKey key: String, in suite: DefaultsSuite = .standard) async throws -> Bool {
        try check(key, suite)
        return try stored(forKey: key, in: suite) != nil
    }

    /// The keys stored in the suite itself, sorted by their UTF-8 bytes, without LocalData's own.
    public nonisolated func keys(in suite: DefaultsSuite = .standard) async throws -> [String] {
        try storedKeys(in: suite)
    }

    private nonisolated func check(_ key: String, _ suite: DefaultsSuite) throws {
        let domain = suite.domain
        let problems = KeyRules.problems(name: key, domain: domain, security: .none)
        guard problems.isEmpty else { throw StorageError(.invalidKey, key: key, domain: domain.kind, facts: problems) }
    }
}

/// The operations themselves. Synchronous, from any thread.
extension UserDefaultsHelper {
    nonisolated func storedKeys(in suite: DefaultsSuite) throws -> [String] {
        try mapped {
            try environment.defaults.requireReadable(suite)
            return try environment.defaults.keys(in: suite).filter { !$0.hasPrefix(KeyRules.reservedPrefix) }
        }
    }

    nonisolated func stored(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? {
        try mapped {
            try environment.defaults.requireReadable(suite)
            return try environment.defaults.value(forKey: key, in: suite)
        }
    }

    nonisolated func change(to value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
        try mapped {
            try environment.defaults.requireReadable(suite)
            if let value { try requireRoom(for: value, forKey: key, in: suite) }
            try environment.defaults.set(value, forKey: key, in: suite)
        }
    }

    /// Refuses what would make a suite larger than the system writes: beyond that it keeps nothing more of the suite, and ends the process on a watch. Small
    /// values are not counted up: an app may have thousands, and each would be counted for each.
    private nonisolated func requireRoom(for value: PropertyListValue, forKey key: String, in suite: DefaultsSuite) throws {
        let byteCount = PropertyListValue.approximateByteCount(of: key) + value.approximateByteCount
        guard byteCount >= DefaultsLimits.smallestCounted else { return }
        let limit = DefaultsLimits.maximumByteCount(on: environment.device.role)
        guard byteCount < limit, try byteCount + environment.defaults.byteCount(of: suite, without: key) < limit else {
            throw StorageError(
                .noSpace,
                facts: [
                    "a suite of preferences holds less than \(limit) bytes here, and the value has \(byteCount); keep large values in a file domain"
                ])
        }
    }

    /// Asks the system to take over what was set, as far as it lets itself be asked.
    nonisolated func handOver(_ suite: DefaultsSuite) throws {
        try mapped { try environment.defaults.synchronize(suite) }
    }

    private nonisolated func mapped<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            let problem = error.storageError(lockState: environment.device.lockState)
            throw problem.code == .notFound ? StorageError(.inputOutput, facts: problem.facts) : problem
        } catch let error as PropertyListValueError {
            // Without the place, which names what somebody else stored.
            throw StorageError(.wrongType, facts: ["what lies there is no property list that LocalData reads: \(error.problem)"])
        }
    }
}

/// How large a suite of preferences may become.
///
/// Apple documents none. Developers have seen that iOS and macOS write nothing more of a suite of 4,194,304 bytes or more, and log it, and that watchOS 26 ends
/// an app that sets a value in one of 1,048,576 or more. What these count is not known to the byte, so this stops a sixteenth before.
enum DefaultsLimits {
    /// Smaller values are set without counting.
    static let smallestCounted = 1 << 14

    static func maximumByteCount(on role: DeviceRole) -> Int {
        let observed = role == .watch ? 1 << 20 : 1 << 22
        return observed - observed / 16
    }
}

extension DefaultsStore {
    func requireReadable(_ suite: DefaultsSuite) throws {
        guard isReadable(suite) else {
            throw StorageError(
                .lockedBeforeFirstUnlock,
                facts: [
                    "the process was, or may have been, started before the first unlock, and its preferences are empty then; launch the app again"
                ])
        }
    }
}

extension DefaultsSuite {
    /// The domain whose values lie in the suite.
    var domain: StorageDomain {
        switch self {
        case .standard: .userDefaults(suite: nil)
        case .named(let suite): .userDefaults(suite: suite)
        case .appGroup(let identifier): .appGroupUserDefaults(identifier: identifier)
        }
    }
}
