/// Is told what sync does, and which values the app changes, as it happens: for an app's log, and for tests. It is told names, numbers and reasons, never a value.
///
/// Without an observer (``StorageEnvironment/observer``) nothing is put together for one.
public protocol StorageObserver: Sendable {
    /// Called synchronously, in the order in which things happen, from any thread, and under the key's turn: it must return at once, and must not wait for
    /// the router.
    func storageDid(_ event: StorageEvent)
}

/// Something that LocalData did by itself, so that no caller's result tells of it, or is asked to do. Never a value.
public enum StorageEvent: Sendable, Hashable {
    /// The app's code has asked for a value to be set. What comes of that its caller is told. Not for what a migration stores.
    case askedToSet(key: String)
    /// The app's code has asked for a value to be removed.
    case askedToRemove(key: String)
    /// The session took a snapshot of this device's values.
    case sent(SentSnapshot)
    /// An entry of a snapshot was looked at. Of one that is older than what was applied already, only entries of which something became.
    case took(key: String, SyncReport.Outcome, from: SnapshotSource)
    /// The whole snapshot is older than one that was applied already.
    case foundOutdated(SnapshotSource)
    /// The whole snapshot was refused: it cannot be read, is of a newer format, or is this device's own.
    case refusedSnapshot(StorageError.Code)

    /// What a snapshot spoke of.
    public struct SentSnapshot: Sendable, Hashable {
        /// ``SyncSnapshot/sequence``.
        public let sequence: UInt64
        /// The keys whose values are in it. Sorted.
        public let values: [String]
        /// The keys whose deletions are in it. Sorted.
        public let deletions: [String]
        /// The keys that have a version and are not in it: too large, or unreadable for now. Sorted.
        public let omitted: [String]

        init(_ snapshot: SyncSnapshot) {
            sequence = snapshot.sequence
            let names = snapshot.entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            values = names.filter { snapshot.entries[$0]?.isDeletion == false }
            deletions = names.filter { snapshot.entries[$0]?.isDeletion == true }
            omitted = snapshot.omitted
        }
    }

    /// Which snapshot it was.
    public struct SnapshotSource: Sendable, Hashable {
        /// ``SyncSnapshot/device``. This device's own name where it takes back what it sent and then lost.
        public let device: String
        /// ``SyncSnapshot/sequence``.
        public let sequence: UInt64

        init(_ snapshot: SyncSnapshot) {
            device = snapshot.device
            sequence = snapshot.sequence
        }
    }
}

extension StorageEnvironment {
    /// Tells the observer, if there is one.
    func tell(_ event: @autoclosure () -> StorageEvent) {
        if let observer { observer.storageDid(event()) }
    }
}
