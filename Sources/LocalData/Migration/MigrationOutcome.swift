/// What became of the migration of one key in a sweep.
public struct MigrationOutcome: Sendable {
    /// The name of the key.
    public let key: String
    /// What came of its migration.
    public let result: Result

    /// What can come of one key's migration.
    public enum Result: Sendable {
        /// There was nothing to bring over.
        case nothingToDo
        /// Values were brought over, with what was moved.
        case migrated(MigrationResult)
        /// Not possible for now, such as on a locked device; the source is intact and it is tried again.
        case deferred(StorageError)
        /// It failed for good: trying again will not help before something else changes. The source is intact.
        case failed(MigrationError)
    }
}
