import Foundation

@testable import LocalData

/// Preferences in memory. A test can make suites unreadable, as to a process that was started before the first unlock, and fail calls.
final class MemoryDefaults: DefaultsStore, @unchecked Sendable {
    private let lock = NSLock()
    private var suites: [DefaultsSuite: [String: PropertyListValue]] = [:]
    private var readable = true
    private var failure: (any Error & Sendable)?
    private var count = 0
    private var crashes: Int?
    private var handOvers: [DefaultsSuite] = []
    private var left: DefaultsSuite?

    /// False: the process was started before the first unlock and sees nothing.
    var isReadable: Bool {
        get { lock.withLock { readable } }
        set { lock.withLock { readable = newValue } }
    }

    /// Every throwing call throws this, until it is `nil` again.
    func failAll(with error: (any Error & Sendable)?) { lock.withLock { failure = error } }

    /// The app is in the group of this suite no more.
    func leave(_ suite: DefaultsSuite) { lock.withLock { left = suite } }

    /// The number of sets and removals so far.
    var changeCount: Int { lock.withLock { count } }

    /// The process dies before the change with this number, counted like ``changeCount`` from 1; `nil`: it does not.
    var crashBeforeChange: Int? {
        get { lock.withLock { crashes } }
        set { lock.withLock { crashes = newValue } }
    }

    /// The suites that were handed over to the system, in order.
    var synchronized: [DefaultsSuite] { lock.withLock { handOvers } }

    func peek(_ key: String, in suite: DefaultsSuite = .standard) -> PropertyListValue? { lock.withLock { suites[suite]?[key] } }

    func put(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite = .standard) {
        lock.withLock { suites[suite, default: [:]][key] = value }
    }

    /// Another store with the same contents.
    func copy() -> MemoryDefaults {
        lock.withLock {
            let copy = MemoryDefaults()
            copy.suites = suites
            return copy
        }
    }

    func isReadable(_ suite: DefaultsSuite) -> Bool { isReadable }

    func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? {
        try lock.withLock {
            if let failure { throw failure }
            if suite == left { throw StorageError(.unsupported) }
            return readable ? suites[suite]?[key] : nil
        }
    }

    func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
        try lock.withLock {
            if let failure { throw failure }
            count += 1
            if let crashes, crashes <= count { throw FileSystemError(errno: EIO, operation: "set", path: key) }
            suites[suite, default: [:]][key] = value
        }
    }

    func keys(in suite: DefaultsSuite) throws -> [String] {
        try lock.withLock {
            if let failure { throw failure }
            guard readable else { return [] }
            return (suites[suite] ?? [:]).keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }

    func synchronize(_ suite: DefaultsSuite) throws {
        try lock.withLock {
            if let failure { throw failure }
            handOvers.append(suite)
        }
    }
}
