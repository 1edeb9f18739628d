/// What this process knows of its exchange with the counterpart. Pure: ``SyncHelper`` sends, and says what was sent and heard.
struct SyncConversation: Sendable {
    /// What the session holds of this installation, as far as this process remembers.
    private(set) var accepted: SyncSnapshot?
    private(set) var partner = Partner.unheard
    /// The counterpart's installations that this process has answered.
    private var answered: Set<String> = []
    /// Whether the app said that there may be another counterpart, and nothing was sent since.
    private(set) var isCounterpartNew = false
    /// Whether the counterpart takes what was sent for outdated, and has to be sent it again.
    private(set) var isTakenForOutdated = false

    enum Partner: Sendable, Hashable {
        /// Nobody was heard in this process, or the app has forgotten who.
        case unheard
        case heard(Heard)
    }

    /// The installations of one device, as this process heard them.
    struct Heard: Sendable, Hashable {
        /// The counterpart's latest snapshot.
        var latest: SyncSnapshot
        /// The latest snapshots of the other installations that its device had, the one heard last at the end.
        var others: [SyncSnapshot] = []
        /// What those said, where ``latest`` is not of the installation that was heard before it: nobody knows then which of them is there now.
        var displaced: [SyncSnapshot] = []

        static let maximumOthers = 3
    }

    /// The counterpart's latest snapshot.
    var counterpart: SyncSnapshot? {
        if case .heard(let heard) = partner { heard.latest } else { nil }
    }

    /// What other installations of the counterpart's device said, where it may be one of those that is there now.
    var displaced: [SyncSnapshot] {
        if case .heard(let heard) = partner { heard.displaced } else { [] }
    }

    func hasAnswered(_ epoch: String) -> Bool { answered.contains(epoch) }

    /// Whether that snapshot is the one that the session was found to hold last.
    func isAccepted(epoch: String, sequence: UInt64) -> Bool { accepted?.sequence == sequence && accepted?.epoch == epoch }

    // MARK: What happens

    /// The session was found to hold this.
    mutating func remember(accepted snapshot: SyncSnapshot?) { accepted = snapshot }

    /// A snapshot was handed to the session.
    mutating func wasSent(_ snapshot: SyncSnapshot) {
        accepted = snapshot
        isCounterpartNew = false
        isTakenForOutdated = false
    }

    /// A change of what the session held was handed to it: with the changed entries alone.
    /// - Parameter gone: The names that it takes out.
    mutating func wasSent(_ change: SyncSnapshot, takingOut gone: [String]) {
        accepted?.change(to: change, takingOut: gone)
        isCounterpartNew = false
    }

    /// The counterpart that was heard last has its answer, be it that there is nothing to say.
    mutating func haveAnswered() {
        if let counterpart { answered.insert(counterpart.epoch) }
    }

    /// The counterpart has seen later numbers than this device would use next.
    mutating func isBehind() { isTakenForOutdated = true }

    /// A snapshot was taken into account. A context may outlive the installation that sent it, and arrive after the next one's.
    mutating func heard(_ snapshot: SyncSnapshot) {
        var latest = snapshot
        guard case .heard(let before) = partner, before.latest.device == snapshot.device else {
            partner = .heard(Heard(latest: latest))
            return
        }
        let others = before.others + [before.latest]
        if before.latest.epoch == snapshot.epoch {
            // What it had before and has no room for now, it still has.
            for name in snapshot.omitted { latest.entries[name] = before.latest.entries[name] }
            if snapshot.omitsMore { latest.entries.merge(before.latest.entries) { now, _ in now } }
            partner = .heard(Heard(latest: latest, others: before.others))
            return
        }
        let rest = others.filter { $0.epoch != snapshot.epoch }
        partner = .heard(Heard(latest: latest, others: Array(rest.suffix(Heard.maximumOthers)), displaced: rest))
    }

    /// The counterpart is known to hold a version that its latest snapshot left out.
    mutating func has(_ entry: SyncEntry, of name: String) {
        guard case .heard(var heard) = partner else { return }
        heard.latest.entries[name] = entry
        heard.latest.omitted.removeAll { $0 == name }
        partner = .heard(heard)
    }

    /// The session is with another counterpart from its next activation on. Whom this process has answered it remembers.
    mutating func forgetCounterpart() {
        partner = .unheard
        accepted = nil
        isCounterpartNew = true
    }
}
