import Foundation

/// A change in three steps: announced durably, stored, confirmed.
extension SyncLedger {
    /// Announces a change of a key, whose earlier unconfirmed change is already settled.
    ///
    /// A local value whose announcement cannot be written is stored all the same, and not sent before it has a record: it is found then and gets a stamp,
    /// as an edit made outside LocalData does (see ``noteUnrecorded(_:at:replacing:)``). Sent at once it would have a stamp that a later process gives to
    /// another value. A deletion without its announcement would be undone by the counterpart, and a version of the counterpart would come back as an edit
    /// of this device, so those two are refused. So is a migration of a value that has a version: at its new place it would have none.
    /// - Parameters:
    ///   - earlier: Of a migrated value: the version that it was at its old place.
    ///   - found: Of a key without a record: the revision of what lies at its place all the same. It is the version that the change replaces, and that is
    ///     still there if a crash comes before the change.
    func announce(
        _ key: any StorageKey, at location: StorageLocation, to form: StoredForm?, origin: ChangeOrigin,
        migratedFrom earlier: LegacyVersion? = nil, replacing found: Data? = nil
    ) throws -> SyncTicket {
        let name = key.name
        let random = form != nil && key.domain.isKeychain ? try environment.entropy.bytes(SyncRevision.tagLength) : nil
        do {
            let known = try record(of: name, in: key.domain)
            if form != nil, !origin.isSync || hasLookedBack { try endRemovedUnseen(name, isRecorded: known != nil) }
            let previous = try known ?? found.map { try self.found(key, at: location, revision: $0) }
            let stamp = try stamp(of: key, for: origin, isDeletion: form == nil, after: previous, migratedFrom: earlier)
            let isReduced = isExpectedReduced(stamp, of: name) || (origin == .migration && earlier?.isReduced == true)
            // A smaller form must not come back as if it were the whole value of that version.
            let tag = random.map { SyncRevision.tag($0, counter: isReduced || earlier?.replaced != nil ? 0 : stamp.counter) }
            let version = SyncVersion(stamp: stamp, content: Self.content(of: form, tag: tag, for: key), isReduced: isReduced)
            var announced = SyncRecord.announcing(version, of: name, location: location.identity, after: previous)
            if let replaced = earlier?.replaced { announced.removed.add(replaced) }
            var isRecorded = true
            do {
                try setRecord(announced, of: name, in: key.domain)
                if origin.isSync { withState { $0[name].hear() } }
                if known == nil, let found, let previous { settleExtensionEdit(of: key, finding: found, as: previous.committed.stamp) }
            } catch {
                guard form != nil, !origin.isSync, earlier == nil else { throw error }
                note(Self.storageError(error), about: name)
                if origin == .local { noteUnrecorded(key, at: location, replacing: found) }
                isRecorded = false
            }
            let beside = isRecorded ? tag : tag ?? note(stamp.counter, of: key, with: form)
            return SyncTicket(location: location, keyName: name, stamp: version.stamp, tag: beside, isRecorded: isRecorded)
        } catch {
            guard form != nil, !origin.isSync, earlier == nil else { throw error }
            if origin == .local { noteUnrecorded(key, at: location, replacing: found) }
            let none = SyncStamp(counter: 0, device: environment.device.identifier)
            // What a migration found stays older than anything that was set.
            let counter = origin == .local ? unrecordedCounter(of: key, replacing: found) : 0
            let tag = random.map { SyncRevision.tag($0, counter: counter) } ?? note(counter, of: key, with: form)
            return SyncTicket(location: location, keyName: name, stamp: none, tag: tag, isRecorded: false)
        }
    }

    /// What lies with a file whose version cannot be recorded.
    private func note(_ counter: UInt64, of key: any StorageKey, with form: StoredForm?) -> Data? {
        guard counter > 0, let form, case .file = key.place else { return nil }
        return SyncFileNote(counter: counter, revision: key.revision(of: form), keyName: key.name).encoded
    }

    /// What lies with a value whose version cannot be told, let alone be recorded: above the value that it replaces, and like any edit of a secret that
    /// outlived its app far above it, since the counterpart may have seen later ones. So it is where this device cannot read what it has missed or forgotten.
    private func unrecordedCounter(of key: any StorageKey, replacing found: Data?) -> UInt64 {
        let name = key.name
        let earlier = found.map { carriedCounter(by: $0, of: key) } ?? 0
        let versions = withState { $0[name] }
        let isOwn = versions.unversioned.map { $0.replaced != found } ?? false
        let known = highestCounterWithoutRecord(of: name)
        let recorded = highestRecordedCounter(of: key)
        let seen = max(versions.seen?.counter ?? 0, known ?? 0, recorded ?? 0)
        let isTold = known != nil && recorded != nil
        let highest = max(earlier, seen)
        let next =
            isTold && (earlier == 0 || isOwn)
            ? highest.addingSaturated(1) : SyncInstallation.leap(over: highest, at: environment.clock.now)
        return next < UInt64(Int64.max) ? next : highest
    }

    /// The highest counter that a key's record tells of, 0 where there is none; `nil` where it cannot be read.
    private func highestRecordedCounter(of key: any StorageKey) -> UInt64? {
        do { return try record(of: key.name, in: key.domain)?.highestCounter ?? 0 } catch { return nil }
    }

    /// Sees to it that a change without a stamp counts as an edit once it can get one, and not as an old value that LocalData finds: that would lose to
    /// any version that the counterpart has. A record that knows only what was there before says so to later processes, if it can be written; one that
    /// is there and cannot be read says so itself.
    private func noteUnrecorded(_ key: any StorageKey, at location: StorageLocation, replacing found: Data?) {
        do {
            guard try record(of: key.name, in: key.domain) == nil, problem(of: key.name)?.code != .corrupt else { return }
        } catch {
            return
        }
        withState { $0[key.name].changedUnversioned(replacing: found) }
        // Above what the counterpart sent and this device could not take, and above a deletion that was forgotten, the edit has to count in later processes too.
        let seen = withState { $0[key.name].seen }
        let highest = seen?.lineage == nil ? max(seen?.counter ?? 0, highestCounterWithoutRecord(of: key.name) ?? 0) : seen?.counter ?? 0
        let writer = environment.device.identifier
        let content = found.map { SyncVersion.Content.value(revision: $0) } ?? .lost
        var before = SyncVersion(stamp: SyncStamp(counter: 0, device: writer, in: seen?.lineage), content: content)
        var counted = highest
        if let mark = withState({ $0.numbering.knownMark() }), key.domain.defaultsSuite != nil, seen?.lineage == nil {
            // The edit is that version in every process: a power loss may take the record that it is given when it is sent, and it must not get a later one then.
            let least = max(highest, (key.nameReturn?.generation ?? 0) * SyncStamp.generationSize)
            let number = least % SyncStamp.generationSize
            counted = least - number + max(number, mark) + 1
            before.stamp = SyncStamp(counter: 0, device: SyncStamp.unrecordedMark + writer)
        }
        let record = SyncRecord(keyName: key.name, location: location.identity, committed: before, highestCounter: counted)
        try? store.setRecord(record.encoded, of: key.name, in: key.domain)
    }

    /// Confirms a change that was stored. Files are not written for it: after a crash the announcement says the same. They are where it says more than
    /// may stay (see ``SyncRecord/tellsOfFormerPlainValue(of:)``).
    /// - Parameter isMigration: Whether a migration stored it: what it was made of is no more, also where it was plain and the new value is.
    func confirm(_ ticket: SyncTicket, of key: any StorageKey, isMigration: Bool = false) {
        let name = ticket.keyName
        guard ticket.isRecorded, let record = withState({ $0[name].present }) else { return reread(name) }
        confirm(record, of: key, isMigration: isMigration)
    }

    func confirm(_ record: SyncRecord, of key: any StorageKey, isMigration: Bool = false) {
        let confirmed = record.confirmed()
        remember(confirmed, of: record.keyName)
        // In a suite a confirmation costs next to nothing, and with it an edit back to the earlier value is seen as one.
        // A migration may know the key without what it migrates from.
        let replacesPlain = withState { $0[record.keyName].replaceUndeclaredPlain() }
        let saysTooMuch = isMigration || replacesPlain ? record.tellsOfAnotherValue : record.tellsOfFormerPlainValue(of: key)
        // An extension may set a group's file back to what it was before.
        let mayBeSetBack = key.domain.mayBeFileOfGroup && !key.security.isEncrypted
        guard key.domain.defaultsSuite != nil || saysTooMuch || mayBeSetBack else { return }
        try? setRecord(confirmed, of: record.keyName, in: key.domain)
    }

    /// Whether what is known of the key's version was seen at its place alone (see ``KeyVersions/isConfirmedBySight``).
    func isConfirmedBySight(_ name: String) -> Bool { withState { $0[name].isConfirmedBySight } }

    /// Makes durable what was seen at the place of a file, be it a value or its absence. Called before a record is written that tells of nothing else: a power
    /// loss would bring back a value that it does not know, and that is an edit.
    func settleSeen(_ key: any StorageKey) throws {
        guard isConfirmedBySight(key.name) else { return }
        try settle(key)
    }

    /// Makes durable what lies at the place of a file, such as what a write left that failed at its last operation. Called before a record is written that knows
    /// nothing else.
    func settle(_ key: any StorageKey) throws {
        guard case .file = key.place else { return }
        try store.files.settle(store.files.place(of: key))
    }

    /// Notes that a key was removed that has neither a value nor a version. A power loss may have taken both, and what this device sent still tells of them.
    /// - Parameter lasts: Whether a later process is to know it: this one has not looked yet at what was sent. Where that cannot be written the removal
    ///   holds as long as this process.
    func noteRemovedUnseen(_ key: any StorageKey, lasts: Bool) {
        withState { $0[key.name].removeUnseen() }
        if lasts { try? updateInstallation { $0.removedUnseen.insert(key.name) } }
    }

    /// What this process sent before is known: there is nothing to remove any more that was lost.
    func endRemovedUnseen() {
        withState { $0.hasLookedBack = true }
        guard let known = try? installation(), !known.removedUnseen.isEmpty else { return }
        try? updateInstallation { $0.removedUnseen = [] }
    }

    /// Whether this process has taken back what it was to of what it had sent before.
    private var hasLookedBack: Bool { withState { $0.hasLookedBack } }

    func isRemovedUnseen(_ name: String) -> Bool {
        withState { $0[name].isRemovedUnseen } || (try? installation())?.removedUnseen.contains(name) ?? false
    }

    /// What a key was removed of may be told apart no more from what is set now.
    private func endRemovedUnseen(_ name: String, isRecorded: Bool) throws {
        withState { $0[name].changeHere() }
        guard let known = isRecorded ? try? installation() : try installation(), known.removedUnseen.contains(name) else { return }
        try updateInstallation { $0.removedUnseen.remove(name) }
    }

    /// Whether this installation had a version, or a later one, and lost it without going back itself, as with purged caches or a damaged file: what lies there came
    /// since, from the counterpart. Of what a backup or a power loss takes back the record goes back as well; of preferences
    /// a power loss may leave what was announced.
    func hasLost(_ version: SyncStamp, of key: any StorageKey) throws -> Bool {
        guard key.domain.defaultsSuite == nil, let record = try record(of: key.name, in: key.domain), version.lineage == nil,
            record.latestStamp.lineage == nil
        else {
            return false
        }
        return record.committed.stamp < version && version.counter <= record.highestCounter
    }

    /// Notes which version it was that this device had and lost.
    func noteLost(_ key: any StorageKey, at location: StorageLocation, as stamp: SyncStamp) throws {
        let lost = SyncRecord(
            keyName: key.name, location: location.identity, committed: SyncVersion(stamp: stamp, content: .lost),
            highestCounter: stamp.counter)
        try setRecord(lost, of: key.name, in: key.domain)
    }

    /// Notes a version of the counterpart that cannot be stored, or not for now: an edit from now on comes after it.
    func noteSeen(_ stamp: SyncStamp, of name: String) {
        withState { $0[name].see(stamp) }
    }

    /// The highest counter that is known of a key beside its record: of what this device has missed (``SyncInstallation/missed``), and of deletions that it has
    /// forgotten and the counterpart may still remember. `nil` where that cannot be read.
    private func highestCounterWithoutRecord(of name: String) -> UInt64? {
        guard let installation = try? installation() else { return nil }
        return max(installation.missed[name] ?? 0, installation.floor(of: name))
    }

    /// Notes a deletion of the counterpart that this device has no record of: what is set from now on comes after it, also where the counterpart still
    /// remembers. A number that no honest counterpart reaches moves no floor.
    func noteForgotten(_ stamp: SyncStamp, of name: String) throws {
        guard stamp.lineage == nil, stamp.counter < SyncStamp.maximumCounter else { return noteSeen(stamp, of: name) }
        try updateInstallation { $0.raiseFloor(of: name, to: stamp.counter) }
    }

    /// Notes that a counterpart has the same deletion.
    /// - Parameters:
    ///   - epoch: Its installation.
    ///   - others: The other counterparts there are.
    func settle(_ record: SyncRecord, in domain: StorageDomain, by epoch: String, among others: [String]) throws {
        var settled = record
        settled.isSettled = true
        settled.holders = Set(record.holders).intersection(others).union([epoch]).sorted()
        guard settled != record else { return }
        try setRecord(settled, of: record.keyName, in: domain)
    }

    /// Forgets a deletion that both devices have. What is set later goes on counting from above it.
    /// - Returns: False for one that must stay: its counter is one that no honest device reaches.
    func forget(_ record: SyncRecord, in domain: StorageDomain) throws -> Bool {
        let highest = record.highestCounter
        guard record.latestStamp.lineage == nil, highest < SyncStamp.maximumCounter else { return false }
        let replica = try replica()
        try updateInstallation {
            $0.raiseFloor(of: record.keyName, to: highest)
            var removed = $0.removed[record.keyName] ?? RemovedVersions()
            removed.add(record, forgottenBy: replica)
            if !removed.isEmpty { $0.removed[record.keyName] = removed }
        }
        try setRecord(nil, of: record.keyName, in: domain)
        return true
    }

    /// Whether it is a version that a deletion took away which this device has forgotten since, under the same name.
    private func wasTakenAway(_ earlier: LegacyVersion?, of key: any StorageKey) throws -> Bool {
        guard let earlier, earlier.isSameName, earlier.stamp.counter > 0 else { return false }
        return try installation().removed[key.name]?.contains(earlier.stamp) == true
    }

    private func stamp(
        of key: any StorageKey, for origin: ChangeOrigin, isDeletion: Bool, after previous: SyncRecord?,
        migratedFrom earlier: LegacyVersion?
    ) throws -> SyncStamp {
        switch origin {
        case .sync(let stamp): return stamp
        case .migration where !isDeletion && earlier?.isEdit != true:
            // What an earlier version of the app left is older than anything that was ever set at its new place, on either device. A removal takes it
            // along, so what is found after one was put there since: it is an edit, and must not take the place of the deletion as something older.
            let found = SyncStamp.found(as: earlier, on: try replica())
            if let previous, previous.committed.content == .deleted, found <= previous.committed.stamp { break }
            // Nor may it take that of one that was forgotten, which the counterpart may still remember. What that deletion took away, and a power loss brought back, is no edit.
            if previous == nil, found.lineage == nil, try !found.isAbove(installation().floor(of: key.name)),
                try !wasTakenAway(earlier, of: key)
            {
                break
            }
            return found
        case .local, .migration: break
        }
        // What a damaged record knew may still be read off what was sent and received, once the session is active. Not all of it: what had no room for its value
        // is told by its version alone, and another watch may have more. So the edit leaps, as one does that continues a backup.
        let isDamaged = previous == nil && problem(of: key.name)?.code == .corrupt
        if isDamaged, let known = SyncSnapshot.latestStamp(of: key.name) { noteSeen(known, of: key.name) }
        return try nextStamp(of: key, after: previous, isDeletion: isDeletion, isAfterDamage: isDamaged)
    }

    /// The version of an edit of a key: after all that is known of it, in the lineage of the latest, or in another one where that is at its end.
    /// - Parameter carried: The counter that lies with what was found, if that is what counts as the edit.
    /// - Parameter isFound: Whether it is the edit that lies at the place, and not one that is to be made.
    /// - Parameter isAfterDamage: Whether the record is damaged: nobody can tell how far the counterpart has come.
    /// - Parameter mayHaveOutlivedApp: Whether it may be that of an earlier installation, whose versions nobody knows: it then counts no higher than it must.
    /// - Throws: As ``durableCounter(_:of:in:isDeletion:)``.
    func nextStamp(
        of key: any StorageKey, after previous: SyncRecord?, carried: UInt64 = 0, isDeletion: Bool = false, isFound: Bool = false,
        isAfterDamage: Bool = false, mayHaveOutlivedApp: Bool = false
    ) throws -> SyncStamp {
        let (name, domain) = (key.name, key.domain)
        let (installation, replica) = (try installation(), try replica())
        let versions = withState { $0[name] }
        let seen = versions.seen
        let former = previous == nil ? try recordAtFormerPlace(of: key) : nil
        let latest = [previous?.latestStamp, former?.latestStamp, seen].compactMap(\.self).max()
        var lineage = latest?.lineage
        var counter = installation.nextCounter(
            of: name, after: previous ?? former, by: replica, at: environment.clock.now, isHeard: versions.isHeard, in: lineage)
        let isOfUnrecorded = previous?.isOfUnrecordedEdit == true
        let isNumbered = isOfUnrecorded && isFound
        // An edit after one that could not be recorded is after that: it may have been sent.
        if let previous, isOfUnrecorded { counter = isFound ? previous.highestCounter + 1 : max(counter, previous.highestCounter + 2) }
        let wasInPreferences = key.allSources.contains { $0.name == name && $0.domain.defaultsSuite != nil }
        if previous == nil, !mayHaveOutlivedApp || wasInPreferences {
            counter = counterAbovePreferences(counter, of: key)
        } else if wasInPreferences {
            // What was moved from there may be what a power loss brought back, with its record.
            counter = counterAboveMark(counter, of: key)
        }
        if let seen, seen.lineage?.name == lineage?.name { counter = max(counter, seen.counter + 1) }
        if isAfterDamage { counter = SyncInstallation.leap(over: counter, at: environment.clock.now) }
        // Of a lineage that has ended since it may be any number.
        if lineage == nil || carried < SyncStamp.maximumCounter { counter = max(counter, carried) }
        if lineage == nil, let name = (receivingKey(name) ?? key).nameReturn {
            counter = max(counter, name.generation * SyncStamp.generationSize + 1)
        }
        if counter >= SyncStamp.maximumCounter {
            lineage = try .after(lineage, entropy: environment.entropy)
            counter = 1
        }
        return SyncStamp(
            counter: try durableCounter(counter, of: name, in: domain, isDeletion: isDeletion, isNumbered: isNumbered), device: replica,
            in: lineage)
    }

    /// The record of a key in preferences that has none there yet, where an earlier version of the app kept its value in a file or in the keychain, under the
    /// same name: what was sent then counts, too.
    private func recordAtFormerPlace(of key: any StorageKey) throws -> SyncRecord? {
        guard key.domain.defaultsSuite != nil else { return nil }
        return try store.recordOfFile(named: key.name).flatMap { try? SyncRecord(encoded: $0, keyName: key.name) }
    }

    /// An edit of a key without a record, whose value an earlier version of the app may have kept in preferences, under the same name. The record there tells of
    /// its versions, unless a power loss took it, or nothing says that the value was there: none used a higher counter than the mark that this process began
    /// with. One that began before the first unlock cannot read it, and nobody knows what the counterpart may have made of the value: the edit leaps.
    private func counterAbovePreferences(_ counter: UInt64, of key: any StorageKey) -> UInt64 {
        let suites = key.allSources.filter { $0.name == key.name }.compactMap(\.domain.defaultsSuite)
        guard suites.allSatisfy(environment.defaults.isReadable) else {
            return SyncInstallation.leap(over: counter, at: environment.clock.now)
        }
        return counterAboveMark(counter, of: key)
    }

    /// A counter above all that a power loss may have taken of preferences. Keys that lie there count above it by themselves, at each first edit.
    private func counterAboveMark(_ counter: UInt64, of key: any StorageKey) -> UInt64 {
        guard key.domain.defaultsSuite == nil else { return counter }
        let number = counter % SyncStamp.generationSize
        return counter - number + max(number, withState { $0.numbering.markAtFirstEdit() } + 1)
    }

    /// The counter that an edit of a key uses, from `counter` on.
    ///
    /// A power loss takes the last sets of a suite of preferences, and with a value the record of its version, which the counterpart may have received
    /// long ago: the next edit would get the same stamp, and lose to it. So counters of keys in preferences are used below a durable mark only
    /// (``SyncInstallation/mark``), and the first edit of such a key in a process counts on from where that mark was when the process began.
    /// - Parameter isDeletion: A deletion needs no mark that can be written, as on a full disk: it is told once one can be (see ``coverByMark(_:of:)``).
    /// - Parameter isNumbered: Whether that is above the mark already (see ``SyncRecord/isOfUnrecordedEdit``).
    /// - Throws: Also where the mark cannot be written. The edit then has no version yet.
    private func durableCounter(
        _ counter: UInt64, of name: String, in domain: StorageDomain, isDeletion: Bool, isNumbered: Bool
    ) throws -> UInt64 {
        let installation = try installation()
        guard domain.defaultsSuite != nil else { return counter }
        // One mark for all keys, whichever generations their names are in.
        let number = counter % SyncStamp.generationSize
        let safe = withState { state in
            let mark = state.numbering.markAtFirstEdit()
            return state[name].isCounted || isNumbered ? number : max(number, mark + 1)
        }
        if safe > installation.mark {
            do {
                try updateInstallation { $0.mark = max($0.mark, safe + SyncInstallation.reservation) }
            } catch  where isDeletion {}
        }
        // One that only was found here says nothing of what this process counts: the edit after it is its first.
        if !isNumbered { withState { $0[name].count() } }
        return counter - number + safe
    }

    /// The version of an edit that an earlier version of the app made at a migration's source and could not record. As any first edit of a key in preferences it
    /// counts above the mark: a power loss may have taken the record of what was sent.
    func stampOfUnrecordedEdit(of source: any StorageKey, after record: SyncRecord) throws -> SyncStamp {
        let replica = try replica()
        let lineage = record.latestStamp.lineage
        let counter = record.highestCounter(in: lineage).addingSaturated(1)
        guard source.domain.defaultsSuite != nil, !record.isOfUnrecordedEdit else {
            return SyncStamp(counter: counter, device: replica, in: lineage)
        }
        let number = counter % SyncStamp.generationSize
        let safe = withState { max(number, $0.numbering.markAtFirstEdit() + 1) }
        return SyncStamp(counter: counter - number + safe, device: replica, in: lineage)
    }

    /// Raises the mark above a deletion that was counted while it could not be written. A counterpart that knew the deletion already would set it against what
    /// this device counts from the mark on after a power loss.
    /// - Throws: Where the mark still cannot be written. The deletion then stays on this device.
    func coverByMark(_ deletion: SyncStamp, of key: any StorageKey) throws {
        guard key.domain.defaultsSuite != nil, try deletion.writer == replica() else { return }
        let number = deletion.counter % SyncStamp.generationSize
        guard try number > installation().mark else { return }
        try updateInstallation { $0.mark = max($0.mark, number + SyncInstallation.reservation) }
    }

    /// Whether a version of a key in preferences is an edit that this process has made.
    func hasChangedHere(_ key: any StorageKey, as own: SyncStamp) throws -> Bool {
        guard withState({ $0[key.name].isCounted }) else { return false }
        return try own.writer == replica()
    }

    /// Records a deletion once more, as a version after all that is known by now.
    /// - Returns: Its version.
    func recordLaterDeletion(of key: any StorageKey, at location: StorageLocation) throws -> SyncStamp {
        let previous = try record(of: key.name, in: key.domain)
        let version = SyncVersion(stamp: try nextStamp(of: key, after: previous, isDeletion: true), content: .deleted)
        try setRecord(
            .announcing(version, of: key.name, location: location.identity, after: previous).confirmed(), of: key.name, in: key.domain)
        return version.stamp
    }

    /// Whether this process has taken no counterpart's snapshot into account yet, be it one that an earlier process had taken.
    var hasHeardNothing: Bool { withState { !$0.numbering.hasHeard } }

    /// Whether versions may be those of an installation before this one: nobody was heard yet, or some are.
    var mayInherit: Bool { withState { $0.numbering.mayInherit } }

    /// Notes that it has.
    func noteHeard() { withState { $0.numbering.hasHeard = true } }

    private static func content(of form: StoredForm?, tag: Data?, for key: any StorageKey) -> SyncVersion.Content {
        guard let form else { return .deleted }
        return .value(revision: tag ?? key.revision(of: form))
    }
}

extension ChangeOrigin {
    var isSync: Bool {
        if case .sync = self { true } else { false }
    }
}
