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

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(router: router, keys: keys) }

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
            let outcome = MigrationOutcome(key: key.name, result: try await router.outcome(of: key.base))
            completed += 1
            return MigrationProgress(completed: completed, total: keys.count, outcome: outcome)
        }
    }
}
