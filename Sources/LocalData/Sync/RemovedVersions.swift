/// What the deletions of one key took away that this installation has forgotten.
///
/// A deletion is forgotten once everybody has it who is known. A watch that was paired with an earlier installation of the phone's app is not known, and a
/// power loss gives a device back what it had. Either then sends what was removed, and nobody would know better. What a deletion took away is known by
/// its writer, which counts on: what it wrote up to then is gone, and what others write from the beginning, such as an app that is installed anew, is not.
/// Only what this device had counts, and its own deletions: a counterpart may say anything of a deletion.
struct RemovedVersions: Sendable, Hashable {
    /// The highest counter that was removed, by writer.
    private(set) var writers: [String: UInt64]

    private static let maximumWriters = 4

    init(_ writers: [String: UInt64] = [:]) {
        self.writers = [:]
        for (writer, counter) in writers.sorted(by: { $0.key < $1.key }) { add(counter, by: writer) }
    }

    var isEmpty: Bool { writers.isEmpty }

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
        guard counter > 0, counter < SyncStamp.maximumCounter else { return }
        writers[writer] = max(counter, writers[writer] ?? 0)
        while writers.count > Self.maximumWriters, let oldest = writers.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            writers[oldest.key] = nil
        }
    }

    /// Whether a version is known to be gone.
    /// - Parameter isPassedOn: Whether the sender did not write it, but got it long ago. What this device removed was later.
    func contains(_ stamp: SyncStamp, isPassedOn: Bool) -> Bool {
        // What somebody found has no version of its own.
        guard stamp.lineage == nil, stamp.counter > 0 else { return false }
        if let counter = writers[stamp.writer], stamp.counter <= counter { return true }
        guard isPassedOn, !stamp.isOfFoundSecret, let highest = writers.values.max() else { return false }
        return stamp.counter <= highest
    }
}

extension SyncLedger {
    /// Whether a value that the counterpart sends is one that was removed, by a deletion that this device has forgotten.
    func wasRemoved(_ entry: SyncEntry, of key: any StorageKey, by snapshot: SyncSnapshot) throws -> Bool {
        let installation = try installation()
        guard let removed = installation.removed[key.name], try record(of: key.name, in: key.domain) == nil,
            problem(of: key.name) == nil
        else { return false }
        return removed.contains(entry.stamp, isPassedOn: isPassedOn(entry.stamp, by: snapshot))
    }

    /// Whether a sender has a version from somebody who wrote it before that sender was installed, or from this device. What other watches write from the
    /// beginning, the phone passes on to a watch.
    private func isPassedOn(_ stamp: SyncStamp, by snapshot: SyncSnapshot) -> Bool {
        let writer = stamp.writer
        guard writer != SyncInstallation(epoch: snapshot.epoch).replica(of: snapshot.device) else { return false }
        return environment.device.role == .phone
            || [snapshot.device, environment.device.identifier].contains { writer.hasPrefix("\($0).") }
    }

    /// Records a deletion that was forgotten too early, so that it is sent once more.
    /// - Returns: Its version: that of the forgotten one, or one right after what it removes.
    func recordRemovedAgain(_ stamp: SyncStamp, of key: any StorageKey, at location: StorageLocation) throws -> SyncStamp {
        let (floor, replica) = (try installation().floor(of: key.name), try replica())
        var deletion = SyncStamp(counter: floor, device: replica)
        if deletion < stamp { deletion = SyncStamp(counter: stamp.counter + 1, device: replica) }
        var record = SyncRecord(
            keyName: key.name, location: location.identity, committed: SyncVersion(stamp: deletion, content: .deleted))
        record.removed.add(stamp)
        try setRecord(record, of: key.name, in: key.domain)
        return deletion
    }
}
