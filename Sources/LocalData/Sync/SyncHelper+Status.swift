import WatchConnectivity

extension SyncHelper {
    func status() -> SyncStatus {
        let blocked = obstacle
        // The app may have put another context in the place of the one that was accepted.
        if !isBarred, let epoch = try? ledger.installation().epoch {
            accepted = acceptedSnapshot(in: WCSession.default.applicationContext, epoch: epoch)
        }
        var status = SyncStatus(lastError: lastError, problems: ledger.problems)
        status.didNotFit = didNotFit
        status.unknownKeys = unknownKeys
        for (name, item) in outbox.items.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if let code = item.unreadable {
                status.pending.append(.init(key: name, obstacle: .unreadable(code)))
                if code.isTemporary { status.lockedKeys.append(name) }
                continue
            }
            if item.current?.isDeletion == true { status.tombstones.append(name) }
            guard let entry = item.outgoing, !isShared(entry, of: name) else { continue }
            let isHeldBack = item.policy == .manual && item.published != entry
            let obstacle: SyncObstacle =
                item.isTooLarge(entry)
                ? .tooLarge
                : isHeldBack
                    ? .notRequested
                    : blocked ?? (didNotFit.contains(name) ? .didNotFit : refusal.map { .refused(code: $0) } ?? .waiting)
            status.pending.append(.init(key: name, obstacle: obstacle))
        }
        return status
    }

    /// Whether the session has taken a version over, or the counterpart is known to have it.
    private func isShared(_ entry: SyncEntry, of name: String) -> Bool {
        if accepted?.entries[name]?.stamp == entry.stamp { return true }
        return counterpart.map { SyncMerge.covers($0.entries, name, entry) } ?? false
    }
}
