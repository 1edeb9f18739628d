import WatchConnectivity

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

    /// By key name. Of an outdated snapshot only what the later one had left out, what is a later version than this device's, and what this device has nothing of.
    public internal(set) var outcomes: [String: Outcome] = [:]
    /// The snapshot is older than one already applied. Only what ``outcomes`` names of it was looked at.
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

/// Why a version of a key is not with the session yet.
public enum SyncObstacle: Sendable, Hashable {
    /// This device has no session, or no counterpart by its nature.
    case sessionNotSupported
    /// The session is not activated yet, or failed to.
    case sessionNotActivated
    /// The phone hands over to another watch.
    case sessionInactive
    /// The phone is paired with no watch.
    case counterpartNotPaired
    /// The app is not installed on the counterpart, and the session refused to send because of that.
    case counterpartAppNotInstalled
    /// The key's policy is ``SyncPolicy/manual`` and nobody asked for a sync since it changed.
    case notRequested
    /// The key's policy is ``SyncPolicy/automaticSmall`` and the serialized value is larger than ``SyncPolicy/maximumAutomaticByteCount``.
    case tooLarge
    /// The context has no room for it beside the other keys and what the app has put there.
    case didNotFit
    /// The value cannot be read for now, such as on a locked device. It is not taken for a deletion.
    case unreadable(StorageError.Code)
    /// The session refused the context, with this code of `WCError`.
    case refused(code: Int)
    /// Nothing stands in the way; the next sync takes it along.
    case waiting
}

extension SyncHelper {
    func status() -> SyncStatus {
        // The app may have put another context in the place of the one that was accepted.
        if !isBarred, let epoch = try? ledger.installation().epoch {
            conversation.remember(accepted: acceptedSnapshot(in: WCSession.default.applicationContext, epoch: epoch))
        }
        return statusAsRemembered()
    }

    /// What this process knows, without looking at anything.
    func statusAsRemembered() -> SyncStatus {
        let blocked = obstacle
        var status = SyncStatus(lastError: lastError, problems: ledger.problems)
        status.didNotFit = didNotFit
        status.unknownKeys = unknownKeys
        for (name, item) in outbox.items.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if let code = item.unreadable {
                status.pending.append(.init(key: name, obstacle: .unreadable(code)))
                if code.isTemporary { status.lockedKeys.append(name) }
                continue
            }
            if item.current?.isDeletion == true { status.tombstones.append(name) }
            guard let entry = item.outgoing, !isShared(entry, of: name) else { continue }
            let isHeldBack = item.policy == .manual && item.published != entry
            let obstacle: SyncObstacle =
                item.isTooLarge(entry)
                ? .tooLarge
                : isHeldBack
                    ? .notRequested
                    : blocked ?? (didNotFit.contains(name) ? .didNotFit : refusal.map { .refused(code: $0) } ?? .waiting)
            status.pending.append(.init(key: name, obstacle: obstacle))
        }
        return status
    }

    /// Whether the session has taken a version over, or the counterpart is known to have it.
    private func isShared(_ entry: SyncEntry, of name: String) -> Bool {
        if conversation.accepted?.entries[name]?.stamp == entry.stamp { return true }
        return conversation.counterpart.map { SyncMerge.covers($0.entries, name, entry) } ?? false
    }
}
