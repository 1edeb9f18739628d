import Foundation

extension SyncLedger {
    /// This installation, made on first use. A damaged one is replaced: to the counterpart that is a new installation.
    func installation() throws -> SyncInstallation {
        if let known = withState({ $0.installation }) { return known }
        var replacesDamaged = false
        do {
            if let data = try store.installation() {
                let stored = try SyncInstallation(encoded: data)
                return withState { state in
                    state.installation = state.installation ?? stored
                    state.problems[SyncLedgerStore.installationFile] = nil
                    return state.installation ?? stored
                }
            }
        } catch let error as StorageError where error.code == .corrupt {
            note(error, about: SyncLedgerStore.installationFile)
            replacesDamaged = true
        } catch {
            throw Self.storageError(error).at(operation: "sync")
        }
        let fresh = SyncInstallation(epoch: try environment.entropy.bytes(16).hexadecimal)
        // Before there is anything to keep out: after a crash in between nobody would do it again, and a backup would hold the installation.
        if !replacesDamaged { try? store.excludeInstallationFromBackup() }
        try write { $0.installation ?? fresh }
        return withState { $0.installation ?? fresh }
    }

    /// What stamps of this device name as their writer.
    func replica() throws -> String { try installation().replica(of: environment.device.identifier) }

    /// The counterparts besides the one that a snapshot is of: of a watch there are none, and of most phones neither.
    func counterparts(besides snapshot: SyncSnapshot) throws -> [String] {
        guard environment.device.role != .watch else { return [] }
        return try installation().others(than: snapshot.device)
    }

    func updateInstallation(_ change: (inout SyncInstallation) -> Void) throws {
        var changed = try installation()
        let before = changed
        change(&changed)
        guard changed != before else { return }
        try write { state in
            var latest = state.installation ?? before
            change(&latest)
            return latest
        }
    }

    /// The number of the snapshot to send next. A durable write for every ``SyncInstallation/reservation`` numbers.
    func takeSequence() throws -> UInt64 {
        let installation = try installation()
        let next = withState { state -> UInt64? in
            guard let next = state.nextSequence, next < installation.reservedSequence else { return nil }
            state.nextSequence = next + 1
            return next
        }
        if let next { return next }
        let first = installation.reservedSequence
        guard first < SnapshotLimits.maximumSequence - SyncInstallation.reservation else {
            try renew()
            return try takeSequence()
        }
        try updateInstallation { $0.reservedSequence = max($0.reservedSequence, first + SyncInstallation.reservation) }
        withState { $0.nextSequence = first + 1 }
        return first
    }

    /// Goes on above a number that the counterpart has already seen: this device was restored to an earlier state.
    /// - Returns: Whether there was something to skip. What was sent so far counts as outdated there.
    func skipSequences(through used: UInt64) throws -> Bool {
        let isBeyond = try used >= withState({ $0.nextSequence }) ?? installation().reservedSequence
        guard isBeyond else { return false }
        guard used < SnapshotLimits.maximumSequence - SyncInstallation.reservation else {
            try renew()
            return true
        }
        try updateInstallation { $0.reservedSequence = max($0.reservedSequence, used + 1) }
        withState { $0.nextSequence = nil }
        return true
    }

    /// Begins to number anew, under another epoch: numbers have come so far that a next one could be the last. To the counterpart that is another
    /// installation, which knows what this one knows.
    private func renew() throws {
        let epoch = try environment.entropy.bytes(16).hexadecimal
        let before = try installation()
        try write { ($0.installation ?? before).renewed(as: epoch) }
        withState { $0.nextSequence = nil }
    }

    /// Written under the lock, so that of two changes the later one is also the one that is on disk.
    private func write(_ change: (State) -> SyncInstallation) throws {
        try withState { state in
            let changed = change(state)
            do {
                try store.setInstallation(Data(changed.encoded.utf8))
            } catch {
                throw Self.storageError(error).at(operation: "sync")
            }
            state.installation = changed
        }
    }
}
