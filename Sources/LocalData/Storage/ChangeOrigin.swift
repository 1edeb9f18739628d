/// Where a change of a stored value came from.
public enum ChangeOrigin: Sendable, Hashable {
    /// A `set` or `remove` on this device.
    case local
    /// The counterpart's version, applied here.
    case sync(SyncStamp)
    /// A migration on this device.
    case migration
}
