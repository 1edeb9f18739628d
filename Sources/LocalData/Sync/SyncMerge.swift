import Foundation

/// Which of two versions of one key wins. The same on both devices, whatever the order and number of deliveries.
enum SyncMerge {
    enum Decision: Sendable, Hashable {
        /// The incoming version replaces the local one.
        case apply
        /// The local version is the newer one.
        case keep
        case equal
    }

    /// `local` is `nil` where the device has neither a value nor a deletion: absence never wins.
    static func decide(local: SyncEntry?, incoming: SyncEntry) -> Decision {
        guard let local else {
            // Both devices knew of it, and this one has already forgotten it.
            return incoming.isDeletion && incoming.isSettled ? .equal : .apply
        }
        // One version in two forms: each device keeps the one that its version of the app made or can read.
        if isOtherForm(local, incoming) { return .equal }
        switch order(local, incoming) {
        case .orderedAscending: return .apply
        case .orderedDescending: return .keep
        case .orderedSame: return .equal
        }
    }

    private static func isOtherForm(_ local: SyncEntry, _ incoming: SyncEntry) -> Bool {
        local.stamp == incoming.stamp && local.schemaVersion != incoming.schemaVersion && local.isReduced == incoming.isReduced
            && !local.isDeletion && !incoming.isDeletion
    }

    /// The winner, or either of two equal versions.
    static func merged(_ local: SyncEntry?, _ incoming: SyncEntry) -> SyncEntry? {
        decide(local: local, incoming: incoming) == .apply ? incoming : local
    }

    /// Whether a device with these entries has everything that `entry` says about `name`.
    static func covers(_ entries: [String: SyncEntry], _ name: String, _ entry: SyncEntry) -> Bool {
        decide(local: entries[name], incoming: entry) != .apply
    }

    /// A total order: by stamp; then a full value goes before its smaller form, a value before a deletion, and the greater digest before the
    /// lesser one. The same stamp with two contents comes up when somebody copies what is kept out of backups.
    static func order(_ left: SyncEntry, _ right: SyncEntry) -> ComparisonResult {
        if left.stamp != right.stamp { return left.stamp < right.stamp ? .orderedAscending : .orderedDescending }
        if left.isReduced != right.isReduced { return left.isReduced ? .orderedAscending : .orderedDescending }
        switch (left.value, right.value) {
        case (nil, nil): return .orderedSame
        case (nil, _): return .orderedAscending
        case (_, nil): return .orderedDescending
        case (let one?, let other?):
            if one == other { return .orderedSame }
            let isLess = SHA256Digest.digest(of: one).lexicographicallyPrecedes(SHA256Digest.digest(of: other))
            return isLess ? .orderedAscending : .orderedDescending
        }
    }
}
