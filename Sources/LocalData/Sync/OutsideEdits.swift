import Foundation

/// Edits that were made outside of the app, by an extension, a restore, or somebody who wrote to the place: found when a key's place is looked at, and given
/// a version then. So is what a process stored and could not record.
extension SyncLedger {
    /// Settles which version is stored, given the revision found at the key's place.
    /// - Returns: The record, or `nil` for something that was never synced.
    func recover(_ key: any StorageKey, finding revision: Data?) throws -> SyncRecord? {
        let known = try record(of: key.name, in: key.domain)
        if let revision, known?.knows(revision) != true, let found = try recordOfAnotherName(of: key, after: known, finding: revision) {
            try settle(key)
            try setRecord(found, of: key.name, in: key.domain)
            return found
        }
        guard let record = known else { return nil }
        var recovered = try record.recovered(finding: revision) {
            let edit = try revision.flatMap { try extensionEdit(of: key, finding: $0) }
            return try stamp(of: edit, after: record, key, carried: revision.map { carriedCounter(by: $0, of: key) } ?? 0)
        }
        // What is nowhere else is gone, and its digest with it.
        if revision == nil, !key.allSources.contains(where: { $0.name == key.name }) { recovered.earlier = [] }
        if let revision, record.knows(revision), let edit = try newExtensionEdit(of: key, besides: record, finding: revision) {
            // An extension set again what is recorded. It is an edit all the same: a removal that a power loss took back, and the counterpart has, came before
            // it, or a version that this device could not store.
            var edited = recovered.edited(as: try stamp(of: edit, after: record, key), revision: revision)
            edited.location = try StorageLocation(of: key).identity
            edited.edit = key.domain.mayBeFileOfGroup ? edit.identifier : nil
            try settle(key)
            try setRecord(edited, of: key.name, in: key.domain)
            settleExtensionEdit(of: key, finding: revision, as: edited.committed.stamp)
            return edited
        }
        if let revision, isUnrecordedEdit(of: key, besides: record, finding: revision) {
            let edited = recovered.edited(
                as: try nextStamp(of: key, after: record, carried: carriedCounter(by: revision, of: key), isFound: true), revision: revision
            )
            try settle(key)
            try setRecord(edited, of: key.name, in: key.domain)
            return edited
        }
        // A record of a place that the value has moved from, or is moving to, is settled there, by what lies there.
        if try record.location != StorageLocation(of: key).identity, revision.map(record.knows) ?? true { return recovered }
        guard recovered != record else {
            // The app died before it took an extension's note away.
            if let revision { settleExtensionEdit(of: key, finding: revision, as: recovered.committed.stamp) }
            return record
        }
        if recovered == record.confirmed() {
            // The record on disk says the same, to whoever looks at what is stored.
            if case .file = key.place { remember(recovered, of: key.name, bySight: true) } else { remember(recovered, of: key.name) }
            // Not while a power loss may bring the former value back: of that the record would not tell any more.
            if record.tellsOfFormerPlainValue(of: key), (try? settleSeen(key)) != nil {
                try? setRecord(recovered, of: key.name, in: key.domain)
            }
        } else {
            if let revision, !record.knows(revision), key.domain.mayBeFileOfGroup {
                recovered.edit = try extensionEdit(of: key, finding: revision)?.identifier
            }
            try settle(key)
            try setRecord(recovered, of: key.name, in: key.domain)
            if let revision { settleExtensionEdit(of: key, finding: revision, as: recovered.committed.stamp) }
        }
        return recovered
    }

    /// The record of a key whose file had another name in an earlier version of the app, which recorded what lies there under that. The key's own record, if
    /// it has one, is of a time before that. A version that is earlier than the key's own is none of what lies there.
    private func recordOfAnotherName(of key: any StorageKey, after known: SyncRecord?, finding revision: Data) throws -> SyncRecord? {
        guard case .file = key.place, carriedCounter(by: revision, of: key) == 0,
            let version = try versionOfAnotherName(of: key, finding: revision), known.map({ version.stamp >= $0.latestStamp }) ?? true
        else { return nil }
        var record = SyncRecord(
            keyName: key.name, location: try StorageLocation(of: key).identity, committed: version,
            highestCounter: known?.highestCounter ?? 0)
        record.removed = known?.removed ?? RemovedVersions()
        return record
    }

    /// What the records of the file's other names say of what lies there. What none of them knows is an edit that could not be recorded.
    func versionOfAnotherName(of key: any StorageKey, finding revision: Data) throws -> SyncVersion? {
        var links = [key]
        var visited: Set<[String]> = []
        var edit: SyncVersion?
        while let source = links.last?.onlySource, try visited.insert(source.linkOfChain).inserted {
            if source.name != key.name, try store.files.isOneFile(source, key),
                let text = try store.record(of: source.name, in: source.domain),
                let record = try? SyncRecord(encoded: text, keyName: source.name)
            {
                let found = try version(of: source, recordedAs: record, finding: revision)
                let version = SyncVersion(
                    stamp: found.stamp.moved(from: source.name, through: links.reversed()), content: found.content,
                    isReduced: found.isReduced)
                if record.knows(revision) { return version }
                edit = edit ?? version
            }
            links.append(source)
        }
        return edit
    }

    /// Settles the records of a file's other names before its bytes get another form: of what was announced under one of them nobody could tell after that whether
    /// it happened.
    func settleOtherNames(_ names: [any StorageKey], of key: any StorageKey, finding revision: Data) throws {
        for other in names where other.name != key.name {
            guard let text = try store.record(of: other.name, in: other.domain),
                let record = try? SyncRecord(encoded: text, keyName: other.name), record.pending != nil, record.knows(revision)
            else { continue }
            let recovered = record.recovered(finding: revision) { record.latestStamp }
            try store.setRecord(recovered.encoded, of: other.name, in: other.domain)
            reread(other.name)
        }
    }

    /// The version of what lies at the source of a migration, which has a record. What that does not know is an edit: an extension's, also where it set again what
    /// is recorded, or one that could not be recorded.
    func version(of source: any StorageKey, recordedAs record: SyncRecord, finding revision: Data?) throws -> SyncVersion {
        if let revision, let edit = try newExtensionEdit(of: source, besides: record, finding: revision) {
            return SyncVersion(stamp: try stamp(of: edit, after: record, source), content: .value(revision: revision))
        }
        if let revision, isUnrecordedEdit(of: source, besides: record, finding: revision) {
            return SyncVersion(stamp: try stampOfUnrecordedEdit(of: source, after: record), content: .value(revision: revision))
        }
        return try record.recovered(finding: revision) {
            let edit = try revision.flatMap { try extensionEdit(of: source, finding: $0) }
            return edit == nil ? try stampOfUnrecordedEdit(of: source, after: record) : try stamp(of: edit, after: record, source)
        }.committed
    }

    /// The version of what was found instead of what the record tells of. What an extension set is no edit of the app's that could not be recorded: it is
    /// after that.
    func stamp(of edit: ExtensionEdit?, after record: SyncRecord, _ key: any StorageKey, carried: UInt64 = 0) throws -> SyncStamp {
        try stamp(of: edit, key) { try nextStamp(of: key, after: record, carried: carried, isFound: edit == nil) }
    }

    /// The version of a value that no record tells of: LocalData did not write it, or could not write down that it did. Any version that was set is newer.
    ///
    /// A secret with a tag was written by LocalData: it outlived the app that wrote it, as keychain items do. It is the version still that its tag
    /// carries; so is a file with a ``SyncFileNote``, whose version could not be recorded. Its writer is not known; the name begins with `!`, which goes before all others, so that the counterpart's value of the same version
    /// is kept. An edit of it before this installation has heard from the counterpart leaps (``SyncInstallation/leap``).
    func stampOfFoundValue(of key: any StorageKey, revision: Data) throws -> SyncStamp {
        if let edit = try extensionEdit(of: key, finding: revision) {
            noteVersionsAtFormerPlaces(of: key)
            try noteVersionsLost(of: key)
            guard key.domain.isKeychain else { return try stamp(of: edit, key) { try nextStamp(of: key, after: nil) } }
            // It may be that of an earlier installation, as below: an edit of it leaps.
            let next = try nextStamp(of: key, after: nil, mayHaveOutlivedApp: true)
            return SyncStamp(counter: next.counter, device: foundWriter(of: revision), in: next.lineage)
        }
        if let change = withState({ $0[key.name].unversioned }), change.replaced != revision {
            return try nextStamp(
                of: key, after: nil, carried: carriedCounter(by: revision, of: key))
        }
        let carried = carriedCounter(by: revision, of: key)
        // An extension, or an earlier version of the app, has set it since a deletion was forgotten, which the counterpart may still remember.
        if carried == 0, try installation().floor(of: key.name) > 0 { return try nextStamp(of: key, after: nil) }
        guard carried > 0 || key.domain.isKeychain, !revision.isEmpty else { return SyncStamp(counter: 0, device: try replica()) }
        return SyncStamp(counter: carried, device: foundWriter(of: revision))
    }

    /// Who wrote a secret that tells no writer.
    private func foundWriter(of revision: Data) -> String {
        "\(SyncStamp.foundMark)\(environment.device.identifier).\(revision.prefix(4).hexadecimal)"
    }

    /// An edit of a key that has no version yet counts above what its name had where an earlier version of the app kept the value: to the counterpart both
    /// are one value. What was removed there came with no migration.
    func noteVersionsAtFormerPlaces(of key: any StorageKey) {
        guard key.migration != nil else { return }
        for source in key.allSources where source.name == key.name {
            // Read past the ledger's memory, which knows one place of a name.
            guard let text = try? store.record(of: source.name, in: source.domain),
                let record = try? SyncRecord(encoded: text, keyName: source.name)
            else { continue }
            noteSeen(record.latestStamp, of: key.name)
        }
    }

    /// The same where a power loss took that record, with preferences: what this device sent of the key, and what it had taken before, tells of it.
    private func noteVersionsLost(of key: any StorageKey) throws {
        guard ([key] + key.allSources).contains(where: { $0.name == key.name && $0.domain.defaultsSuite != nil }) else { return }
        let installation = try installation()
        if let lost = SyncSnapshot.latestStamp(of: key.name, ifReceived: installation.hasTaken) { noteSeen(lost, of: key.name) }
    }

    /// Whether the file at a key's place is an edit that could not be recorded, and that set again what the record tells of: such as the value before a change
    /// that was announced and, of a file, never confirmed. What lies with it counts above all that the record knows.
    func isUnrecordedEdit(of key: any StorageKey, besides record: SyncRecord, finding revision: Data) -> Bool {
        // Of what was announced last nobody has to look: it is that version, or the same value again.
        guard let pending = record.pending, pending.content != .value(revision: revision), record.knows(revision),
            record.latestStamp.lineage == nil, case .file = key.place
        else { return false }
        return carriedCounter(by: revision, of: key) > record.highestCounter
    }

    /// The counter of the version that lies with a value; 0 where none does.
    func carriedCounter(by revision: Data, of key: any StorageKey) -> UInt64 {
        if key.domain.isKeychain { return SyncRevision.counter(of: revision) }
        guard case .file = key.place, let place = try? store.files.place(of: key), let note = store.files.note(of: place),
            note.revision == revision, note.keyName == key.name
        else { return 0 }
        return note.counter
    }

    /// Records a value that no record tells of, before it is sent: when it is another one the next time, that is a later version, and not another value of
    /// the same version.
    /// - Parameter stamp: What ``stampOfFoundValue(of:revision:)`` said, which need not say the same twice.
    func adopt(_ key: any StorageKey, at location: StorageLocation, finding revision: Data, as stamp: SyncStamp) throws {
        try setRecord(found(key, at: location, revision: revision, as: stamp), of: key.name, in: key.domain)
        settleExtensionEdit(of: key, finding: revision, as: stamp)
    }

    func found(_ key: any StorageKey, at location: StorageLocation, revision: Data, as stamp: SyncStamp? = nil) throws -> SyncRecord {
        let stamp = try stamp ?? stampOfFoundValue(of: key, revision: revision)
        let version = SyncVersion(stamp: stamp, content: .value(revision: revision))
        var record = SyncRecord(keyName: key.name, location: location.identity, committed: version)
        if key.domain.mayBeFileOfGroup { record.edit = try extensionEdit(of: key, finding: revision)?.identifier }
        return record
    }
}

extension SyncRecord {
    /// Whether what lies at the key's place may be a version that LocalData stored or was about to store.
    func knows(_ revision: Data?) -> Bool {
        committed.content.matches(revision) || pending?.content.matches(revision) == true
            || earlier.contains { $0.content.matches(revision) }
    }

    /// The record that is true when something with `revision` was found at the key's place (`nil`: nothing).
    ///
    /// What is stored decides whether the announced change happened. If it is neither the announced nor the committed version, somebody edited it
    /// outside LocalData, which is a new version of this device. Nothing at the place is a deletion only if one was announced: a purge of caches
    /// or a restore without the keychain must not delete the counterpart's value.
    /// - Parameter edit: The stamp of such an edit.
    func recovered(finding revision: Data?, edit: () throws -> SyncStamp) rethrows -> SyncRecord {
        if let pending, pending.content.matches(revision) { return confirmed() }
        var record = self
        record.pending = nil
        if revision != nil { record.earlier = [] }
        if committed.content.matches(revision) { return record }
        if let stored = earlier.last(where: { $0.content.matches(revision) }) {
            record.committed = stored
            record.earlier = []
            return record
        }
        guard let revision else {
            // Where what was announced was not stored, what it was to replace may lie where an earlier version of the app kept the value of the same name.
            if case .value = committed.content { record.earlier = Self.bounded([committed] + earlier) }
            record.isSettled = false
            record.holders = []
            record.committed.content = .lost
            record.committed.isReduced = false
            return record
        }
        return record.edited(as: try edit(), revision: revision)
    }

    /// The record of an edit that was made outside of the app, and of nothing else that may be stored.
    fileprivate func edited(as stamp: SyncStamp, revision: Data) -> SyncRecord {
        var record = self
        record.pending = nil
        record.earlier = []
        record.edit = nil
        record.isSettled = false
        record.holders = []
        record.committed = SyncVersion(stamp: stamp, content: .value(revision: revision))
        record.highestCounter = stamp.counter
        return record
    }
}
