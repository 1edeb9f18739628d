import Foundation

/// A key whose values have a smaller form for the watch, such as a thumbnail instead of a photo.
///
/// The phone sends the smaller form and keeps the full one; size limits apply to what is sent. The watch stores what it gets under the same version,
/// and never gives it back as the newer one. An edit on the watch is a new version of its own: it replaces the full value on the phone.
public protocol WatchRepresentable: StorageKey {
    /// The form for the watch. Must give the same result for the same value. If it throws, the full value is sent.
    func watchRepresentation(of value: Value) throws -> Value
}

extension WatchRepresentable {
    /// The serialized smaller form of serialized bytes.
    fileprivate func watchForm(of plain: Data) throws -> Data {
        try serializer.encode(watchRepresentation(of: serializer.decode(plain)))
    }
}

extension StorageRouter {
    /// What travels instead of `entry`, if the key makes a smaller form for the watch and this device is the phone.
    nonisolated func reducedEntry(_ entry: SyncEntry, of key: any StorageKey) -> SyncEntry? {
        guard environment.device.role == .phone, let key = key as? any WatchRepresentable, let value = entry.value, !entry.isReduced,
            // A newer app's form is not this one's to make smaller.
            entry.schemaVersion <= key.schemaVersion,
            let form = try? key.watchForm(of: value), form != value
        else { return nil }
        return SyncEntry(stamp: entry.stamp, value: form, isReduced: true, schemaVersion: entry.schemaVersion)
    }

    /// Whether an entry is the smaller form that this phone makes of the very version that it holds. It never replaces that, not even where the mark
    /// that says so got lost on its way.
    nonisolated func isOwnReduction(_ incoming: SyncEntry, of local: SyncEntry, key: any StorageKey) -> Bool {
        incoming.stamp == local.stamp && incoming.value != nil && reducedEntry(local, of: key)?.value == incoming.value
    }
    /// Whether an entry is another smaller form of the version that this watch has a smaller form of, such as one that an update of the phone's app
    /// makes: the phone has the value that both are made of.
    nonisolated func isLaterReduction(_ incoming: SyncEntry, of local: SyncEntry) -> Bool {
        environment.device.role == .watch && incoming.stamp == local.stamp && incoming.isReduced && local.isReduced
            && incoming.schemaVersion == local.schemaVersion && incoming.value != nil && incoming.value != local.value
    }
}
