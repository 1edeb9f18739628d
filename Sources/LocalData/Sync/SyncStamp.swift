/// The version of a synced value: a logical counter and the device that wrote it. No wall clock is involved.
///
/// Stamps are ordered by counter and then by device, so that both devices pick the same winner. A counter that cannot be exceeded ends nothing: the next
/// version begins another lineage, which goes before the counter.
public struct SyncStamp: Sendable, Hashable, Comparable, Codable {
    /// Counts the writes of one key; each write has a higher counter than all that the writer has seen of that key.
    /// 0 is a value that LocalData found, such as one that a migration brought over, and that nobody wrote through it.
    public let counter: UInt64
    /// The writer: ``DeviceDescribing/identifier``, and which installation of the app on that device. Another installation is another writer, since
    /// it counts from what a backup held, or from the beginning.
    public let device: String

    /// A version put together by hand, for tests. LocalData gives its own.
    public init(counter: UInt64, device: String) {
        self.counter = counter
        self.device = device
    }

    public static func < (lhs: SyncStamp, rhs: SyncStamp) -> Bool {
        if let precedes = precedesByLineage(lhs, rhs) { return precedes }
        return lhs.counter == rhs.counter ? lhs.device.utf8.lexicographicallyPrecedes(rhs.device.utf8) : lhs.counter < rhs.counter
    }
}
