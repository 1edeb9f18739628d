/// Whether and when a value travels to the counterpart.
public enum SyncPolicy: String, Sendable, Hashable, CaseIterable {
    /// Never sent, and nothing that the counterpart sends for the key is stored.
    case never
    /// Sent by ``StorageRouter/syncRegisteredKeysIfNeeded()`` and ``StorageRouter/syncNow()`` only. What was sent so goes along later as well, such as in the
    /// answer to a request of the counterpart; what was set since does not.
    case manual
    /// Sent after each `set` and `remove`, for serialized values up to ``maximumAutomaticByteCount``.
    case automaticSmall
}

extension SyncPolicy {
    /// The largest serialized value that ``automaticSmall`` sends, in bytes: 100 KB.
    public static let maximumAutomaticByteCount = 100_000
}
