import Foundation

/// When a snapshot is worth sending. Pure: both sides run these rules, and together they come to rest.
enum SyncPlan {
    enum Trigger: Sendable, Hashable {
        /// A value was set or removed here.
        case change
        /// The app asked, at launch or because the counterpart became reachable.
        case request
        /// A snapshot of the counterpart was applied. `meets` says that its installation is one that this process has not answered yet.
        case applied(meets: Bool)
    }

    /// What is known when the question comes up.
    struct Facts: Sendable {
        /// What would be sent.
        var entries: [String: SyncEntry]
        /// The versions that are told of without their values.
        var omitted: [String: SyncSnapshot.OmittedVersion] = [:]
        /// What the session holds of this installation, if anything.
        var accepted: SyncSnapshot?
        /// The counterpart's latest snapshot, if there was one.
        var counterpart: SyncSnapshot?
        /// What this device would acknowledge: set only once the counterpart's snapshot was taken into account completely.
        var acknowledgement: SyncSnapshot.Acknowledgement?
        /// Whether the counterpart may be another one than the last snapshot was sent to (W12).
        var isCounterpartNew = false
        /// What other installations of the counterpart's device said last, where the one that was just heard may be an earlier one than those.
        var displaced: [SyncSnapshot] = []
    }

    static func sends(_ trigger: Trigger, _ facts: Facts) -> Bool {
        switch trigger {
        case .change:
            return facts.isNews
        case .request:
            // A new installation says hello even with nothing to tell: the counterpart answers with what it has.
            return facts.accepted == nil || facts.isNews || facts.isCounterpartNew || !isCounterpartInformed(facts)
                || owesAcknowledgement(facts)
        case .applied(let meets):
            // Only what the counterpart lacks, never what it just said. Twice the same only for a counterpart that starts anew: otherwise two
            // devices with keys that the other does not know would answer each other for ever.
            let missing = facts.displaced.reduce(into: Set(namesMissing(facts))) { missing, other in
                missing.formUnion(namesMissing(facts, at: other))
            }
            return missing.contains(where: facts.isNews) || (meets && !missing.isEmpty && !isAcknowledged(facts)) || owesDeletions(facts)
        }
    }

    /// How many deletions a counterpart tells of until it is told that this device has them, although there is nothing else to say. Until then it repeats them all, and
    /// they take the room of values.
    static let deletionsToAnswer = 64

    /// Whether the counterpart goes on telling of many deletions that this device has, or of any while it lacks room for values, and was not told so.
    private static func owesDeletions(_ facts: Facts) -> Bool {
        guard let counterpart = facts.counterpart, facts.entries.count >= deletionsToAnswer || !counterpart.omitted.isEmpty else {
            return false
        }
        let owed = facts.entries.count { name, entry in
            guard entry.isDeletion, let told = counterpart.entries[name] else { return false }
            return told.isDeletion && !told.isSettled && told.stamp == entry.stamp && facts.isNews(name)
        }
        return owed >= (counterpart.omitted.isEmpty ? deletionsToAnswer : 1)
    }

    /// The names of which the counterpart's latest snapshot shows less than this device would send. Sorted.
    static func namesMissing(_ facts: Facts) -> [String] {
        guard let counterpart = facts.counterpart else { return (Array(facts.entries.keys) + facts.omitted.keys).sorted() }
        return namesMissing(facts, at: counterpart).sorted()
    }

    private static func namesMissing(_ facts: Facts, at counterpart: SyncSnapshot) -> [String] {
        let entries = facts.entries.filter { name, entry in
            // A version that it tells of beside what it has is one that it knows of and lacks.
            guard counterpart.leavesOut(name) else { return !SyncMerge.covers(counterpart.entries, name, entry) }
            return counterpart.omittedVersions[name].map { $0.stamp < entry.stamp } ?? false
        }
        guard !facts.omitted.isEmpty else { return Array(entries.keys) }
        return Array(entries.keys) + facts.omitted.filter { !isTold($0.value, of: $0.key, by: counterpart) }.keys
    }

    /// Whether a snapshot tells of a version of `name` that is as late.
    private static func isTold(_ version: SyncSnapshot.OmittedVersion, of name: String, by snapshot: SyncSnapshot) -> Bool {
        let known = [snapshot.entries[name]?.stamp, snapshot.omittedVersions[name]?.stamp].compactMap(\.self)
        return known.contains { $0 >= version.stamp }
    }

    private static func isCounterpartInformed(_ facts: Facts) -> Bool {
        // A hello with nothing to tell, and nothing left out, is said once: a counterpart that has nothing either does not answer.
        guard facts.counterpart != nil else {
            return facts.entries.isEmpty && facts.omitted.isEmpty && facts.accepted?.omitted.isEmpty == true
        }
        return (isAcknowledged(facts) && !showsEarlierVersion(facts)) || namesMissing(facts).isEmpty
    }

    /// Whether the counterpart's latest snapshot has an earlier version of something that it has acknowledged: it could not take it just then, or lost it.
    private static func showsEarlierVersion(_ facts: Facts) -> Bool {
        guard let counterpart = facts.counterpart else { return false }
        return facts.entries.contains { name, entry in counterpart.entries[name].map { $0.stamp < entry.stamp } ?? false }
    }

    /// Whether the counterpart has said that it took what the session holds into account.
    static func isAcknowledged(_ facts: Facts) -> Bool {
        guard let accepted = facts.accepted else { return false }
        return accepted.acknowledgement.isSameContent(as: facts.counterpart?.acknowledged)
    }

    /// Whether the counterpart cannot tell from this device's entries that its snapshot arrived: it has keys that this device does not know.
    private static func owesAcknowledgement(_ facts: Facts) -> Bool {
        guard let counterpart = facts.counterpart, let due = facts.acknowledgement, due.isSameContent(as: counterpart.acknowledgement),
            !due.isSameContent(as: facts.accepted?.acknowledged)
        else { return false }
        return counterpart.entries.contains { name, entry in !SyncMerge.covers(facts.entries, name, entry) }
            || counterpart.omittedVersions.contains { name, version in
                ![facts.entries[name]?.stamp, facts.omitted[name]?.stamp].compactMap(\.self).contains { $0 >= version.stamp }
            }
    }
}

extension SyncPlan.Facts {
    /// Whether this device would say something else than the session holds.
    fileprivate var isNews: Bool { entries != accepted?.entries ?? [:] || omitted != accepted?.omittedVersions ?? [:] }

    fileprivate func isNews(_ name: String) -> Bool {
        entries[name] != accepted?.entries[name] || omitted[name] != accepted?.omittedVersions[name]
    }
}

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
    /// - Parameter isEditOfWatch: Whether the local version is one that this watch found without its record. A smaller form is none of that.
    static func decide(local: SyncEntry?, incoming: SyncEntry, isEditOfWatch: Bool = false) -> Decision {
        guard let local else {
            // Both devices knew of it, and this one has already forgotten it.
            return incoming.isDeletion && incoming.isSettled ? .equal : .apply
        }
        // One version in two forms: each device keeps the one that its version of the app made or can read.
        if isOtherForm(local, incoming) { return .equal }
        switch isEditOfWatch ? orderByStamp(local, incoming) : order(local, incoming) {
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

    /// Whether a secret that outlived its app is the whole of what the other entry is the smaller form of: it carries the counter of its version, and no
    /// longer the device.
    private static func isWholeOfFound(_ entry: SyncEntry, beside other: SyncEntry) -> Bool {
        entry.stamp.isOfFoundSecret && entry.value != nil && !entry.isReduced && other.isReduced && other.value != nil
            && entry.stamp.counter == other.stamp.counter && other.stamp.lineage == nil
    }

    /// A total order: by stamp; then a full value goes before its smaller form, a value before a deletion, and the greater digest before the
    /// lesser one. The same stamp with two contents comes up when somebody copies what is kept out of backups.
    static func order(_ left: SyncEntry, _ right: SyncEntry) -> ComparisonResult {
        if isWholeOfFound(left, beside: right) { return .orderedDescending }
        if isWholeOfFound(right, beside: left) { return .orderedAscending }
        return orderByStamp(left, right)
    }

    private static func orderByStamp(_ left: SyncEntry, _ right: SyncEntry) -> ComparisonResult {
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
