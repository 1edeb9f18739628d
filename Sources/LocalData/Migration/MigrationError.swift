/// Why a migration did not complete. Whatever it is, the source is intact.
public enum MigrationError: Error, Sendable {
    /// The source or the destination cannot be read or written for now, such as on a locked device. It is tried again later.
    case deferred(StorageError)
    /// What was written does not read back as what was copied; the source was kept.
    case verificationFailed(key: String)
    /// The source's value does not convert to the destination's type.
    case transformFailed(key: String, reason: String)
    /// Sources disagree in a way that the migration does not resolve.
    case conflictingSources(key: String, sources: [String])
    /// A storage operation failed for good.
    case storage(StorageError)
}
