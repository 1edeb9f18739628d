import Foundation

/// The ledger's entry of one synced key: the version at its place, and the change that is on its way there.
struct SyncRecord: Sendable, Hashable {
    let keyName: String
    /// ``StorageLocation/identity`` of the key when the record was written, for people who look into the ledger.
    var location: String
    /// The last version known to be stored.
    var committed: SyncVersion
    /// A change that was announced, durably, before the stored bytes changed. After a crash either version may be the stored one.
    var pending: SyncVersion?
    /// Changes that were announced before ``pending`` and may be the stored version as well: the place could not be read when the next one was
    /// announced, as while the device is locked. The oldest first, and only so many.
    var earlier: [SyncVersion] = []
    /// The highest counter ever seen of this key. Versions that were lost count too: they may still be under way somewhere.
    var highestCounter: UInt64
    /// The ``ExtensionEdit/identifier`` of a file's note, where ``committed`` is what an extension set. Of one that says another the extension has set it since.
    var edit: String?
    /// Of a deletion: a counterpart is known to have it as well, so neither needs to keep it for long.
    var isSettled = false
    /// Of a deletion: the counterpart's installations that are known to have it, by epoch, sorted. A phone with several watches keeps it until all have
    /// it, or a watch that was away would bring the value back.
    var holders: [String] = []
    /// The latest versions that others replaced, or that removals took away, by writer: a device that was away, or that a power loss takes back, may still
    /// have one.
    var removed = RemovedVersions()

    init(keyName: String, location: String, committed: SyncVersion, pending: SyncVersion? = nil, highestCounter: UInt64 = 0) {
        self.keyName = keyName
        self.location = location
        self.committed = committed
        self.pending = pending
        self.highestCounter = max(highestCounter, committed.stamp.counter, pending?.stamp.counter ?? 0)
    }
}

extension SyncRecord {
    /// The record of a change that is about to happen. `previous` is `nil` where the ledger knows nothing of the key.
    static func announcing(
        _ version: SyncVersion, of keyName: String, location: String, after previous: SyncRecord?
    ) -> SyncRecord {
        var record = SyncRecord(
            keyName: keyName,
            location: location,
            committed: previous?.committed ?? SyncVersion(stamp: SyncStamp(counter: 0, device: version.stamp.device), content: .lost),
            pending: version,
            highestCounter: previous?.highestCounter ?? 0
        )
        if let previous {
            record.earlier = bounded(previous.earlier + (previous.pending.map { [$0] } ?? []))
        }
        record.removed = previous?.removed ?? RemovedVersions()
        record.edit = previous?.edit
        if let previous {
            // Of one writer the latest version says it all.
            for replaced in previous.versions
            where replaced.content != .deleted && (version.content == .deleted || replaced.stamp.writer != version.stamp.writer) {
                record.removed.add(replaced.stamp)
            }
        }
        return record
    }

    private static let maximumEarlier = 8

    /// As many as are kept: the first, which nothing but changes that failed may have come after, and the latest.
    static func bounded(_ versions: [SyncVersion]) -> [SyncVersion] {
        versions.count <= maximumEarlier ? versions : versions.prefix(1) + versions.suffix(maximumEarlier - 1)
    }

    /// The versions that may be the stored one.
    private var versions: [SyncVersion] { [committed] + earlier + (pending.map { [$0] } ?? []) }

    /// Whether the version that it tells of, or the change that is on its way, is one of that writer.
    func isWritten(by writer: String) -> Bool { committed.stamp.writer == writer || pending?.stamp.writer == writer }

    /// The latest stamp that it tells of.
    var latestStamp: SyncStamp { versions.map(\.stamp).reduce(committed.stamp) { $0 < $1 ? $1 : $0 } }

    /// The stamp of what lies at the place, where it tells of that; else ``latestStamp``.
    func latestStamp(finding revision: Data?) -> SyncStamp {
        guard let revision else { return latestStamp }
        return versions.filter { $0.content.matches(revision) }.map(\.stamp).max() ?? latestStamp
    }

    /// Whether what lies at the place and is not known is the edit that could not be recorded: the version after ``highestCounter``.
    var isOfUnrecordedEdit: Bool {
        pending == nil && committed.stamp.counter == 0 && committed.stamp.device.hasPrefix(SyncStamp.unrecordedMark)
    }

    /// The highest counter that is known to be used in a lineage. One that nothing is counted on from belongs to an earlier lineage.
    func highestCounter(in lineage: SyncStamp.Lineage?) -> UInt64 {
        guard let lineage else { return highestCounter }
        let used = versions.map(\.stamp).filter { $0.lineage?.name == lineage.name }.map(\.counter).max() ?? 0
        return highestCounter < SyncStamp.maximumCounter ? max(used, highestCounter) : used
    }

    /// The record after its announced change was stored.
    func confirmed() -> SyncRecord {
        guard let pending else { return self }
        var record = self
        record.committed = pending
        record.pending = nil
        record.earlier = []
        record.edit = nil
        return record
    }
}

/// What a record says of values that are no more.
///
/// A revision is a digest of what is stored, and that of a short plain value, such as a PIN, gives the value away to whoever tries them all. As long as the
/// value lies there itself, that tells nothing more. It must not stay when the value is sealed, removed, or moved to where it is secured.
extension SyncRecord {
    /// Whether the record, as it was announced, has a digest of a plain value that the announced change took away.
    func tellsOfFormerPlainValue(of key: any StorageKey) -> Bool {
        guard let pending, key.mayHaveBeenPlain else { return false }
        let staysPlain = if case .value = pending.content { !key.security.isEncrypted && !key.domain.isKeychain } else { false }
        return !staysPlain && ([committed] + earlier).contains(where: \.hasDigest)
    }

    /// Whether the record, as it was announced, has a digest of something else than what the announced change stored, be it of a plain value or not.
    var tellsOfAnotherValue: Bool {
        guard let pending else { return false }
        return ([committed] + earlier).contains { $0.hasDigest && $0.content != pending.content }
    }

    /// The record of a place whose value was moved elsewhere: nothing is there, and nobody removed it. Counters stay, for whoever counts on there.
    func movedAway() -> SyncRecord {
        var record = confirmed()
        record.earlier = []
        record.committed.content = .lost
        record.committed.isReduced = false
        return record
    }

    /// The record of another place than that of a value that was moved from a place of the same name: it says nothing of that one any more.
    /// - Parameter revision: What was moved; `nil` where that cannot be told. A secret's own versions are told by tags, so each digest is of a former place.
    fileprivate func forgetting(_ revision: Data?) -> SyncRecord {
        let isOfFormerPlace: (SyncVersion) -> Bool = { version in
            isOfSecret ? version.hasDigest : revision.map { version.content == .value(revision: $0) } ?? false
        }
        var record = self
        record.earlier.removeAll(where: isOfFormerPlace)
        guard isOfSecret, isOfFormerPlace(committed) else { return record }
        record.committed.content = .lost
        record.committed.isReduced = false
        return record
    }

    var hasDigests: Bool { ([committed] + earlier + (pending.map { [$0] } ?? [])).contains(where: \.hasDigest) }
}

extension SyncVersion {
    /// A digest of what is stored. The tag of a secret is random, and shorter.
    fileprivate var hasDigest: Bool { if case .value(let revision) = content { revision.count == SHA256Digest.length } else { false } }
}

extension StorageKey {
    /// Whether what the record of the key's name tells of may be a plain value: of today, of an earlier version of the app, or of a place that it had
    /// under the same name, be it before other ones.
    var mayHaveBeenPlain: Bool {
        acceptedPolicies.acceptsPlain
            || (migration != nil && allSources.contains { $0.name == name && $0.acceptedPolicies.acceptsPlain })
    }
}

extension SyncLedger {
    /// Forgets the digest of a plain value that was changed. No version is kept of it any more: an update of the app has given up its sync. What cannot
    /// be written now is done at the next change.
    func forgetFormerPlainValue(of key: any StorageKey, on role: DeviceRole) {
        // What a sealed key declares does not tell of each version that an installation has skipped.
        guard !environment.device.isAppExtension, key.security.isEncrypted || key.mayHaveBeenPlain,
            keepsVersions(of: key, on: role) == false,
            let known = try? record(of: key.name, in: key.domain), known.hasDigests
        else { return }
        try? setRecord(known.movedAway(), of: key.name, in: key.domain)
    }

    /// Forgets the digest of a plain value that a migration has moved from `source`. What cannot be written now is done when the migration is asked
    /// for again; what was moved is where it belongs all the same.
    func noteMovedAway(_ source: any StorageKey, to destination: any StorageKey) {
        if source.name != destination.name { withState { $0.keys.forgetPassing(source.name) } }
        keepChoice(of: destination)
        forgetDigests(of: source, movedTo: destination)
    }

    /// The part of ``noteMovedAway(_:to:)`` that a process may die before. Whoever asks for the migration again does it.
    ///
    /// Whatever the source declares: a migration may know no more of it than its name, and of what is sealed, or a secret, the record may still tell of the
    /// plain value before.
    func forgetDigests(of source: any StorageKey, movedTo destination: any StorageKey) {
        guard let record = recordOfFormerPlace(source, of: destination) else { return }
        // The name may be that of the value again, at the end of the chain, or of a place that the chain does not know: then the record is of what lies there.
        let isOfSource = (try? StorageLocation(of: source).identity) == record.location
        setRecordOfFormerPlace(
            isOfSource ? record.movedAway() : record.forgetting(nil), source, of: destination)
    }

    /// The same of a value that is about to be deleted at `source`, where the record of its name is of another place by now: of one that the value was to be moved
    /// to, say. Once it is deleted nobody can tell what it was.
    /// - Parameter revision: Reads the value. Called only where there is such a record.
    func forgetDigest(of source: any StorageKey, movedTo destination: any StorageKey, revision: @Sendable () async -> Data?) async {
        guard let record = recordOfFormerPlace(source, of: destination), (try? StorageLocation(of: source).identity) != record.location,
            let revision = await revision(),
            // Nobody holds the turn of whatever lies there by now.
            recordOfFormerPlace(source, of: destination) == record
        else { return }
        setRecordOfFormerPlace(record.forgetting(revision), source, of: destination)
    }

    /// The record of a source's name, if it has digests, and is not the destination's as well, of which versions are kept.
    private func recordOfFormerPlace(_ source: any StorageKey, of destination: any StorageKey) -> SyncRecord? {
        guard
            source.name != destination.name || source.domain.defaultsSuite != destination.domain.defaultsSuite
                || keepsVersions(of: destination, on: environment.device.role) == false,
            let text = try? store.record(of: source.name, in: source.domain),
            let record = try? SyncRecord(encoded: text, keyName: source.name), record.hasDigests
        else { return nil }
        return record
    }

    private func setRecordOfFormerPlace(_ record: SyncRecord, _ source: any StorageKey, of destination: any StorageKey) {
        guard (try? store.record(of: source.name, in: source.domain)) != record.encoded else { return }
        try? store.setRecord(record.encoded, of: source.name, in: source.domain)
        // The destination's own, kept elsewhere, stays known as it is.
        if source.name != destination.name || source.domain.defaultsSuite == destination.domain.defaultsSuite { reread(source.name) }
    }
}

extension SyncRecord {
    /// Whether it is of a place in the keychain.
    fileprivate var isOfSecret: Bool { location.hasPrefix("keychain/") }
}
