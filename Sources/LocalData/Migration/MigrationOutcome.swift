/// What became of the migration of one key in a sweep.
public struct MigrationOutcome: Sendable {
    public let key: String
    public let result: Result

    public enum Result: Sendable {
        /// There was nothing to bring over.
        case nothingToDo
        case migrated(MigrationResult)
        /// Not possible for now, such as on a locked device; the source is intact and it is tried again.
        case deferred(StorageError)
        case failed(MigrationError)
    }
}
