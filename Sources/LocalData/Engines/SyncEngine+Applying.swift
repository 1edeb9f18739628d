import Foundation

/// Applying of a counterpart's snapshot, key by key.
extension SyncEngine {
    /// Takes a snapshot into account, without sending anything. One at a time.
    func take(_ received: SyncSnapshot, on router: isolated StorageRouter) async throws -> SyncReport {
        let snapshot = try limited(received)
        var report = SyncReport()
        if try await isOutdated(snapshot, on: router) {
            report.isOutdated = true
            environment.tell(.foundOutdated(.init(snapshot)))
            report.outcomes = await takeWhatWasLeftOut(of: snapshot, on: router)
            report.outcomes.merge(try await takeWhatIsMissing(from: snapshot, on: router)) { known, _ in known }
            sync.ledger.noteHeard()
            return report
        }
        let names = snapshot.entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for name in names {
            guard let entry = snapshot.entries[name] else { continue }
            report.outcomes[name] = await take(entry, named: name, from: snapshot, on: router)
        }
        for name in snapshot.refused.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            report.outcomes[name] = .failed(.invalidSnapshot)
            environment.tell(.took(key: name, .failed(.invalidSnapshot), from: .init(snapshot)))
        }
        report.outcomes.merge(await removeOmitted(by: snapshot, on: router)) { known, _ in known }
        await noteMissed(of: snapshot, after: report.outcomes)
        noteInherited(after: report.outcomes)
        try await forgetSettledDeletions(missingFrom: snapshot, on: router)
        // What was refused was not taken into account, and may come again in order.
        let isComplete = report.isComplete && snapshot.refused.isEmpty
        try await sync.finishApplying(snapshot, isComplete: isComplete, unknownKeys: report.unknown)
        sync.ledger.noteHeard()
        return report
    }

    /// What could not be sent may be what this device has removed, as under the name that it had before an update. Its version tells that as well as the value
    /// would.
    private func removeOmitted(by snapshot: SyncSnapshot, on router: isolated StorageRouter) async -> [String: SyncReport.Outcome] {
        var outcomes: [String: SyncReport.Outcome] = [:]
        for (name, version) in snapshot.omittedVersions.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard let key = sync.ledger.receivingKey(name), sync.ledger.syncs(key, on: environment.device.role),
                await sync.outbox.current(name) == nil
            else { continue }
            do {
                let location = try stored.location(of: key)
                guard sync.ledger.claim(key, at: location) else { continue }
                let isRemoved = try await turns.run(at: location) {
                    try await self.bringOver(key, before: version.stamp, on: router)
                    if try await self.removeAgain(version.stamp, of: key, on: router) { return true }
                    return try await self.removeAsAtSource(version.stamp, of: key, on: router)
                }
                if isRemoved { outcomes[name] = .kept }
            } catch {
                let code = SyncLedger.storageError(error).code
                if code.mayPass { outcomes[name] = .deferred(code) }
            }
            if let outcome = outcomes[name] { environment.tell(.took(key: name, outcome, from: .init(snapshot))) }
        }
        return outcomes
    }

    /// - Parameter isLate: Whether the snapshot counts as outdated.
    func take(
        _ entry: SyncEntry, named name: String, from snapshot: SyncSnapshot, isLate: Bool = false, on router: isolated StorageRouter
    ) async -> SyncReport.Outcome {
        let outcome = await outcome(of: entry, named: name, from: snapshot, isLate: isLate, on: router)
        if !isLate || outcome.isNews { environment.tell(.took(key: name, outcome, from: .init(snapshot))) }
        return outcome
    }

    private func limited(_ received: SyncSnapshot) throws -> SyncSnapshot {
        do {
            return try received.withinLimits()
        } catch {
            environment.tell(.refusedSnapshot(.invalidSnapshot))
            throw error
        }
    }

    private func isOutdated(_ snapshot: SyncSnapshot, on router: isolated StorageRouter) async throws -> Bool {
        do {
            return try await sync.isOutdated(snapshot)
        } catch let error as StorageError where error.code == .invalidSnapshot {
            environment.tell(.refusedSnapshot(error.code))
            throw error
        }
    }

    /// A reply takes less than a context and may overtake one (W72). What it had no room for is then still to be had from the context.
    private func takeWhatWasLeftOut(of snapshot: SyncSnapshot, on router: isolated StorageRouter) async -> [String: SyncReport.Outcome] {
        var outcomes: [String: SyncReport.Outcome] = [:]
        for (name, entry) in await sync.leftOut(by: snapshot) {
            let outcome = await take(entry, named: name, from: snapshot, on: router)
            outcomes[name] = outcome
            if case .deferred = outcome { continue }
            await sync.noteLeftOut(entry, of: name)
        }
        return outcomes
    }

    /// What this device does not have, although a reply brought it: a power loss took it since, or the key did not sync here just then, or this version of the
    /// app could not read it. The context with the same value counts as outdated since the reply, and the counterpart takes the value for received. A
    /// version that comes after the one that lies here, or a value where there is none, is taken from it all the same.
    private func takeWhatIsMissing(from snapshot: SyncSnapshot, on router: isolated StorageRouter) async throws -> [String: SyncReport
        .Outcome]
    {
        let installation = try sync.ledger.installation()
        var outcomes: [String: SyncReport.Outcome] = [:]
        for (name, entry) in snapshot.entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            // Up to the floor it may be a value whose deletion was forgotten since, or one of an installation that counts from the beginning.
            if !entry.stamp.isAbove(installation.floor(of: name)) {
                guard let key = sync.ledger.receivingKey(name) else { continue }
                if entry.isDeletion {
                    // What it took away is here again, as after a power loss.
                    guard installation.removed[name]?.contains(entry.stamp) == true, (try? stored.isStored(key)) == true else { continue }
                } else {
                    guard await sync.outbox.current(name) == nil, try !sync.ledger.wasRemoved(entry.stamp, of: key),
                        await !sync.hasHeardRemoval(of: entry, named: name, after: snapshot)
                    else { continue }
                }
            }
            let outcome = await take(entry, named: name, from: snapshot, isLate: true, on: router)
            if outcome.isNews { outcomes[name] = outcome }
        }
        return outcomes
    }

    private func outcome(
        of entry: SyncEntry, named name: String, from snapshot: SyncSnapshot, isLate: Bool, on router: isolated StorageRouter
    ) async -> SyncReport.Outcome {
        guard let key = sync.ledger.receivingKey(name) else {
            guard entry.isDeletion, !isLate else { return .unknown }
            return await repeatRemoval(entry, named: name) ? .equal : .unknown
        }
        do {
            _ = try sync.ledger.overrides()
            guard sync.ledger.syncs(key, on: environment.device.role) else { return .notSynced }
            let location = try stored.location(of: key)
            guard sync.ledger.claim(key, at: location) else { return .notSynced }
            try admission.requireFileOfItsOwn(key)
            return try await turns.run(at: location) {
                // It may have been switched off while another had the turn.
                guard self.sync.ledger.syncs(key, on: self.environment.device.role) else { return .notSynced }
                let outcome = try await self.merge(entry, into: key, from: snapshot, isLate: isLate, on: router)
                self.stored.schemas.noteAwaited(nil, of: name)
                return outcome
            }
        } catch {
            let code = SyncLedger.storageError(error).code
            sync.ledger.noteSeen(entry.stamp, of: name)
            // An edit in the older form must not replace it before it can be kept.
            // What can never be kept says nothing of the form that is to come.
            if entry.schemaVersion > key.schemaVersion, code.mayPass { stored.schemas.noteAwaited(entry.schemaVersion, of: name) }
            return code.mayPass ? .deferred(code) : .failed(code)
        }
    }

    /// Called under the key's lock, so that no local change comes between the comparison and the outcome.
    private func merge(
        _ incoming: SyncEntry, into key: any StorageKey, from snapshot: SyncSnapshot, isLate: Bool, on router: isolated StorageRouter
    ) async throws -> SyncReport.Outcome {
        try await bringOver(key, before: incoming.stamp, on: router)
        if try await isBefore(editOf: key, incoming.stamp, on: router) { return .kept }
        let local = try await localEntry(of: key, against: incoming, on: router)
        // An edit from outside the app may have been found just now, and is to be told.
        if let local, let held = await sync.outbox.current(key.name), held.stamp < local.stamp {
            await sync.hold(local, reduced: versions.reducedEntry(local, of: key), of: key, isShared: false)
        }
        // A late snapshot says nothing of what was removed since, nor of other forms of one version.
        if isLate, local.map({ !($0.stamp < incoming.stamp) }) ?? incoming.isDeletion {
            // What is set here from now on comes after it: the counterpart may not have forgotten it yet.
            if local == nil { try sync.ledger.noteForgotten(incoming.stamp, of: key.name) }
            return .kept
        }
        if let local, versions.isOwnReduction(incoming, of: local, key: key) { return .equal }
        let isLaterReduction = local.map { versions.isLaterReduction(incoming, of: $0) } == true
        let isEditOfWatch = local.map { versions.isEditOfWatch($0, beside: incoming, key: key) } == true
        if try await holdsAfterLoss(local, of: key, against: incoming, from: snapshot, on: router) { return .kept }
        switch isLaterReduction ? .apply : SyncMerge.decide(local: local, incoming: incoming, isEditOfWatch: isEditOfWatch) {
        case .keep:
            if local != nil, !incoming.isDeletion { try sync.ledger.noteOutdone(incoming.stamp, of: key) }
            if let local, versions.isTakenForWhole(incoming, beside: local, key: key) {
                try await keep(local, of: key, after: incoming.stamp)
            }
            return .kept
        case .equal:
            if incoming.isDeletion { try await noteShared(incoming, of: key, by: snapshot, on: router) }
            return .equal
        case .apply:
            // A secret that was found on both devices may be later on either.
            if let local, versions.isTakenForWhole(incoming, beside: local, key: key) {
                try await keep(local, of: key, after: incoming.stamp)
                return .kept
            }
            if let local, versions.isOfLaterWhole(incoming, beside: local, key: key), try !sync.ledger.hasLost(incoming.stamp, of: key) {
                // Of one that a newer version of the app made no smaller form can be made for now: it stays what it is until that app is back.
                if local.schemaVersion <= key.schemaVersion { try await keep(local, of: key, rightAfter: incoming.stamp) }
                return .kept
            }
            if let local, local.value != nil, try sync.ledger.hasForgotten(incoming, of: key, holding: local.stamp) {
                try await keep(local, of: key, rightAfter: incoming.stamp)
                return .kept
            }
            if local == nil, !incoming.isDeletion, try await removeAgain(incoming.stamp, of: key, on: router) { return .kept }
            if local == nil, try await removeAsAtSource(incoming.stamp, of: key, on: router) { return .kept }
            if let value = incoming.value {
                try key.requireTakeable(value, by: sync.ledger.policy(of: key))
                let (plain, schema) = try fitting(value, inForm: incoming.schemaVersion, for: key)
                sync.ledger.expect(incoming, of: key.name)
                _ = try await values.store(plain, for: key, origin: .sync(incoming.stamp), inForm: schema)
                if local == nil { try noteFloor(above: incoming.stamp, of: key) }
            } else {
                try await remove(key, as: incoming.stamp)
                try await noteShared(incoming, of: key, by: snapshot, on: router)
            }
            return .applied
        }
    }

    /// A value of an installation that counts from the beginning lies below what this device has forgotten here, and others may still remember. The next edit is to come
    /// after that, also on the device that set the value: it is told as a version that somebody else has.
    private func noteFloor(above stamp: SyncStamp, of key: any StorageKey) throws {
        let floor = try sync.ledger.installation().floor(of: key.name)
        guard floor > 0, stamp.lineage == nil, !stamp.isAbove(floor) else { return }
        try sync.ledger.updateInstallation { $0.noteMissed(SyncStamp(counter: floor, device: ""), of: key.name) }
    }

    /// A phone that has gone back to an earlier value, as from a backup or after a power loss, is not given what it made of a later one for the watch: the
    /// value that it has is the only whole one. It comes right after that version, so that the watch comes to have a form of it, and before whatever anybody
    /// sets: nobody has edited it. Nor is a value taken away that was taken since this device forgot its own deletion, by that or by what it took away: it comes right after that.
    private func keep(_ local: SyncEntry, of key: any StorageKey, rightAfter stamp: SyncStamp) async throws {
        guard !stamp.isOfFoundValue, !stamp.isOfFoundSecret else { return try await keep(local, of: key, after: stamp) }
        guard let whole = local.value else { return }
        sync.ledger.noteSeen(stamp, of: key.name)
        let kept = LegacyVersion(stamp: try stamp.followed(by: sync.ledger.replica()), isSameName: true, replaced: stamp)
        _ = try await values.store(whole, for: key, origin: .migration, migratedFrom: kept, inForm: local.schemaVersion)
    }

    /// The same where the counterpart takes its own for the whole of that version. It counts as set anew.
    private func keep(_ local: SyncEntry, of key: any StorageKey, after stamp: SyncStamp) async throws {
        guard let whole = local.value else { return }
        sync.ledger.noteSeen(stamp, of: key.name)
        _ = try await values.store(whole, for: key, origin: .local, inForm: local.schemaVersion)
    }

    /// As with ``StorageRouter/remove(_:)``: what an earlier version of the app left must not come back in its place.
    func remove(_ key: any StorageKey, as stamp: SyncStamp) async throws {
        try await migration.retireMigration(of: key)
        _ = try await values.erase(key, origin: .sync(stamp))
    }

    /// The version to compare with; `nil` where this device has none, or one that gives way to any other.
    private func localEntry(of key: any StorageKey, against incoming: SyncEntry, on router: isolated StorageRouter) async throws
        -> SyncEntry?
    {
        do {
            return try await syncEntry(of: key, on: router)
        } catch is DamagedValue {
            return nil
        } catch let error as StorageError where error.code == .keyMissing {
            // Another process may have the key. The version is known all the same: one that is not newer than the counterpart's gives way.
            guard try stored.isShared(key), let stored = try sync.ledger.record(of: key.name, in: key.domain)?.committed.stamp,
                stored <= incoming.stamp
            else { throw error }
            return nil
        } catch let error as StorageError where error.code.isOfValueThatDoesNotOpen {
            // A whole value that may open again does not give way to the smaller form of a later one.
            if incoming.isReduced, environment.device.role == .phone, error.code != .invalidated { throw error }
            // A mistyped passphrase does not open it now, its provider is not there, it wants a person, or another version of the app has secured it. It is this
            // device's version all the same, and gives way to a later one, which needs nothing of it.
            guard let stored = try sync.ledger.recover(key, finding: await stored.syncRevision(of: key).value)?.committed.stamp else {
                throw error
            }
            // This version of the app can open that version as the counterpart, or the session, has it.
            let isReadableForm =
                error.code == .undeclaredPolicy && stored == incoming.stamp && !incoming.isReduced
                && !incoming.isDeletion && incoming.schemaVersion <= key.schemaVersion
            guard stored < incoming.stamp || isReadableForm else { throw error }
            return nil
        }
    }
}

extension StorageError.Code {
    /// Whether a value is there and whole as far as can be told, and does not open: not for this process, not without a person, or not any more.
    fileprivate var isOfValueThatDoesNotOpen: Bool {
        switch self {
        case .decryptionFailed, .undeclaredPolicy, .providerMissing, .authenticationRequired, .authenticationCancelled,
            .authenticationFailed,
            .invalidated:
            true
        default: false
        }
    }
}

/// Values of other versions of the app.
extension SyncEngine {
    /// What to store of a value that the counterpart's version of the app made.
    ///
    /// A form that is newer than what the key knows is kept as it is, at the key's place and secured as the key says, for the day that this app is
    /// updated. An older one takes the way that an older value of the same name takes on this device, through the key's migration, if it has one.
    /// - Throws: `wrongType` for what `get` could not return.
    private func fitting(_ value: Data, inForm schema: Int, for key: any StorageKey) throws -> (plain: Data, schema: Int) {
        guard schema <= key.schemaVersion else { return (value, schema) }
        if schema < key.schemaVersion, let migrated = try migrated(value, inForm: schema, for: key) { return (migrated, key.schemaVersion) }
        try key.requireDecodable(value, width: environment.device.integerBitWidth)
        return (value, schema)
    }

    private func migrated(_ value: Data, inForm schema: Int, for key: any StorageKey) throws -> Data? {
        guard let last = key.migration?.base as? any PlannedMigration, let links = try key.links(toForm: schema), let source = links.first
        else { return nil }
        let entry = MigrationSources.Entry(key: source, location: try StorageLocation(of: source), plain: value)
        let found = MigrationSources(destination: key.name, entries: [entry], integerBitWidth: environment.device.integerBitWidth)
        let context = moves.migrationContext()
        do {
            return try last.converted(migration.carried(found, over: Array(links.dropFirst()), to: key, context: context), in: context)
        } catch {
            throw StorageError(.wrongType, key: key.name, domain: key.domain.kind, operation: "sync")
        }
    }
}

extension StorageKey {
    /// The keys that a value of an older form goes through, to the key's own source. The first one has the key's name, and knows the form or the next
    /// later one; of several the nearest. `nil` where none does.
    fileprivate func links(toForm schema: Int) throws -> [any StorageKey]? {
        var best: [any StorageKey]?
        var visited: Set<[String]> = []
        var open: [[any StorageKey]] = [[self]]
        while !open.isEmpty {
            let path = open.removeFirst()
            guard let link = path.first, try visited.insert(link.linkOfChain).inserted else { continue }
            for source in link.migration?.base.sourceKeys.map(\.base) ?? [] {
                let links = [source] + path
                open.append(links)
                guard source.name == name, source.schemaVersion >= schema, best.map({ source.schemaVersion < $0[0].schemaVersion }) ?? true
                else { continue }
                best = links
            }
        }
        return best.map { $0.dropLast() }
    }
}

extension StorageKey {
    /// Refuses a value that no snapshot can carry for a key of that policy.
    func requireTakeable(_ plain: Data, by policy: SyncPolicy) throws {
        let limit = SnapshotLimits.maximumValueByteCount(of: policy)
        guard plain.count > limit else { return }
        throw StorageError(
            .invalidSnapshot, key: name, domain: domain.kind, operation: "sync",
            facts: ["a value of \(plain.count) bytes, where a counterpart sends at most \(limit)"])
    }

    /// Refuses bytes that `get` could not return, before they replace a value that it can.
    func requireDecodable(_ plain: Data, width: Int) throws {
        do {
            _ = try decoded(plain, width: width)
        } catch {
            let code = (error as? StorageError)?.code == .outOfRange ? StorageError.Code.outOfRange : .wrongType
            throw StorageError(code, key: name, domain: domain.kind, operation: "sync")
        }
    }
}
