import Foundation

/// What this installation of the app knows about itself and its counterparts. Kept out of backups: a restored device is a new installation.
struct SyncInstallation: Sendable, Hashable {
    static let formatVersion: Int64 = 1
    /// How many sequence numbers one durable write reserves. A relaunch skips what was left of them.
    static let reservation: UInt64 = 64
    /// How many of the counterpart's installations are remembered, the latest last.
    static let maximumCounterparts = 8
    /// Of how many names that no process has known so far a version is remembered.
    static let maximumUnknownNames = 512

    /// Random, see ``SyncSnapshot/epoch``.
    let epoch: String
    /// All numbers below are used up, as far as a later process can tell.
    var reservedSequence: UInt64 = 1
    /// The highest counter of the deletions that earlier versions of LocalData have forgotten, of whichever key.
    var floor: UInt64 = 0
    /// The highest counter of the deletions that were forgotten, by key: a counterpart that lies about one key moves no other. Only of keys that sync
    /// here, so there are no more than those.
    private(set) var floors: [String: UInt64] = [:]
    /// Whether its folder could not be kept out of backups when it was made. A later process that finds it cannot tell whether it came from one, and makes
    /// another.
    var isInBackups = false
    /// No key in preferences has used a higher counter than this, also none whose record a power loss took. 0: none was edited.
    var mark: UInt64 = 0
    /// The last snapshot taken into account of each installation of the counterpart.
    var counterparts: [SyncSnapshot.Acknowledgement] = []
    /// The device that each of these installations is on, by epoch. Missing for those that only an earlier version of LocalData heard.
    var devices: [String: String] = [:]
    /// The counters of the versions that edits of extensions were given, by key and by ``ExtensionEdit/identifier``: the last few of each key.
    var edits: [String: [String: UInt64]] = [:]
    /// The highest counter of the versions that a counterpart has and this device does not, by key: it could not send them, or this device not take them, or
    /// the process that heard them did not know the name, or the app had switched the key off. Of keys that sync here, and of at most ``maximumUnknownNames`` names beside those.
    private(set) var missed: [String: UInt64] = [:]
    /// The ``StorageKey/schemaVersion`` of those of the ``missed`` versions whose form the app did not know, by key and by the device that has it: what another
    /// one does not have says nothing of them.
    private(set) var awaited: [String: [String: UInt64]] = [:]
    /// The keys that were removed where this device had neither a value nor a version, before it had looked at what an earlier process sent: a power loss may have
    /// taken the value.
    var removedUnseen: Set<String> = []
    /// The keys whose versions are those of another installation, as from a backup, of which this one has received none and has made none, although a counterpart was
    /// heard: another one, or the same later, may have had any number of versions since. Empty where the app was not restored.
    var inherited: Set<String> = []
    /// The names that the values have which the session holds under a name that no key has any more: a version of the app before the last one gave them another.
    /// Only of what the session holds.
    var former: [String: String] = [:]
    /// For how long no catalog of the app has named what the session holds under these names, in seconds, at ``unclaimedAt``: an update may have dropped the key, or a
    /// catalog be registered late, or the name be one of run time. Only of what the session holds.
    private(set) var unclaimed: [String: UInt64] = [:]
    /// When that was looked at last, in seconds since 2001; 0 where there is nothing.
    private(set) var unclaimedAt: UInt64 = 0
    /// What the deletions took away that were forgotten here, by key. Only of keys that sync here.
    var removed: [String: RemovedVersions] = [:]
}

// MARK: Stamps

extension SyncInstallation {
    /// A key without a record continues from here, so that a new value wins over a deletion that the counterpart still remembers.
    func floor(of name: String) -> UInt64 { max(floor, floors[name] ?? 0) }

    mutating func raiseFloor(of name: String, to counter: UInt64) {
        if counter > floor(of: name) { floors[name] = counter }
    }

    /// Notes a version that only a counterpart has, so that an edit here comes after it, in whichever process. A number that no honest counterpart
    /// reaches is not noted.
    mutating func noteMissed(_ stamp: SyncStamp, of name: String) {
        guard stamp.lineage == nil, stamp.counter < SyncStamp.maximumCounter else { return }
        missed[name] = max(stamp.counter, missed[name] ?? 0)
    }

    /// Notes the form that a device has of a missed version and the app does not know; `nil`: it has none any more.
    mutating func noteAwaited(_ schemaVersion: Int?, of name: String, on device: String) {
        var forms = awaited[name] ?? [:]
        guard schemaVersion == nil || forms[device] != nil || forms.count < Self.maximumCounterparts else { return }
        forms[device] = schemaVersion.map { UInt64(clamping: $0) }
        awaited[name] = forms.isEmpty ? nil : forms
    }

    /// No form of the key is waited for any more.
    mutating func forgetAwaited(_ name: String) { awaited[name] = nil }

    /// The newest form of the key that is waited for.
    func awaitedForm(of name: String) -> Int? { awaited[name]?.values.max().map { Int(clamping: $0) } }

    /// Notes versions under names that this process does not know, with their forms: an app that comes to know the name may not know the form. That a counterpart says nothing of a name tells nothing: its process may not know it either.
    /// - Parameters:
    ///   - versions: Sorted by name.
    ///   - others: Such names that were noted before and are not among these, sorted. The first of them are forgotten where there are more than are remembered.
    mutating func noteUnknown(
        _ versions: [(name: String, version: SyncSnapshot.OmittedVersion)], beside others: [String], on device: String
    ) {
        let noted = versions.prefix(Self.maximumUnknownNames)
        for name in others.prefix(max(0, noted.count + others.count - Self.maximumUnknownNames)) {
            missed[name] = nil
            awaited[name] = nil
        }
        for (name, version) in noted {
            noteMissed(version.stamp, of: name)
            noteAwaited(version.schemaVersion > 1 ? version.schemaVersion : nil, of: name, on: device)
        }
    }

    /// A version as late as what was noted is here.
    mutating func noteTaken(_ stamp: SyncStamp, of name: String) {
        if let counter = missed[name], counter <= stamp.counter || stamp.lineage != nil { missed[name] = nil }
        if missed[name] == nil { awaited[name] = nil }
    }

    /// How far an edit jumps that continues a version of another installation, before this one has heard from a counterpart, or of a key that is
    /// ``inherited`` still.
    ///
    /// Such a version came from a backup, or is that of a keychain item that outlived the app, and the counterpart may have seen any number of versions since. An edit that a person makes now must not
    /// lose to them merely because the counter went back. What nobody edits keeps its counter, and gives way to the counterpart's newer version.
    static let leap: UInt64 = 1 << 20

    /// How many numbers of a leap a second takes up: nobody edits so often, and within a quarter of an hour they are more than ``leap``.
    private static let numbersOfASecond = 1024.0

    /// The number that an edit jumps to at that time of day: the one of that time since 2001, and at least ``leap`` further. Two installations that come from one backup
    /// know nothing of each other; of their edits the one that was made later is to be the later one, however often the other has jumped meanwhile, as each time
    /// that it was restored. The clock decides nothing else, and one that was set back only makes the earlier of these two win.
    static func leap(over counter: UInt64, at now: Date) -> UInt64 {
        let instant = now.timeIntervalSinceReferenceDate * numbersOfASecond
        let number = counter % SyncStamp.generationSize
        let least = number.addingSaturated(leap)
        let timed = instant > 0 ? UInt64(min(instant, Double(SyncStamp.generationSize / 2))) : 0
        return (counter - number).addingSaturated(max(least, timed))
    }

    /// For how long what no catalog of the app names any more is sent on: 30 days, in seconds. A counterpart that was not updated, or that was away, may take it until then.
    static let termOfUnclaimed: UInt64 = 30 * 86_400
    /// How much of it passes between two looks at most, so that a clock that was wrong once ends nothing.
    private static let longestLook: UInt64 = 7 * 86_400

    /// Notes which of the names that the session holds no catalog names, and for how long. Of the others nothing is noted any more.
    mutating func noteUnclaimed(_ names: some Collection<String>, at now: Date) {
        let passed = passedSinceLook(at: now)
        let noted = unclaimed
        unclaimed = Dictionary(names.map { ($0, noted[$0].map { $0.addingSaturated(passed) } ?? 0) }, uniquingKeysWith: max)
        unclaimedAt = unclaimed.isEmpty ? 0 : Self.seconds(now)
    }

    /// Notes that a catalog names these by now.
    mutating func noteClaimed(_ names: some Sequence<String>) {
        for name in names { unclaimed[name] = nil }
        if unclaimed.isEmpty { unclaimedAt = 0 }
    }

    /// Whether nobody has named a key for so long that it is sent no more.
    func isGivenUp(_ name: String, at now: Date) -> Bool {
        guard let known = unclaimed[name] else { return false }
        return known.addingSaturated(passedSinceLook(at: now)) >= Self.termOfUnclaimed
    }

    private func passedSinceLook(at now: Date) -> UInt64 {
        let instant = Self.seconds(now)
        return instant > unclaimedAt ? min(instant - unclaimedAt, Self.longestLook) : 0
    }

    private static func seconds(_ date: Date) -> UInt64 { UInt64(min(max(0, date.timeIntervalSinceReferenceDate), 1e15)) }

    /// The writer that stamps name: the device, and which installation on it. A device that was restored from a backup, or whose app was installed
    /// again, counts again from where the backup or nothing was; under one name two values would get one stamp.
    func replica(of device: String) -> String { "\(device).\(epoch.prefix(8))" }

    /// The counter of an edit of the key `name` by `replica`, on top of what the ledger knows of it.
    /// - Parameter now: The time of day, which tells this installation's edits from those of another that comes from the same backup.
    /// - Parameter isHeard: Whether the record came from the counterpart just now: in the middle of its first snapshot, which is noted when all of it is applied.
    /// - Parameter lineage: What is counted in (see ``SyncStamp/lineage``). Counters of other lineages say nothing there.
    func nextCounter(
        of name: String, after previous: SyncRecord?, by replica: String, at now: @autoclosure () -> Date, isHeard: Bool = false,
        in lineage: SyncStamp.Lineage? = nil
    ) -> UInt64 {
        let floor = max(floor(of: name), lineage == nil ? missed[name] ?? 0 : 0)
        guard let previous else { return floor.addingSaturated(1) }
        let isInherited = (counterparts.isEmpty || inherited.contains(name)) && !isHeard && !previous.isWritten(by: replica)
        // A record made since a deletion was forgotten, of a value that was found, counts from nothing; the counterpart may still remember the deletion.
        let highest = max(previous.highestCounter(in: lineage), floor)
        return isInherited ? Self.leap(over: highest, at: now()) : highest.addingSaturated(1)
    }
}

extension SyncInstallation {
    func counterpart(_ epoch: String) -> SyncSnapshot.Acknowledgement? { counterparts.first { $0.epoch == epoch } }

    /// Whether a later snapshot of the same installation was already taken into account.
    func isOutdated(_ snapshot: SyncSnapshot) -> Bool {
        counterpart(snapshot.epoch).map { snapshot.sequence < $0.sequence } ?? false
    }

    /// Whether a snapshot, or a later one of its installation, was taken into account before, perhaps by an earlier process.
    func hasTaken(_ snapshot: SyncSnapshot) -> Bool {
        counterpart(snapshot.epoch).map { snapshot.sequence <= $0.sequence } ?? false
    }

    /// What to acknowledge: the counterpart heard last.
    var acknowledgement: SyncSnapshot.Acknowledgement? { counterparts.last }

    /// - Parameter lacksNames: As ``SyncSnapshot/Acknowledgement/lacksNames``.
    mutating func note(_ snapshot: SyncSnapshot, lacksNames: Bool = false) {
        var acknowledgement = snapshot.acknowledgement
        acknowledgement.lacksNames = lacksNames
        counterparts.removeAll { $0.epoch == snapshot.epoch }
        counterparts.append(acknowledgement)
        devices[snapshot.epoch] = snapshot.device
        guard counterparts.count > Self.maximumCounterparts else { return }
        // Rather one that is no more: its device has another installation by now.
        let present = present
        let dropped = counterparts.remove(at: counterparts.firstIndex { !present.contains($0.epoch) } ?? 0)
        devices[dropped.epoch] = nil
    }
}

// MARK: Several counterparts

/// A phone may be paired with several watches and speaks to one at a time (W12, W15). What one of them knows the others do not.
extension SyncInstallation {
    /// The installation that each device has now, as far as was heard, the one heard last at the end.
    private var present: [String] {
        var seen: Set<String> = []
        return counterparts.reversed().filter { devices[$0.epoch].map { seen.insert($0).inserted } ?? false }.map(\.epoch).reversed()
    }

    /// The installations of other devices than `device`, which may come back at any time. None for most: then one counterpart is all there is.
    func others(than device: String) -> [String] {
        let isAnother: (String) -> Bool = { devices[$0].map { $0 != device } ?? false }
        guard counterparts.contains(where: { isAnother($0.epoch) }) else { return [] }
        return present.filter(isAnother)
    }
}

/// The stored form: one line of JSON with sorted keys, pinned by a fixture.
extension SyncInstallation {
    var encoded: String {
        var text = CanonicalJSONWriter(capacity: 192 + 96 * counterparts.count)
        text.append("{")
        if !awaited.isEmpty {
            text.append("\"awaitedForms\":")
            text.append(countersByName: awaited)
            text.append(",")
        }
        text.append("\"counterparts\":[")
        for (index, counterpart) in counterparts.enumerated() {
            text.append(index == 0 ? "{\"content\":" : ",{\"content\":")
            text.append(number: counterpart.content)
            if let device = devices[counterpart.epoch] {
                text.append(",\"device\":")
                text.append(text: device)
            }
            text.append(",\"epoch\":")
            text.append(text: counterpart.epoch)
            if counterpart.lacksNames { text.append(",\"lacksNames\":1") }
            text.append(",\"sequence\":")
            text.append(number: counterpart.sequence)
            text.append("}")
        }
        text.append("]")
        if !edits.isEmpty {
            text.append(",\"edits\":")
            text.append(countersByName: edits)
        }
        text.append(",\"epoch\":")
        text.append(text: epoch)
        text.append(",\"floor\":")
        text.append(number: floor)
        if !floors.isEmpty {
            text.append(",\"floors\":")
            text.append(counters: floors)
        }
        if !former.isEmpty {
            text.append(",\"former\":")
            text.append(textsByName: former)
        }
        if isInBackups { text.append(",\"inBackups\":1") }
        if !inherited.isEmpty {
            text.append(",\"inherited\":")
            text.append(counters: Dictionary(uniqueKeysWithValues: inherited.map { ($0, 1) }))
        }
        if mark > 0 {
            text.append(",\"mark\":")
            text.append(number: mark)
        }
        if !missed.isEmpty {
            text.append(",\"missed\":")
            text.append(counters: missed)
        }
        if !removed.isEmpty {
            text.append(",\"removed\":")
            text.append(countersByName: removed.mapValues(\.writers))
        }
        text.append(",\"reserved\":")
        text.append(number: reservedSequence)
        if !unclaimed.isEmpty {
            text.append(",\"unclaimed\":")
            text.append(counters: unclaimed)
            text.append(",\"unclaimedAt\":")
            text.append(number: unclaimedAt)
        }
        if !removedUnseen.isEmpty {
            text.append(",\"unseen\":")
            text.append(counters: Dictionary(uniqueKeysWithValues: removedUnseen.map { ($0, 1) }))
        }
        text.append(",\"version\":")
        text.append(number: UInt64(Self.formatVersion))
        text.append("}")
        return String(decoding: text.bytes, as: UTF8.self)
    }

    init(encoded data: Data) throws {
        let stored = try SyncFile.decode(StoredSyncInstallation.self, from: data, version: Self.formatVersion, what: "sync installation")
        // Like the counters of the snapshots (see their reading): one more must still fit.
        guard max(stored.floor, stored.reserved, stored.mark ?? 0) < UInt64(Int64.max) else {
            throw StorageError(.corrupt, operation: "sync", facts: ["the sync installation is damaged"])
        }
        epoch = stored.epoch
        reservedSequence = stored.reserved
        floor = stored.floor
        floors = (stored.floors ?? [:]).filter { $0.value < SyncStamp.maximumCounter }
        former = stored.former ?? [:]
        isInBackups = stored.inBackups == 1
        inherited = Set((stored.inherited ?? [:]).keys)
        mark = stored.mark ?? 0
        counterparts = stored.counterparts.map(\.acknowledgement)
        devices = Dictionary(
            stored.counterparts.compactMap { heard in heard.device.map { (heard.epoch, $0) } }, uniquingKeysWith: { $1 })
        edits = (stored.edits ?? [:]).mapValues { $0.filter { $0.value < SyncStamp.maximumCounter } }.filter { !$0.value.isEmpty }
        missed = (stored.missed ?? [:]).filter { $0.value < SyncStamp.maximumCounter }
        awaited = (stored.awaitedForms ?? [:])
            .mapValues { $0.filter { Int(exactly: $0.value).map(KeyRules.schemaVersions.contains) ?? false } }.filter { !$0.value.isEmpty }
        (unclaimed, unclaimedAt) = (stored.unclaimed ?? [:], stored.unclaimedAt ?? 0)
        removedUnseen = Set((stored.unseen ?? [:]).keys)
        removed = (stored.removed ?? [:]).mapValues(RemovedVersions.init).filter { !$0.value.isEmpty }
        dropAbsurdities()
    }

    /// Earlier versions of LocalData wrote down what a counterpart claimed, whatever it was: a number that no honest one reaches would keep out all that
    /// it sends from now on, and a mark would carry one key's counters to the others. What is gone with them costs a round, no value.
    private mutating func dropAbsurdities() {
        for absurd in counterparts where absurd.sequence > SnapshotLimits.maximumSequence { devices[absurd.epoch] = nil }
        counterparts.removeAll { $0.sequence > SnapshotLimits.maximumSequence }
        if mark >= SyncStamp.maximumCounter { mark = 0 }
    }

    /// The same device and app under another epoch: what was numbered so far belongs to an installation that is no more.
    func renewed(as epoch: String) -> SyncInstallation {
        var fresh = SyncInstallation(epoch: epoch)
        (fresh.floor, fresh.floors, fresh.mark, fresh.counterparts, fresh.devices) = (floor, floors, mark, counterparts, devices)
        (fresh.edits, fresh.missed, fresh.removed, fresh.isInBackups) = (edits, missed, removed, isInBackups)
        (fresh.awaited, fresh.removedUnseen, fresh.former, fresh.inherited) = (awaited, removedUnseen, former, inherited)
        (fresh.unclaimed, fresh.unclaimedAt) = (unclaimed, unclaimedAt)
        return fresh
    }

    /// Another installation on the same device, which has heard of no counterpart yet: this one may be older than what was sent under its name. What it knows of
    /// forgotten deletions is true all the same.
    func replaced(by epoch: String) -> SyncInstallation {
        var fresh = SyncInstallation(epoch: epoch)
        (fresh.floor, fresh.floors, fresh.mark, fresh.edits, fresh.missed, fresh.removed) = (floor, floors, mark, edits, missed, removed)
        (fresh.awaited, fresh.removedUnseen, fresh.former) = (awaited, removedUnseen, former)
        (fresh.unclaimed, fresh.unclaimedAt) = (unclaimed, unclaimedAt)
        return fresh
    }
}
