import Foundation

/// What this device lacks: versions that it could not take, and what a power loss took.
extension SyncEngine {
    /// Notes the versions that the counterpart has and this device does not, since they could not be sent, or not be taken: what is set or removed here from
    /// now on comes after them, also in a later process. A value in a form that this app does not know is not replaced, as if it had arrived.
    func noteMissed(of snapshot: SyncSnapshot, after outcomes: [String: SyncReport.Outcome]) async {
        let isAnythingMissed =
            !snapshot.omittedVersions.isEmpty || snapshot.omittedCounter > 0
            || outcomes.contains { name, outcome in
                !outcome.isTaken || outcome == .unknown || outcome == .notSynced
                    || (snapshot.entries[name]?.isDeletion == true && sync.ledger.receivingKey(name) == nil)
            }
        let before = try? sync.ledger.installation()
        let (missedBefore, awaitedBefore) = (before?.missed ?? [:], before?.awaited ?? [:])
        guard isAnythingMissed || !missedBefore.isEmpty || !awaitedBefore.isEmpty else { return }
        var missed: [String: SyncStamp] = [:]
        // Of what an installation does not have that begins anew no form is to come. Another watch may still have its own; what it cannot read for now it may have; and one that
        // had it may keep silent while its app has switched the key off.
        let isKnown = before?.counterpart(snapshot.epoch) != nil
        var awaited: [String: Int?] = awaitedBefore.filter { name, _ in
            !snapshot.leavesOut(name) && !(isKnown && snapshot.isSilent(about: name) && missedBefore[name] != nil)
        }.mapValues { _ in nil }
        var unknown: [String: SyncSnapshot.OmittedVersion] = [:]
        for (name, version) in snapshot.omittedVersions {
            guard let key = sync.ledger.receivingKey(name) else {
                unknown[name] = version
                continue
            }
            guard sync.ledger.syncs(key, on: environment.device.role) else { continue }
            if let own = await sync.outbox.current(name)?.stamp ?? sync.ledger.stampOfLatest(key), own >= version.stamp { continue }
            missed[name] = version.stamp
            sync.ledger.noteSeen(version.stamp, of: name)
            if version.schemaVersion > key.schemaVersion {
                stored.schemas.noteAwaited(version.schemaVersion, of: name)
                awaited[name] = .some(version.schemaVersion)
            }
        }
        for (name, stamp) in await untoldVersions(of: snapshot) {
            missed[name] = stamp
            sync.ledger.noteSeen(stamp, of: name)
        }
        var taken: [String: SyncStamp] = [:]
        for (name, entry) in snapshot.entries {
            switch outcomes[name] {
            // A removal that this process has only repeated is one that an edit of a later one is to come after.
            case .equal where sync.ledger.receivingKey(name) == nil: unknown[name] = entry.omittedVersion
            case .applied, .kept, .equal: taken[name] = entry.stamp
            case .deferred:
                missed[name] = entry.stamp
                if let form = stored.schemas.awaited(name) { awaited[name] = .some(form) }
            case .failed: missed[name] = entry.stamp
            case .unknown where unknown[name].map { entry.stamp < $0.stamp } == true: break
            case .unknown: unknown[name] = entry.omittedVersion
            // What is set while an app has switched a key off counts after what has arrived meanwhile, once it is switched on again.
            case .notSynced where isSwitchedOff(name): missed[name] = entry.stamp
            case .notSynced, nil: break
            }
        }
        let heard = unknown.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { (name: $0.key, version: $0.value) }
        let others = missedBefore.keys.filter { unknown[$0] == nil && sync.ledger.receivingKey($0) == nil }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        // What cannot be written is noted when a later process looks at what the session received.
        try? sync.ledger.updateInstallation { installation in
            for (name, stamp) in missed { installation.noteMissed(stamp, of: name) }
            for (name, form) in awaited { installation.noteAwaited(form, of: name, on: snapshot.device) }
            installation.noteUnknown(heard, beside: others, on: snapshot.device)
            for (name, stamp) in taken { installation.noteTaken(stamp, of: name) }
        }
    }

    /// Notes which versions are still those of an installation before this one, as from a backup: the first counterpart that is heard may say nothing of a key, or
    /// be another watch than the one that has had later versions of it. What is set then is to come after those.
    func noteInherited(after outcomes: [String: SyncReport.Outcome]) {
        guard sync.ledger.mayInherit, let installation = try? sync.ledger.installation(), let replica = try? sync.ledger.replica() else {
            return
        }
        let received = Set(outcomes.filter { $0.value == .applied }.keys)
        var inherited = installation.inherited
        if installation.counterparts.isEmpty {
            for key in sync.ledger.syncedKeys(on: environment.device.role) {
                guard let record = try? sync.ledger.record(of: key.name, in: key.domain), !record.isWritten(by: replica) else { continue }
                inherited.insert(key.name)
            }
        }
        inherited.subtract(received)
        guard inherited != installation.inherited else { return }
        try? sync.ledger.updateInstallation { $0.inherited = inherited }
    }

    /// Whether it is a choice of the app alone that keeps a key from syncing.
    private func isSwitchedOff(_ name: String) -> Bool {
        guard let key = sync.ledger.receivingKey(name), !sync.ledger.syncs(key, on: environment.device.role) else { return false }
        return sync.ledger.keepsVersions(of: key, on: environment.device.role) == true
    }

    /// Of what is left out without a version the highest counter is told: what is here of it is as late, or is to count above it.
    private func untoldVersions(of snapshot: SyncSnapshot) async -> [(name: String, stamp: SyncStamp)] {
        guard snapshot.omittedCounter > 0 else { return [] }
        let stamp = SyncStamp(counter: snapshot.omittedCounter, device: "")
        var versions: [(name: String, stamp: SyncStamp)] = []
        for key in sync.ledger.syncedKeys(on: environment.device.role)
        where snapshot.omittedVersions[key.name] == nil && snapshot.leavesOut(key.name) {
            if let own = await sync.outbox.current(key.name), own.stamp >= stamp { continue }
            versions.append((key.name, stamp))
        }
        return versions
    }

    /// Takes back what an earlier process sent and this device then lost, such as preferences that a power loss took. The counterpart has those
    /// versions: what is set here from now on must count on from them, or it would lose to them.
    func takeBackWhatWasLost(on router: isolated StorageRouter) async throws {
        guard let (sent, isFirstLook) = try await sync.sentByEarlierProcess() else { return }
        // Later looks are at what a catalog has named that was registered since.
        guard isFirstLook else {
            try await takeBackWhatWasLost(of: sent, on: router)
            try? sync.ledger.updateInstallation {
                $0.removedUnseen.subtract(sent.entries.keys)
                $0.noteClaimed(sent.entries.keys)
            }
            return
        }
        sync.ledger.keepFormerNames(among: sent.entries.keys)
        sync.ledger.noteUnclaimed(among: sent.entries.keys, isListed: admission.lists)
        try await takeBackWhatWasLost(of: sent, on: router)
        // Of a name that no key has yet it is looked at once one has it.
        let waiting = Set(sent.entries.keys.filter { sync.ledger.receivingKey($0) == nil })
        try? sync.ledger.updateInstallation { $0.removedUnseen.formIntersection(waiting) }
        if waiting.isEmpty { sync.ledger.endRemovedUnseen() }
        await sync.lookedBack(at: sent)
    }

    private func takeBackWhatWasLost(of sent: SyncSnapshot, on router: isolated StorageRouter) async throws {
        let installation = try sync.ledger.installation()
        for (name, entry) in sent.entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) where !entry.isReduced {
            // Up to the floor it may be a deletion that was forgotten since, or what that deleted: what lies here may be of an installation that counts from the beginning.
            guard entry.stamp.isAbove(installation.floor(of: name)) else { continue }
            let held = await sync.outbox.current(name)
            guard held.map({ $0.stamp < entry.stamp }) ?? true else { continue }
            // What was there before may be a removal: to the app that is the same. What the counterpart has sent since is earlier than what was removed.
            if held.map({ $0.isDeletion || $0.stamp.writer != installation.replica(of: environment.device.identifier) }) ?? true,
                !entry.isDeletion,
                sync.ledger.isRemovedUnseen(name), try await removeWhatWasLost(entry, named: name, besides: held)
            {
                continue
            }
            _ = await take(entry, named: name, from: sent, on: router)
        }
    }

    /// Removes a value that was lost and that the app has removed since. It found nothing then.
    /// - Returns: False where it was not removed, or is not to be removed.
    /// - Throws: Why it cannot be removed now. Taken back it would be there for good, and so it would be once what was sent is replaced: nothing is sent then.
    private func removeWhatWasLost(_ entry: SyncEntry, named name: String, besides held: SyncEntry?) async throws -> Bool {
        guard let key = sync.ledger.receivingKey(name), sync.ledger.syncs(key, on: environment.device.role) else { return false }
        do {
            let location = try stored.location(of: key)
            guard sync.ledger.claim(key, at: location) else { return false }
            return try await turns.run(at: location) {
                guard self.sync.ledger.isRemovedUnseen(name), try held?.isDeletion == false || !self.stored.isStored(key) else {
                    return false
                }
                try self.sync.ledger.noteLost(key, at: location, as: entry.stamp)
                _ = try await self.values.erase(key, origin: .local)
                return true
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            let problem = SyncLedger.storageError(error).at(key: name, domain: key.domain.kind, operation: "sync")
            await sync.note(problem)
            throw problem
        }
    }

    /// Sees to it that what this process has set or removed in preferences comes after a version that an earlier process had taken, where it did not know that: a power
    /// loss has taken it with its record. Called in the key's turn.
    /// - Returns: Whether it is so, and what is here stays, as a later version.
    func holdsAfterLoss(
        _ local: SyncEntry?, of key: any StorageKey, against incoming: SyncEntry, from snapshot: SyncSnapshot,
        on router: isolated StorageRouter
    ) async throws -> Bool {
        guard sync.ledger.hasHeardNothing, key.domain.defaultsSuite != nil else { return false }
        let installation = try sync.ledger.installation()
        // What could not be taken then is not lost: nobody had it here.
        // What this installation wrote itself came before all that this process removes, whoever says it back.
        let isOwn = local?.isDeletion != false && incoming.stamp.writer == installation.replica(of: environment.device.identifier)
        guard isOwn || installation.hasTaken(snapshot), installation.missed[key.name] == nil else { return false }
        guard let local, !isOwn || !sync.ledger.isRemovedUnseen(key.name) else {
            // A removal that is later than that has nothing to count on from: its version stays.
            guard !incoming.isDeletion, local.map({ $0.stamp < incoming.stamp }) ?? true, sync.ledger.isRemovedUnseen(key.name),
                try !stored.isStored(key)
            else { return false }
            try sync.ledger.noteLost(key, at: stored.location(of: key), as: incoming.stamp)
            _ = try await values.erase(key, origin: .local)
            return true
        }
        guard local.stamp < incoming.stamp, try sync.ledger.hasChangedHere(key, as: local.stamp) else { return false }
        sync.ledger.noteSeen(incoming.stamp, of: key.name)
        if let value = local.value {
            _ = try await values.store(value, for: key, origin: .local, inForm: local.schemaVersion)
        } else {
            let stamp = try sync.ledger.recordLaterDeletion(of: key, at: stored.location(of: key))
            await hold(SyncEntry(stamp: stamp, value: nil), of: key, on: router)
        }
        return true
    }
}

extension SyncReport.Outcome {
    /// Whether nothing of the entry is missing here.
    fileprivate var isTaken: Bool {
        switch self {
        case .applied, .kept, .equal, .unknown, .notSynced: true
        case .deferred, .failed: false
        }
    }
}
