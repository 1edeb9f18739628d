import Foundation

/// What a counterpart may send. Whatever arrives is looked over against this before anything is made of it, so that one that is broken, or lies, costs
/// bounded time and memory and moves nothing that lasts.
enum SnapshotLimits {
    /// Many times what a context can hold.
    static let maximumEntryCount = 16_384
    static let maximumEpochLength = 128
    static let maximumDeviceLength = 1_024
    /// A session carries 262,144 bytes; an app may carry a snapshot of large manual values by another channel.
    static let maximumValueByteCount = 1 << 26
    /// The greatest number of a snapshot. Whose own would go beyond begins a new epoch (``SyncLedger/renew()``).
    static let maximumSequence: UInt64 = 1 << 56

    /// The largest serialized value that is taken for a key. No snapshot carries more of a small one, whatever policy the sender has.
    static func maximumValueByteCount(of policy: SyncPolicy) -> Int {
        policy == .manual ? maximumValueByteCount : SyncSnapshot.maximumContextByteCount
    }
}

extension SyncSnapshot {
    /// The snapshot without what no honest counterpart sends.
    /// - Throws: ``StorageError/Code/invalidSnapshot`` where the snapshot itself is such.
    func withinLimits() throws -> SyncSnapshot {
        func invalid(_ problem: String) -> StorageError {
            StorageError(.invalidSnapshot, operation: "sync", facts: ["\(Self.entryKey).\(problem)"])
        }
        guard sequence <= SnapshotLimits.maximumSequence else { throw invalid("sequence: out of range") }
        guard content <= sequence else { throw invalid("content: later than the snapshot") }
        guard epoch.utf8.count <= SnapshotLimits.maximumEpochLength else { throw invalid("epoch: too long") }
        guard device.utf8.count <= SnapshotLimits.maximumDeviceLength else { throw invalid("device: too long") }
        guard entries.count <= SnapshotLimits.maximumEntryCount, omitted.count <= SnapshotLimits.maximumEntryCount else {
            throw invalid("entries: too many")
        }
        var checked = self
        for (name, entry) in entries {
            guard let problem = entry.problem(under: name) else { continue }
            checked.entries[name] = nil
            checked.refuse(name, because: problem)
        }
        checked.omitted = omitted.filter { $0.utf8.count <= KeyRules.maximumNameLength }
        return checked
    }

    /// Notes an entry that is refused. Its name is cut where nobody can have a key of it.
    mutating func refuse(_ name: String, because problem: String) {
        let isName = name.utf8.count <= KeyRules.maximumNameLength
        refused[isName ? name : String(name.prefix(64)) + "…"] = problem
    }
}

extension SyncEntry {
    fileprivate func problem(under name: String) -> String? {
        if name.utf8.count > KeyRules.maximumNameLength { return "a name of \(name.utf8.count) bytes" }
        // One more must still fit, whoever counts on from it.
        if stamp.counter >= UInt64(Int64.max) { return "a counter out of range" }
        if stamp.device.utf8.count > SnapshotLimits.maximumDeviceLength { return "a device of \(stamp.device.utf8.count) bytes" }
        if let value, value.count > SnapshotLimits.maximumValueByteCount { return "a value of \(value.count) bytes" }
        return nil
    }
}
