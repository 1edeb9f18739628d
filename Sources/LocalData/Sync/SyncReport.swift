/// What became of each entry of an applied snapshot. Holds no values.
public struct SyncReport: Sendable, Hashable {
    /// What can become of one entry.
    public enum Outcome: Sendable, Hashable {
        /// The counterpart's version was stored, or its deletion carried out.
        case applied
        /// This device has a newer version.
        case kept
        /// Both devices have this version.
        case equal
        /// No such key was registered or used here. It stays in the received context and is applied once the key is known.
        case unknown
        /// The key is known and does not sync on this device.
        case notSynced
        /// It cannot be read or written for now, such as on a locked device, or one without space. The next sync tries again.
        case deferred(StorageError.Code)
        /// It could not be stored, such as a value that does not decode as the key's type. What was stored before is intact.
        case failed(StorageError.Code)

        /// Whether it says something of an outdated snapshot, whose entries this device has otherwise dealt with.
        var isNews: Bool {
            switch self {
            case .applied, .deferred, .failed: true
            case .kept, .equal, .unknown, .notSynced: false
            }
        }
    }

    /// By key name. Of an outdated snapshot only what the later one had left out, and what this device has nothing of.
    public internal(set) var outcomes: [String: Outcome] = [:]
    /// The snapshot is older than one already applied, and was ignored.
    public internal(set) var isOutdated = false

    /// The keys with an outcome, sorted.
    public func keys(_ outcome: Outcome) -> [String] {
        outcomes.filter { $0.value == outcome }.keys.sorted()
    }

    /// The names of the keys whose version was stored here. Sorted.
    public var applied: [String] { keys(.applied) }
    /// The names of the keys of which this device has a newer version. Sorted.
    public var kept: [String] { keys(.kept) }
    /// The names of the keys that no catalog registered here. Sorted.
    public var unknown: [String] { keys(.unknown) }

    /// The keys that have to be tried again, sorted.
    public var deferred: [String] {
        outcomes.filter { if case .deferred = $0.value { true } else { false } }.keys.sorted()
    }

    /// Whether nothing has to be tried again before the snapshot counts as taken into account.
    public var isComplete: Bool { deferred.isEmpty }
}
