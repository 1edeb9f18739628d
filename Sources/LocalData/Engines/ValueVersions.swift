import Foundation

/// The versions of synced values, kept around every change of a value: announced in the ledger before it, confirmed after it, and then handed to the sync.
///
/// Its state is the ledger and what waits to be sent, ``sync``. Called in the key's turn.
final class ValueVersions: Sendable {
    let environment: StorageEnvironment
    let keychain: KeychainHelper
    let sync: SyncHelper
    let turns: Turns
    let stored: StoredValues

    init(environment: StorageEnvironment, keychain: KeychainHelper, sync: SyncHelper, turns: Turns, stored: StoredValues) {
        self.environment = environment
        self.keychain = keychain
        self.sync = sync
        self.turns = turns
        self.stored = stored
    }
}

/// A change.
extension ValueVersions {
    /// Whether versions of a key are kept on this device. While nobody can tell, they are of a secret that says itself that it has one: on a device that was
    /// set up from a backup it has no record. One that cannot be read says nothing, and can be removed.
    func keepsVersions(of key: any StorageKey) -> Bool {
        if let known = sync.ledger.keepsVersions(of: key, on: environment.device.role) { return known }
        guard case .keychain(let service) = key.domain, let tag = try? keychain.syncTag(of: key, service: service) else { return false }
        return sync.ledger.carriedCounter(by: tag, of: key) > 0
    }

    /// Announces a change durably, before the stored bytes change. Called under the key's lock. `form` is `nil` for a removal.
    /// - Returns: `nil` if no versions of the key are kept.
    func willChange(
        _ key: any StorageKey, to form: StoredForm?, origin: ChangeOrigin, migratedFrom earlier: LegacyVersion? = nil
    ) async throws -> SyncTicket? {
        guard keepsVersions(of: key) else { return nil }
        let location = try stored.location(of: key)
        guard sync.ledger.claim(key, at: location) else { return nil }
        var found: Data?
        if let record = try? sync.ledger.record(of: key.name, in: key.domain) {
            // An earlier change was announced and perhaps not stored, or could not be recorded, or an extension made one. Which it was is decided before the next one; if it cannot
            // be read now, the next one counts on from the higher of the two. One that could not be recorded may have been sent by an earlier process, and its record be gone with the
            // power: where this change cannot be recorded either it must not pass for that version.
            let isUnsettled =
                try record.pending != nil || record.isOfUnrecordedEdit || sync.ledger.isConfirmedBySight(key.name)
                || (key.domain.isGroupSuite && sync.ledger.store.extensionEdit(of: key) != nil)
            if isUnsettled { await settleChange(of: key) }
        } else if key.domain.isKeychain {
            if origin == .local { sync.ledger.noteVersionsAtFormerPlaces(of: key) }
            found = try tagOfUnrecorded(key)
        } else if sync.ledger.problem(of: key.name) == nil {
            if origin == .local { sync.ledger.noteVersionsAtFormerPlaces(of: key) }
            found = try? await stored.syncRevision(of: key).value
        }
        if form == nil, !origin.isSync, (try? await isGone(key)) == true {
            await sync.ledger.noteRemovedUnseen(key, lasts: sync.isYetToLookBack(at: key.name))
            return nil
        }
        lookForUndeclaredPlain(key)
        return try sync.ledger.announce(key, at: location, to: form, origin: origin, migratedFrom: earlier, replacing: found)
    }

    /// Finds out, once in a process, whether what a sealed key's value replaces is plain though the key declares none: from a version of the app that an
    /// installation came from directly. Its digest must not stay in the record.
    private func lookForUndeclaredPlain(_ key: any StorageKey) {
        guard key.security.isEncrypted, !key.domain.isKeychain, !key.mayHaveBeenPlain,
            !sync.ledger.hasLookedForUndeclaredPlain(of: key.name),
            let front = try? stored.storedFront(of: key)
        else { return }
        sync.ledger.noteUndeclaredPlain(!front.looksSealed, of: key.name)
    }

    /// Decides whether an earlier change was stored, by what lies at the key's place. A file that is seen may be gone with the power, as where its folder could
    /// not be synchronized, and the one before is back: while that cannot be made durable, the record goes on telling of both.
    private func settleChange(of key: any StorageKey) async {
        guard let revision = try? await stored.syncRevision(of: key) else { return }
        if case .file = key.place, (try? stored.settle(key)) == nil { return sync.ledger.reread(key.name) }
        _ = try? sync.ledger.recover(key, finding: revision.value)
    }

    /// What the tag of a secret says that the ledger does not know. A secret outlives its app, and with it every record: only the tag says above which
    /// version an edit must count. A read may fail once; where it keeps failing the change is refused, since the counterpart's value would undo it.
    private func tagOfUnrecorded(_ key: any StorageKey) throws -> Data? {
        guard case .keychain(let service) = key.domain else { return nil }
        do {
            return try keychain.syncTag(of: key, service: service)
        } catch {
            return try keychain.syncTag(of: key, service: service)
        }
    }

    /// Whether a removal removes nothing: the place is empty, and no version is known that it would replace, or only a deletion. It is then no version
    /// of its own, or a device without a value would delete one that it never saw. A value that was lost is known, and can be removed.
    private func isGone(_ key: any StorageKey) async throws -> Bool {
        guard try await stored.syncRevision(of: key).value == nil else { return false }
        let record = try sync.ledger.record(of: key.name, in: key.domain)
        guard sync.ledger.problem(of: key.name) == nil else { return false }
        return record.map { $0.pending == nil && $0.committed.content == .deleted } ?? true
    }

    /// Confirms the change after it was stored. Called under the key's lock. `plain` are the serialized bytes, `nil` for a removal.
    func didChange(_ ticket: SyncTicket, key: any StorageKey, plain: Data?, origin: ChangeOrigin) async {
        sync.ledger.confirm(ticket, of: key, isMigration: origin == .migration)
        // It does not travel for now; its version is known once it does.
        guard sync.ledger.policy(of: key) != .never else { return await sync.setAside(key) }
        guard ticket.isRecorded else {
            return await sync.withhold(key, because: sync.ledger.problem(of: key.name)?.code ?? .inputOutput)
        }
        do {
            if plain == nil { try sync.ledger.coverByMark(ticket.stamp, of: key) }
        } catch {
            return await sync.withhold(key, because: SyncLedger.storageError(error).code)
        }
        let record = try? sync.ledger.record(of: key.name, in: key.domain)
        let entry = SyncEntry(
            stamp: ticket.stamp, value: plain, isReduced: record?.committed.isReduced ?? false,
            schemaVersion: plain == nil ? 1 : (try? stored.storedSchema(of: key)) ?? key.schemaVersion)
        await sync.hold(entry, reduced: reducedEntry(entry, of: key), of: key, isShared: origin.isSync)
    }

    /// Called under the key's lock, after a change of which no version is kept.
    func didChangeWithoutVersion(_ key: any StorageKey) {
        sync.ledger.forgetFormerPlainValue(of: key, on: environment.device.role)
    }

    /// A value was removed that another key had in the same file, as where two names differ in case only: what the counterpart has under this key's name is
    /// removed, too, as it was announced before.
    func didRemoveName(of key: any StorageKey, _ ticket: SyncTicket) async {
        await didChange(ticket, key: key, plain: nil, origin: turns.localOrigin)
        await noteChange(ticket, of: key)
    }

    /// Lets the sync send a change, once no turn is held any more.
    func noteChange(_ ticket: SyncTicket?, of key: any StorageKey, origin: ChangeOrigin? = nil) async {
        guard let ticket else { return }
        let origin = origin ?? turns.localOrigin
        await turns.access.afterTurn { await self.afterChange(ticket, key: key, origin: origin) }
    }

    /// Sends what is to be sent after a change. Called after the lock is released. Never throws: what cannot be sent stays pending.
    ///
    /// It reads no other key: a migration may be calling from under another key's lock, and a change should cost what a change costs. Keys that this
    /// process has not read yet stay in the context as they were sent last.
    func afterChange(_ ticket: SyncTicket, key: any StorageKey, origin: ChangeOrigin) async {
        guard !origin.isSync, sync.ledger.policy(of: key) == .automaticSmall, await !sync.isBarred else { return }
        _ = try? await sync.send(.change)
    }
}

/// A form that the counterpart has and this app does not know, of a value that could not be taken for now.
extension ValueVersions {
    /// Recalls what an earlier process heard, before a value is stored: an edit in the older form must not replace it.
    func recallAwaitedForm(of key: any StorageKey) {
        guard stored.schemas.awaited(key.name) == nil, keepsAwaitedForm(of: key), let installation = try? sync.ledger.installation(),
            let version = installation.awaitedForm(of: key.name)
        else { return }
        stored.schemas.noteAwaited(version, of: key.name)
    }

    /// Whoever removes a value means also the one that is to come.
    func forgetAwaitedForm(of key: any StorageKey) {
        stored.schemas.noteAwaited(nil, of: key.name)
        guard keepsAwaitedForm(of: key), (try? sync.ledger.installation())?.awaited[key.name] != nil else { return }
        try? sync.ledger.updateInstallation { $0.forgetAwaited(key.name) }
    }

    /// Also while its sync is switched off: what is set meanwhile keeps its place among the versions. An extension has no ledger.
    private func keepsAwaitedForm(of key: any StorageKey) -> Bool {
        !environment.device.isAppExtension && sync.ledger.keepsVersions(of: key, on: environment.device.role) != false
    }
}

/// The smaller form of a value for the watch: see ``WatchRepresentable``.
extension ValueVersions {
    /// What travels instead of `entry`, if the key makes a smaller form for the watch and this device is the phone.
    func reducedEntry(_ entry: SyncEntry, of key: any StorageKey) -> SyncEntry? {
        guard environment.device.role == .phone, let key = key as? any WatchRepresentable, let value = entry.value, !entry.isReduced,
            // A newer app's form is not this one's to make smaller.
            entry.schemaVersion <= key.schemaVersion,
            let form = try? key.watchForm(of: value), form != value
        else { return nil }
        return SyncEntry(stamp: entry.stamp, value: form, isReduced: true, schemaVersion: entry.schemaVersion)
    }

    /// Whether an entry is the smaller form that this phone makes of the very version that it holds. It never replaces that, not even where the mark
    /// that says so got lost on its way.
    func isOwnReduction(_ incoming: SyncEntry, of local: SyncEntry, key: any StorageKey) -> Bool {
        incoming.stamp == local.stamp && incoming.value != nil && reducedEntry(local, of: key)?.value == incoming.value
    }

    /// Whether an entry is the smaller form of a later version than the whole one that this phone has. Only phones make smaller forms: the whole of it was
    /// here, or on the phone before this one, and is gone.
    func isOfLaterWhole(_ incoming: SyncEntry, beside local: SyncEntry, key: any StorageKey) -> Bool {
        environment.device.role == .phone && key is any WatchRepresentable && incoming.isReduced && !local.isReduced && local.value != nil
            && local.stamp < incoming.stamp
    }

    /// Whether an entry is another value that a watch found with its counter alone, and takes for the whole of what this phone sent it: that is the smaller form of
    /// either. The watch keeps its value then, whatever this phone says of that version.
    func isTakenForWhole(_ incoming: SyncEntry, beside local: SyncEntry, key: any StorageKey) -> Bool {
        guard incoming.stamp.isOfFoundSecret, incoming.stamp.counter == local.stamp.counter, local.stamp.lineage == nil, !local.isReduced,
            !incoming.isReduced, let found = incoming.value, found != local.value, let form = reducedEntry(local, of: key)?.value,
            let key = key as? any WatchRepresentable
        else { return false }
        return (try? key.watchForm(of: found)) == form
    }

    /// Whether a version is an edit of this watch, which it found with its counter alone, rather than the whole of the smaller form that comes with the same.
    func isEditOfWatch(_ local: SyncEntry, beside incoming: SyncEntry, key: any StorageKey) -> Bool {
        guard environment.device.role == .watch,
            local.stamp.writer.hasPrefix("\(SyncStamp.foundMark)\(environment.device.identifier).")
        else { return false }
        guard let key = key as? any WatchRepresentable, let value = local.value, let form = try? key.watchForm(of: value) else {
            return true
        }
        return form != incoming.value
    }

    /// Whether an entry is another smaller form of the version that this watch has a smaller form of, such as one that an update of the phone's app
    /// makes: the phone has the value that both are made of.
    func isLaterReduction(_ incoming: SyncEntry, of local: SyncEntry) -> Bool {
        environment.device.role == .watch && incoming.stamp == local.stamp && incoming.isReduced && local.isReduced
            && incoming.schemaVersion == local.schemaVersion && incoming.value != nil && incoming.value != local.value
    }
}

/// What an extension of the app, such as a widget, does differently: it has no session with the counterpart, and the versions of synced values are the
/// app's to give. Two processes that wrote one ledger would take each other's versions back.
///
/// What an extension sets counts as an edit made outside the app: the app finds it when it syncs, at the latest at its next launch, gives it the next
/// version and sends it.
extension ValueVersions {
    /// Bytes for an extension to store with a secret or a file that its app has too: they say that it is an edit, and which one (see ``ExtensionEdit``).
    func tagOfExtension(for key: any StorageKey, with form: StoredForm) throws -> Data? {
        guard environment.device.isAppExtension else { return nil }
        if key.domain.isKeychain {
            guard key.syncPolicy != .never || key.accessGroup != nil else { return nil }
            return SyncRevision.tagOfExtension(try environment.entropy.exactly(SyncRevision.tagLength))
        }
        guard key.domain.mayBeFileOfGroup else { return nil }
        let identifier = try environment.entropy.exactly(ExtensionEdit.identifierLength).hexadecimal
        return SyncFileNote(counter: 0, edit: identifier, revision: key.revision(of: form), keyName: key.name).encoded
    }

    /// Refuses an extension's removal that the app could not tell from a loss: it would bring the value back, from the counterpart or from where an
    /// earlier version of the app left it.
    func requireRemovalIsKnown(of key: any StorageKey) throws {
        guard environment.device.isAppExtension, key.syncPolicy != .never || key.migration != nil else { return }
        let what = key.syncPolicy == .never ? "has a migration" : "syncs"
        throw StorageError(
            .unsupported,
            facts: ["the key \(what), so only the app can remove its value; an extension can set a value that stands for none"])
    }

    /// Refuses an extension's set that the app could not open, and so could neither read nor send: each of them would seal with a master key of its own. What the
    /// counterpart has of the value before would replace it.
    func requireAppCanOpen(_ key: any StorageKey) throws {
        guard environment.device.isAppExtension, key.syncPolicy != .never, key.accessGroup == nil, key.security.isSealedByMasterKey,
            try key.domain.sharedGroup != nil || (key.domain.mayBeFileOfGroup && stored.isShared(key))
        else { return }
        let place = key.domain.sharedGroup.map { "'\($0)'" } ?? "a folder that the app may have, too"
        throw StorageError(
            .unsupported,
            facts: [
                "the key syncs and names no access group, so the app could not open what an extension seals in \(place); "
                    + "declare an access group that both have"
            ])
    }

    /// Called in the key's turn, before the value is set.
    func noteExtensionEdit(_ form: StoredForm, of key: any StorageKey) async throws {
        guard environment.device.isAppExtension, key.domain.isGroupSuite else { return }
        // Should this one's value never come, the one before is still an edit.
        var before: ExtensionEdit.Earlier?
        if let noted = try sync.ledger.store.extensionEdit(of: key), let found = try? await stored.syncRevision(of: key).value {
            before = noted.edit(finding: found).map { .init(identifier: $0.identifier, revision: $0.revision) }
        }
        let edit = try ExtensionEdit(of: key.revision(of: form), after: before, entropy: environment.entropy)
        try sync.ledger.store.setExtensionEdit(edit, of: key)
    }

    /// Called in the key's turn, after the value was changed: what an extension set before is no more, and the note would tell of it. An extension's
    /// own edit is noted; the one before it, which may have been plain, is not noted any more once the value of a sealed key is there.
    /// - Parameter isRemoved: Whether nothing is there now.
    func forgetExtensionEdit(of key: any StorageKey, isRemoved: Bool = false) {
        guard environment.device.isAppExtension, !isRemoved else {
            try? sync.ledger.store.setExtensionEdit(nil, of: key)
            return
        }
        guard key.security.isEncrypted, var edit = try? sync.ledger.store.extensionEdit(of: key), edit.before != nil else { return }
        edit.before = nil
        try? sync.ledger.store.setExtensionEdit(edit, of: key)
    }

    /// Called in the turn of a sealed key, whose value is as declared, or gone: a process that died after it replaced or removed an extension's value left
    /// the note of that, with a digest that may be of a plain one.
    func forgetReplacedEdit(of key: any StorageKey) async {
        // A process that died, or an extension, may have left the record of a value that was plain and has no version any more.
        if key.security.isEncrypted {
            didChangeWithoutVersion(key)
            await settleFormerPlainValue(of: key)
        }
        guard !environment.device.isAppExtension, key.security.isEncrypted, var edit = try? sync.ledger.store.extensionEdit(of: key),
            let found = try? await stored.syncRevision(of: key)
        else { return }
        guard found.value == edit.revision else {
            // Where the one before is still there, it is the edit.
            if let value = found.value, edit.edit(finding: value) != nil { return }
            try? sync.ledger.store.setExtensionEdit(nil, of: key)
            return
        }
        guard edit.before != nil else { return }
        edit.before = nil
        try? sync.ledger.store.setExtensionEdit(edit, of: key)
    }

    /// A change that was announced and cut short left a digest of the plain value before it. A sync settles that, and may never come to a key that is switched off.
    private func settleFormerPlainValue(of key: any StorageKey) async {
        guard !environment.device.isAppExtension, keepsVersions(of: key),
            let record = try? sync.ledger.record(of: key.name, in: key.domain),
            record.pending != nil || record.tellsOfFormerPlainValue(of: key)
        else { return }
        await settleChange(of: key)
    }
}
