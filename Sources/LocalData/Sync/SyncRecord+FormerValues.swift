import Foundation

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

    /// Whether the record, as it was announced, has a digest of a plain value other than the one that the announced change stored.
    func tellsOfAnotherPlainValue(of key: any StorageKey) -> Bool {
        guard let pending, key.mayHaveBeenPlain else { return false }
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

    var hasDigests: Bool { ([committed] + earlier + (pending.map { [$0] } ?? [])).contains(where: \.hasDigest) }
}

extension SyncVersion {
    /// A digest of what is stored. The tag of a secret is random, and shorter.
    fileprivate var hasDigest: Bool { if case .value(let revision) = content { revision.count == SHA256Digest.length } else { false } }
}

extension StorageKey {
    /// Whether what the record of the key's name tells of may be a plain value: of today, of an earlier version of the app, or of the place that it had
    /// under the same name.
    fileprivate var mayHaveBeenPlain: Bool {
        acceptedPolicies.acceptsPlain
            || migration?.base.sourceKeys.contains { $0.name == name && $0.base.acceptedPolicies.acceptsPlain } ?? false
    }
}

extension SyncLedger {
    /// Forgets the digest of a plain value that a migration has moved from `source`. What cannot be written now is done when the migration is asked
    /// for again; what was moved is where it belongs all the same.
    func noteMovedAway(_ source: any StorageKey, to destination: any StorageKey) {
        guard source.syncPolicy != .never, !source.domain.isKeychain, source.acceptedPolicies.acceptsPlain,
            // Not where both have one record: there it is the destination's.
            source.name != destination.name || source.domain.defaultsSuite != destination.domain.defaultsSuite
        else { return }
        guard let text = try? store.record(of: source.name, in: source.domain),
            let record = try? SyncRecord(encoded: text, keyName: source.name), record.hasDigests
        else { return }
        try? store.setRecord(record.movedAway().encoded, of: source.name, in: source.domain)
        if source.name != destination.name { reread(source.name) }
    }
}
