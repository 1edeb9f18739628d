/// The devices a key's value exists on.
public enum PlatformAvailability: String, Sendable, Hashable, CaseIterable {
    /// Phone and watch, synced if the ``SyncPolicy`` says so.
    case all
    /// Phone only; using the key on a watch throws ``StorageError/Code/phoneOnly``.
    case phoneOnly
    /// Watch only; using the key on a phone throws ``StorageError/Code/watchOnly``.
    case watchOnly
    /// Belongs to the phone app and is wanted on the watch. Syncs both ways, like ``all``, so that both devices converge.
    case phoneWithWatchSync
}

extension PlatformAvailability {
    /// Whether values of such keys may leave the device they were set on.
    public var allowsSync: Bool { self == .all || self == .phoneWithWatchSync }

    /// Whether a device of `role` may read and write such keys.
    public func isAvailable(on role: DeviceRole) -> Bool {
        switch self {
        case .all, .phoneWithWatchSync: true
        case .phoneOnly: role != .watch
        case .watchOnly: role == .watch
        }
    }
}
