/// What there is to know about the sync of one device: what waits, and why. Holds no values.
public struct SyncStatus: Sendable {
    /// A key whose current version is neither with the session nor known to be with the counterpart.
    public struct Pending: Sendable, Hashable {
        /// The name of the key.
        public let key: String
        /// Why its version waits.
        public let obstacle: SyncObstacle
    }

    /// Sorted by key.
    public internal(set) var pending: [Pending] = []
    /// Why the last attempt failed; `nil` after one that succeeded.
    public internal(set) var lastError: StorageError?
    /// Keys that the last snapshot had no room for. Sorted.
    public internal(set) var didNotFit: [String] = []
    /// Keys whose deletion is remembered until the counterpart has it too. Sorted.
    public internal(set) var tombstones: [String] = []
    /// Keys in the counterpart's last snapshot that no catalog registered here. They are not lost: they stay in the received context. Sorted.
    public internal(set) var unknownKeys: [String] = []
    /// Keys that cannot be read for now. Sorted.
    public internal(set) var lockedKeys: [String] = []
    /// What is wrong with the ledger, by key name, or by file for what is of no key.
    public internal(set) var problems: [String: StorageError]

    init(lastError: StorageError?, problems: [String: StorageError]) {
        self.lastError = lastError
        self.problems = problems
    }
}
