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
        let accepted = facts.accepted?.entries ?? [:]
        switch trigger {
        case .change:
            return facts.entries != accepted
        case .request:
            // A new installation says hello even with nothing to tell: the counterpart answers with what it has.
            return facts.accepted == nil || facts.entries != accepted || facts.isCounterpartNew || !isCounterpartInformed(facts)
                || owesAcknowledgement(facts)
        case .applied(let meets):
            // Only what the counterpart lacks, never what it just said. Twice the same only for a counterpart that starts anew: otherwise two
            // devices with keys that the other does not know would answer each other for ever.
            let missing = facts.displaced.reduce(into: Set(entriesMissing(facts))) { missing, other in
                missing.formUnion(entriesMissing(facts.entries, at: other))
            }
            return missing.contains { accepted[$0] != facts.entries[$0] } || (meets && !missing.isEmpty && !isAcknowledged(facts))
        }
    }

    /// The names of which the counterpart's latest snapshot shows less than this device would send. Sorted.
    static func entriesMissing(_ facts: Facts) -> [String] {
        guard let counterpart = facts.counterpart else { return facts.entries.keys.sorted() }
        return entriesMissing(facts.entries, at: counterpart).sorted()
    }

    private static func entriesMissing(_ entries: [String: SyncEntry], at counterpart: SyncSnapshot) -> [String] {
        entries.filter { name, entry in
            !counterpart.omitted.contains(name) && !SyncMerge.covers(counterpart.entries, name, entry)
        }.map(\.key)
    }

    private static func isCounterpartInformed(_ facts: Facts) -> Bool {
        facts.counterpart != nil && (isAcknowledged(facts) || entriesMissing(facts).isEmpty)
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
    }
}
