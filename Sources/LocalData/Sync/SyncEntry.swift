import Foundation

/// One key's version as it travels: its stamp, and the serialized value or the fact that it was deleted.
public struct SyncEntry: Sendable, Hashable {
    /// The version.
    public let stamp: SyncStamp
    /// The serialized value, opened: the receiver secures it by its own policy. `nil` is a deletion.
    public let value: Data?
    /// Of a deletion: the sender knows that the receiver has it as well.
    public var isSettled: Bool
    /// The value is a smaller form made for the receiver (see ``WatchRepresentable``). The full value of the same stamp goes before it.
    public var isReduced: Bool
    /// The ``StorageKey/schemaVersion`` that the value's form has, from 1. A receiver whose key knows less keeps the value, and neither reads nor
    /// replaces it.
    public var schemaVersion: Int

    /// An entry of a snapshot. LocalData makes its own; this is for tests, and for apps that carry snapshots by a channel of their own.
    public init(stamp: SyncStamp, value: Data?, isSettled: Bool = false, isReduced: Bool = false, schemaVersion: Int = 1) {
        self.stamp = stamp
        self.value = value
        self.isSettled = isSettled
        self.isReduced = isReduced
        self.schemaVersion = schemaVersion
    }

    /// Whether the version is that the value was removed.
    public var isDeletion: Bool { value == nil }
}

extension SyncEntry {
    /// An upper bound of what the entry adds to a context under `name`, in bytes.
    func maximumByteCount(under name: String) -> Int {
        PayloadSize.string(name) + PayloadSize.string(stamp.device) + (value.map(PayloadSize.data) ?? 0) + Self.fixedByteCount
            + (schemaVersion > 1 ? Self.schemaByteCount : 0)
    }

    /// The dictionary, its keys, its numbers and flags.
    private static let fixedByteCount = 220
    private static let schemaByteCount = 60
}
