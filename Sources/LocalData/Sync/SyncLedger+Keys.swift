import Foundation

/// The synced keys that a process knows of, and their policies.
extension SyncLedger {
    /// Notes a key that was registered or used.
    func note(_ key: any StorageKey) {
        withState { state in
            if state.keys[key.name] == nil { state.keys[key.name] = key }
        }
    }

    /// Notes that a key is used at `location`. Versions are kept by name, so one name can sync at one place only.
    /// - Returns: False for a second place of the same name, which then does not sync.
    func claim(_ key: any StorageKey, at location: StorageLocation) -> Bool {
        withState { state in
            if state.keys[key.name] == nil { state.keys[key.name] = key }
            guard let first = state.places[key.name] else {
                state.places[key.name] = location.physical
                return true
            }
            guard first != location.physical else { return true }
            state.problems[key.name] = StorageError(
                .invalidKey, key: key.name, domain: key.domain.kind, operation: "sync",
                facts: ["another key of this name syncs already"])
            return false
        }
    }

    func knownNames() -> [String] {
        withState { $0.keys.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    }

    func knownKey(_ name: String) -> (any StorageKey)? { withState { $0.keys[name] } }

    /// Whether the values of a key travel to or from a device of this role.
    func syncs(_ key: any StorageKey, on role: DeviceRole) -> Bool {
        // An extension has no session, and a ledger of its own would count beside the app's.
        !environment.device.isAppExtension && key.availability.allowsSync && key.availability.isAvailable(on: role)
            && policy(of: key) != .never
    }

    /// Whether versions of a key are kept on a device of this role: also of one that an override keeps from syncing for a while, so that what is set
    /// and removed meanwhile is neither lost nor undone when it syncs again.
    func keepsVersions(of key: any StorageKey, on role: DeviceRole) -> Bool {
        guard !environment.device.isAppExtension, key.availability.allowsSync, key.availability.isAvailable(on: role) else { return false }
        return key.syncPolicy != .never || policy(of: key) != .never
    }

    /// The known keys that sync on a device of this role, sorted by name.
    func syncedKeys(on role: DeviceRole) -> [any StorageKey] {
        let keys = withState { state in
            if let known = state.sortedKeys { return known }
            let sorted = state.keys.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
            state.sortedKeys = sorted
            return sorted
        }
        return keys.filter { syncs($0, on: role) }
    }

    /// Announces to ``announce(_:at:to:origin:)`` that the version to come is a smaller form.
    func expect(_ entry: SyncEntry, of name: String) {
        withState { $0.reducedStamps[name] = entry.isReduced ? entry.stamp : nil }
    }

    func isExpectedReduced(_ stamp: SyncStamp, of name: String) -> Bool {
        withState { $0.reducedStamps[name] } == stamp
    }
}
