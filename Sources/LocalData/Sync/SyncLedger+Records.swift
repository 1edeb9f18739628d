import Foundation

/// The synced keys that a process knows of, and their policies.
extension SyncLedger {
    /// Notes a key that was registered or used.
    func note(_ key: any StorageKey) {
        withState { $0.keys.note(key) }
    }

    func hasLookedForUndeclaredPlain(of name: String) -> Bool { withState { $0[name].isUndeclaredPlain != nil } }

    /// Notes whether a plain value lies at the place of a sealed key that declares none.
    func noteUndeclaredPlain(_ isPlain: Bool, of name: String) { withState { $0[name].find(undeclaredPlain: isPlain) } }

    /// Notes a key that was registered: its declaration is the one that counts from now on.
    /// - Returns: Whether another policy counted before.
    func declare(_ key: any StorageKey) -> Bool {
        withState { state in
            let before = state.keys[key.name]?.syncPolicy
            state.keys.declare(key)
            return before != nil && before != state.keys[key.name]?.syncPolicy
        }
    }

    /// Notes that no catalog lists the name any more: it is neither read nor taken, as in a process that never registered it.
    func withdraw(_ name: String) { withState { $0.keys.withdraw(name) } }

    /// Notes that a key is used at `location`. Versions are kept by name, so one name can sync at one place only.
    /// - Returns: False for a second place of the same name, which then does not sync.
    func claim(_ key: any StorageKey, at location: StorageLocation) -> Bool {
        withState { state in
            guard !state.keys.claim(key, at: location.physical) else { return true }
            state[key.name].note(
                StorageError(
                    .invalidKey, key: key.name, domain: key.domain.kind, operation: "sync",
                    facts: ["another key of this name syncs already"]))
            return false
        }
    }

    func knownNames() -> [String] {
        withState { $0.keys.names }
    }

    func knownKey(_ name: String) -> (any StorageKey)? { withState { $0.keys[name] } }

    /// The key that takes what a counterpart sends under a name. None for an old place that this process merely has cleared or moved from: it would be a
    /// new value there, which the next migration takes for an edit.
    func receivingKey(_ name: String) -> (any StorageKey)? { withState { $0.keys.isPassing(name) ? nil : $0.keys[name] } }

    /// Whether the values of a key travel to or from a device of this role.
    func syncs(_ key: any StorageKey, on role: DeviceRole) -> Bool {
        // An extension has no session, and a ledger of its own would count beside the app's.
        !environment.device.isAppExtension && key.availability.allowsSync && key.availability.isAvailable(on: role)
            && policy(of: key) != .never
    }

    /// Whether versions of a key are kept on a device of this role: also of one that an override keeps from syncing for a while, whatever the key declares, so
    /// that what is set and removed meanwhile is neither lost nor undone when it syncs again.
    /// - Returns: `nil` where the key declares ``SyncPolicy/never``, the list of choices cannot be read, and no record tells that there are versions.
    func keepsVersions(of key: any StorageKey, on role: DeviceRole) -> Bool? {
        guard !environment.device.isAppExtension, key.availability.allowsSync, key.availability.isAvailable(on: role) else { return false }
        guard key.syncPolicy == .never else { return true }
        do {
            return try isChosen(key) || policy(of: key) != .never
        } catch {
            return mayHaveRecord(key) ? true : nil
        }
    }

    /// Whether a record tells of versions of a key, or of what it is made of, or may do so and cannot be read. Read past the memory, which knows one place of
    /// a name.
    private func mayHaveRecord(_ key: any StorageKey) -> Bool {
        ([key] + key.allSources).contains { known in
            do { return try store.record(of: known.name, in: known.domain) != nil } catch { return true }
        }
    }

    /// The known keys that sync on a device of this role, sorted by name.
    func syncedKeys(on role: DeviceRole) -> [any StorageKey] {
        withState { $0.keys.keysByName() }.filter { syncs($0, on: role) }
    }

    /// Announces to ``announce(_:at:to:origin:)`` that the version to come is a smaller form.
    func expect(_ entry: SyncEntry, of name: String) {
        withState { $0[name].expectReduced(entry.isReduced ? entry.stamp : nil) }
    }

    func isExpectedReduced(_ stamp: SyncStamp, of name: String) -> Bool {
        withState { $0[name].expectedReduced } == stamp
    }
}

extension SyncLedger {
    /// This installation, made on first use. A damaged one is replaced, and one that may have come from a backup: to the counterpart that is a new
    /// installation.
    func installation() throws -> SyncInstallation {
        if let known = withState({ $0.numbering.installation }) { return known }
        var replacesDamaged = false
        var before: SyncInstallation?
        do {
            if let data = try store.installation() {
                let stored = try SyncInstallation(encoded: data)
                guard stored.isInBackups else { return withState { $0.numbering.wasRead(stored) } }
                before = stored
            }
        } catch let error as StorageError where error.code == .corrupt {
            withState { $0.numbering.wasFoundDamaged(error) }
            replacesDamaged = true
        } catch {
            throw Self.storageError(error).at(operation: "sync")
        }
        let epoch = try environment.entropy.bytes(16).hexadecimal
        var fresh = before?.replaced(by: epoch) ?? SyncInstallation(epoch: epoch)
        // Before there is anything to keep out: after a crash in between nobody would do it again, and a backup would hold the installation.
        if !replacesDamaged { fresh.isInBackups = !excludesFromBackup() }
        let made = fresh
        try write { $0 ?? made }
        return withState { $0.numbering.installation ?? made }
    }

    /// The latest version that this device is known to have of a key, or to have removed, also where this process has not read it yet.
    func stampOfLatest(_ key: any StorageKey) -> SyncStamp? {
        guard let record = try? record(of: key.name, in: key.domain), record.committed.content != .lost else { return nil }
        return record.latestStamp
    }

    /// Whether some form is waited for that the app does not know.
    var awaitsForms: Bool {
        withState { $0.numbering.installation.map { !$0.awaited.isEmpty } } ?? ((try? installation())?.awaited.isEmpty == false)
    }

    private func excludesFromBackup() -> Bool {
        do { try store.excludeInstallationFromBackup() } catch { return false }
        return true
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
        try write { installation in
            var latest = installation ?? before
            change(&latest)
            return latest
        }
    }

    /// Writes once more what is written. A full disk lets a value go, and not be noted that it went: where nothing can be written, nothing may go.
    func requireRoom() throws {
        let known = try installation()
        try write { $0 ?? known }
    }

    /// The number of the snapshot to send next. A durable write for every ``SyncInstallation/reservation`` numbers.
    func takeSequence() throws -> UInt64 {
        let installation = try installation()
        if let next = withState({ $0.numbering.take() }) { return next }
        let first = installation.reservedSequence
        guard first < SnapshotLimits.maximumSequence - SyncInstallation.reservation else {
            try renew()
            return try takeSequence()
        }
        try updateInstallation { $0.reservedSequence = max($0.reservedSequence, first + SyncInstallation.reservation) }
        withState { $0.numbering.begin(after: first) }
        return first
    }

    /// Goes on above a number that the counterpart has already seen: this device was restored to an earlier state.
    /// - Returns: Whether there was something to skip. What was sent so far counts as outdated there.
    func skipSequences(through used: UInt64) throws -> Bool {
        let isBeyond = try used >= withState({ $0.numbering.next }) ?? installation().reservedSequence
        guard isBeyond else { return false }
        guard used < SnapshotLimits.maximumSequence - SyncInstallation.reservation else {
            try renew()
            return true
        }
        try updateInstallation { $0.reservedSequence = max($0.reservedSequence, used + 1) }
        withState { $0.numbering.begin(after: nil) }
        return true
    }

    /// Begins to number anew, under another epoch: numbers have come so far that a next one could be the last. To the counterpart that is another
    /// installation, which knows what this one knows.
    private func renew() throws {
        let epoch = try environment.entropy.bytes(16).hexadecimal
        let before = try installation()
        try write { ($0 ?? before).renewed(as: epoch) }
        withState { $0.numbering.begin(after: nil) }
    }

    /// One at a time, so that of two changes the later one is also the one that is on disk. Whoever only asks what is known does not wait for the disk.
    private func write(_ change: (SyncInstallation?) -> SyncInstallation) throws {
        try writing {
            let changed = change(withState { $0.numbering.installation })
            do {
                try store.setInstallation(Data(changed.encoded.utf8))
            } catch {
                throw Self.storageError(error).at(operation: "sync")
            }
            withState { $0.numbering.wasWritten(changed) }
        }
    }
}

/// A stored form that changes while the value and its version stay: nothing to send, and no edit that somebody made outside LocalData.
extension SyncLedger {
    /// Announces, durably, that the same version is about to lie at the key's place in another form.
    /// - Returns: `nil` where the ledger does not know the stored form, or knows it by a tag beside it.
    /// - Throws: ``StorageError`` where that cannot be read or written. The form must stay then, or it would count as an edit.
    func announceResealed(_ key: any StorageKey, from old: StoredForm, to new: StoredForm) throws -> SyncRecord? {
        guard !key.domain.isKeychain else { return nil }
        let revision = key.revision(of: old)
        var record = try record(of: key.name, in: key.domain)
        let isLost =
            record.map { isUnrecordedEdit(of: key, besides: $0, finding: revision) } == true
            || (record?.knows(revision) != true && carriedCounter(by: revision, of: key) > 0)
        if try isLost || isEditWithoutVersion(key, besides: record, finding: revision) {
            // What lies with the old form alone would go with it: a version, or that an extension made an edit, which is to get one.
            record = try record == nil ? found(key, at: StorageLocation(of: key), revision: revision) : recover(key, finding: revision)
        }
        guard let announced = record?.resealed(from: revision, to: key.revision(of: new)) else { return nil }
        try setRecord(announced, of: key.name, in: key.domain)
        return announced
    }

    /// Whether an extension set what lies at the key's place, and no record tells of that yet.
    private func isEditWithoutVersion(_ key: any StorageKey, besides record: SyncRecord?, finding revision: Data) throws -> Bool {
        guard keepsVersions(of: key, on: environment.device.role) == true, try extensionEdit(of: key, finding: revision) != nil else {
            return false
        }
        guard let record, record.knows(revision) else { return true }
        return try newExtensionEdit(of: key, besides: record, finding: revision) != nil
    }

    /// Confirms it, as every stored change.
    func confirmResealed(_ record: SyncRecord, of key: any StorageKey) {
        confirm(record, of: key)
    }
}

extension SyncRecord {
    /// The record that announces the version with the revision `old` in another form; `nil` where `old` is none that it knows.
    func resealed(from old: Data, to new: Data) -> SyncRecord? {
        guard knows(old) else { return nil }
        var record = recovered(finding: old) { committed.stamp }
        record.pending = SyncVersion(stamp: record.committed.stamp, content: .value(revision: new), isReduced: record.committed.isReduced)
        return record
    }
}
