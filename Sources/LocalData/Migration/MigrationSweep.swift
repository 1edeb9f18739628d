/// The migrations of many keys, one after the other in the order of their names, as an asynchronous sequence: asking for the next element runs the next
/// key's migration.
///
/// ```swift
/// for try await progress in StorageRouter.shared.migrations() {
///     bar.fraction = Double(progress.completed) / Double(progress.total)
/// }
/// ```
///
/// A failure does not keep the others from running. It can be left, or its task cancelled, between two keys; running it again resumes, and changes
/// nothing where everything is done.
public struct MigrationSweep: AsyncSequence, Sendable {
    let router: StorageRouter
    let keys: [AnyStorageKey]

    /// How many keys it goes through.
    public var total: Int { keys.count }

    /// Begins with the first key: each iteration goes through all of them.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(router: router, keys: keys) }

    /// Runs one key's migration at each call of ``next()``, on the router.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let router: StorageRouter
        let keys: [AnyStorageKey]
        private var completed = 0

        init(router: StorageRouter, keys: [AnyStorageKey]) {
            self.router = router
            self.keys = keys
        }

        /// Runs the next key's migration.
        /// - Throws: `CancellationError` only; what goes wrong with a key is in its outcome.
        public mutating func next() async throws -> MigrationProgress? {
            guard completed < keys.count else { return nil }
            try Task.checkCancellation()
            let key = keys[completed]
            let outcome = MigrationOutcome(key: key.name, result: try await router.engines.migration.outcome(of: key.base, using: router))
            completed += 1
            return MigrationProgress(completed: completed, total: keys.count, outcome: outcome)
        }
    }
}

/// How far a ``MigrationSweep`` is, after each key.
public struct MigrationProgress: Sendable {
    /// How many keys are done with, this one included.
    public let completed: Int
    /// How many keys the sweep has.
    public let total: Int
    /// What became of the key that was done with last.
    public let outcome: MigrationOutcome
}

/// What became of the migration of one key in a sweep.
public struct MigrationOutcome: Sendable {
    /// The name of the key.
    public let key: String
    /// What came of its migration.
    public let result: Result

    /// What can come of one key's migration.
    public enum Result: Sendable {
        /// Nothing was brought over: there was nothing, the condition does not hold, a source is awaited, or the value was removed for good.
        case nothingToDo
        /// Values were brought over, with what was moved.
        case migrated(MigrationResult)
        /// Not possible for now, such as on a locked device; the value is whole, and it is tried again.
        case deferred(StorageError)
        /// It failed for good: trying again will not help before something else changes. The value is whole.
        case failed(MigrationError)
    }
}

/// The outcome of one migration.
public struct MigrationResult: Sendable {
    /// Whether the migration did what it was to do. Having nothing to do is a success.
    public let success: Bool
    /// How many values were moved.
    public let migratedCount: Int
    /// What went wrong; empty after a success.
    public let errors: [MigrationError]
    /// Facts for a report, such as the source's name. Never values.
    public let metadata: [String: String]

    /// What a migration of an app's own returns from ``StorageMigration/migrate(using:context:)``.
    public init(success: Bool, migratedCount: Int = 0, errors: [MigrationError] = [], metadata: [String: String] = [:]) {
        self.success = success
        self.migratedCount = migratedCount
        self.errors = errors
        self.metadata = metadata
    }
}
