/// The next snapshot: everything that there is to say, or what has changed since the session took one last.
struct SyncDraft {
    /// Without its sequence number; its content is 0 where it is a new one. Of a change: with the changed entries alone.
    var snapshot: SyncSnapshot
    /// What is changed; `nil`: the snapshot is the whole.
    var basis: SentContext?
    /// The names that a change takes out.
    var gone: [String] = []
    var didNotFit: [String] = []
    /// Where that begins.
    var cut: SyncOutbox.Cut?
    /// What the entries of the whole take at most.
    var byteCount: Int
    /// What they may take.
    var room: Int
    /// Whether the next snapshot may be a change of this one.
    var canBeChanged: Bool

    /// Whether there is anything that could be left out to make it smaller.
    var canBeSmaller: Bool { basis != nil || !snapshot.entries.isEmpty }

    /// The payloads of all entries, by name.
    var entries: [String: Any] {
        guard var entries = basis?.entries else { return snapshot.entryPayloads }
        for name in gone { entries[name] = nil }
        entries.merge(snapshot.entryPayloads) { $1 }
        return entries
    }
}

/// What the session took last from this process. The next context is made of it and of what has changed since: with a thousand keys, putting all of it together
/// takes longer than to store a value durably.
struct SentContext {
    /// With the epoch it tells the context from what anybody else puts in its place.
    let sequence: UInt64
    let epoch: String
    /// Whose deletions are told as settled: see ``SyncHelper/receiver(of:)``.
    let receiver: String?
    /// What the entries take at most.
    let byteCount: Int
    /// What they could take.
    let room: Int
    /// What there was no room for, sorted by name, and where it begins.
    let didNotFit: [String]
    let cut: SyncOutbox.Cut?
    /// What is said of that.
    let omissions: SyncSnapshot.Omissions
    /// As the session has them, by name.
    let entries: [String: Any]

    /// Whether there was no room for it. Of ten thousand keys it may be most.
    func leftOut(_ name: String) -> Bool {
        var (low, high) = (0, didNotFit.count)
        while low < high {
            let middle = (low + high) / 2
            if didNotFit[middle].utf8.lexicographicallyPrecedes(name.utf8) { low = middle + 1 } else { high = middle }
        }
        return low < didNotFit.count && didNotFit[low] == name
    }
}

extension SyncHelper {
    /// What has changed since the session took a snapshot last, as a change of that; `nil` where the whole has to be put together.
    ///
    /// It makes the same context. The entries that nothing has touched are the same then: all names were read by this process, no deletion is settled with
    /// anybody, and what had no room has none now.
    func changedDraft(for installation: SyncInstallation, fitting room: Int) -> SyncDraft? {
        guard let sent, sent.epoch == installation.epoch, sent.receiver == receiver(of: installation), !conversation.isTakenForOutdated,
            conversation.isAccepted(epoch: sent.epoch, sequence: sent.sequence),
            installation.missed.isEmpty || versionsToPassOn(installation, fitting: room).isEmpty
        else { return nil }
        let snapshot = emptySnapshot(for: installation)
        var draft = SyncDraft(
            snapshot: snapshot, basis: sent, didNotFit: sent.didNotFit, cut: sent.cut, byteCount: sent.byteCount,
            room: room - snapshot.maximumHeaderByteCount, canBeChanged: true)
        for name in outbox.touched {
            guard let item = outbox.items[name], item.unreadable == nil else { return nil }
            let accepted = conversation.accepted?.entries[name]
            let entry = item.entry(accepted: accepted)
            if accepted == nil, sent.leftOut(name) { return nil }
            guard entry != accepted else { continue }
            draft.byteCount -= accepted?.maximumByteCount(under: name) ?? 0
            if let entry {
                guard !item.isTooLarge(entry), !entry.isSettled else { return nil }
                let candidate = SyncOutbox.Candidate(entry, of: name)
                if let first = sent.cut?.first, first < candidate { return nil }
                draft.byteCount += candidate.size
                draft.snapshot.entries[name] = entry
            } else {
                draft.gone.append(name)
            }
        }
        guard !draft.snapshot.entries.isEmpty || !draft.gone.isEmpty, draft.byteCount <= draft.room else { return nil }
        if let cut = sent.cut {
            guard draft.room == sent.room, draft.byteCount + cut.omissionByteCount <= draft.room,
                draft.byteCount + cut.byteCountWithMore > draft.room
            else { return nil }
            draft.snapshot.omissions = sent.omissions
        }
        return draft
    }
}
