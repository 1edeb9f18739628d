/// What the deletions of one key took away that this installation has forgotten.
///
/// A deletion is forgotten once everybody has it who is known. A watch that was paired with an earlier installation of the phone's app is not known, and a
/// power loss gives a device back what it had. Either then sends what was removed, and nobody would know better. What a deletion took away is known by
/// its writer, which counts on: what it wrote up to then is gone, and what others write from the beginning, such as an app that is installed anew, is not.
/// Only what this device had counts, be it replaced by others before it was removed, what arrived and came before the deletion, and its own deletions: a counterpart
/// may say anything of a deletion.
/// Nothing is concluded of other writers, whatever their counters: a value that comes back is a lesser harm than a newer one that goes.
struct RemovedVersions: Sendable, Hashable {
    /// The highest counter that was removed, by writer.
    private(set) var writers: [String: UInt64]

    private static let maximumWriters = 4

    init(_ writers: [String: UInt64] = [:]) {
        self.writers = [:]
        for (writer, counter) in writers.sorted(by: { $0.key < $1.key }) { add(counter, by: writer) }
    }

    var isEmpty: Bool { writers.isEmpty }

    /// Whether a version can be noted without another writer's being forgotten.
    func hasRoom(for stamp: SyncStamp) -> Bool { writers[stamp.writer] != nil || writers.count < Self.maximumWriters }

    /// Notes a version that is being removed.
    mutating func add(_ stamp: SyncStamp) {
        if stamp.lineage == nil { add(stamp.counter, by: stamp.writer) }
    }

    /// Takes in what a deletion knows that is being forgotten by `replica`.
    mutating func add(_ deletion: SyncRecord, forgottenBy replica: String) {
        for (writer, counter) in deletion.removed.writers.sorted(by: { $0.key < $1.key }) { add(counter, by: writer) }
        if deletion.committed.stamp.writer == replica { add(deletion.committed.stamp) }
    }

    private mutating func add(_ counter: UInt64, by writer: String) {
        guard counter < SyncStamp.maximumCounter else { return }
        writers[writer] = max(counter, writers[writer] ?? 0)
        while writers.count > Self.maximumWriters, let oldest = writers.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            writers[oldest.key] = nil
        }
    }

    /// Whether a version is known to be gone.
    func contains(_ stamp: SyncStamp) -> Bool {
        // What is found after a deletion was forgotten counts from above it (``SyncLedger/stampOfFoundValue(of:revision:)``).
        guard stamp.lineage == nil, let counter = writers[stamp.writer] else { return false }
        return stamp.counter <= counter
    }
}

extension SyncLedger {
    /// Notes that what is here has outdone a version, as if that had been here before: what the session still holds of it does not come back once a deletion is
    /// forgotten, be it the one that is here or that of the value that is here. For a value that is only noted where there is room, and where what lies there can be
    /// made durable: a record that knows nothing else would make an edit of what a power loss brings back.
    func noteOutdone(_ version: SyncStamp, of key: any StorageKey) throws {
        guard let known = try record(of: key.name, in: key.domain), known.pending == nil, version.lineage == nil,
            !known.removed.contains(version)
        else { return }
        var record = known
        if known.committed.content != .deleted {
            guard known.committed.stamp.writer != version.writer, known.removed.hasRoom(for: version) else { return }
            guard (try? settleSeen(key)) != nil else { return }
        }
        record.removed.add(version)
        guard record != known else { return }
        try setRecord(record, of: key.name, in: key.domain)
    }

    /// Whether a value that the counterpart sends is one that was removed, by a deletion that this device has forgotten.
    func wasRemoved(_ version: SyncStamp, of key: any StorageKey) throws -> Bool {
        guard try record(of: key.name, in: key.domain) == nil, problem(of: key.name) == nil else { return false }
        let removed = try installation().removed
        return try removed[key.name]?.contains(version) == true || wasRemoved(version, atSourceOf: key, removed)
    }

    /// The deletion to record once more where what lies in preferences is a version that a deletion took away which this device has forgotten since: a power loss has brought
    /// it back, and the record of it. Only of what was set as it is there: what was found, or follows a version, is named by none of these numbers.
    func deletionToRepeat(for record: SyncRecord, of key: any StorageKey) throws -> SyncStamp? {
        let stamp = record.committed.stamp
        guard key.domain.defaultsSuite != nil, record.pending == nil, case .value = record.committed.content, stamp.counter > 0,
            !stamp.isOfFoundValue, !stamp.isOfFoundSecret,
            try installation().removed[key.name]?.contains(stamp) == true
        else { return nil }
        return SyncStamp(counter: stamp.counter, device: stamp.device + Self.removedAgain)
    }

    /// Whether what arrives is of before a deletion that this installation has forgotten, since everybody who was known had it: that deletion itself, where it is this
    /// installation's own, or a version that it took away. What lies here was taken after that, be it of an installation that counts from the beginning. A counterpart
    /// that was away, and still remembers the deletion or has the value, changes nothing by it. What a power loss brought back is a version that the deletion took away, and
    /// goes again.
    func hasForgotten(_ incoming: SyncEntry, of key: any StorageKey, holding own: SyncStamp) throws -> Bool {
        let installation = try installation()
        guard !incoming.isDeletion || incoming.stamp.writer == installation.replica(of: environment.device.identifier) else { return false }
        guard let removed = installation.removed[key.name] else { return false }
        return removed.contains(incoming.stamp) && !removed.contains(own)
    }

    /// Whether it is what the counterpart's update made of such a value, under another name.
    private func wasRemoved(
        _ made: SyncStamp, atSourceOf key: any StorageKey, _ removed: [String: RemovedVersions]
    ) throws -> Bool {
        var (key, stamp) = (key, made)
        for _ in 0..<NameReturn.maximumLength {
            guard let sources = key.migration?.base.sourceKeys, sources.count == 1, let source = sources.first?.base else { return false }
            if source.name != key.name {
                guard let earlier = stamp.beforeMigrations(1) else { return false }
                stamp = earlier
            }
            if removed[source.name]?.contains(stamp) == true, try store.record(of: source.name, in: source.domain) == nil { return true }
            key = source
        }
        return false
    }

    /// Records a deletion that was forgotten too early, so that it is sent once more.
    /// - Returns: Its version: right after what it removes, and before any edit that was made since.
    func recordRemovedAgain(_ stamp: SyncStamp, of key: any StorageKey, at location: StorageLocation) throws -> SyncStamp {
        let deletion = SyncStamp(counter: stamp.counter, device: stamp.device + Self.removedAgain)
        var record = SyncRecord(
            keyName: key.name, location: location.identity, committed: SyncVersion(stamp: deletion, content: .deleted))
        record.removed.add(stamp)
        try setRecord(record, of: key.name, in: key.domain)
        return deletion
    }

    /// What the device part ends with of a deletion that was forgotten too early.
    private static let removedAgain = "~removed"
}
