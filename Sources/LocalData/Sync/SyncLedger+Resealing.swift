import Foundation

/// A stored form that changes while the value and its version stay: nothing to send, and no edit that somebody made outside LocalData.
extension SyncLedger {
    /// Announces, durably, that the same version is about to lie at the key's place in another form.
    /// - Returns: `nil` where the ledger does not know the stored form, or knows it by a tag beside it.
    /// - Throws: ``StorageError`` where that cannot be read or written. The form must stay then, or it would count as an edit.
    func announceResealed(_ key: any StorageKey, from old: StoredForm, to new: StoredForm) throws -> SyncRecord? {
        guard !key.domain.isKeychain else { return nil }
        let revision = SyncRevision.digest(of: old)
        var record = try record(of: key.name, in: key.domain)
        if record?.knows(revision) != true, carriedCounter(by: revision, of: key) > 0 {
            // A version that lies with the old file alone would go with it.
            record = try record == nil ? found(key, at: StorageLocation(of: key), revision: revision) : recover(key, finding: revision)
        }
        guard let announced = record?.resealed(from: revision, to: SyncRevision.digest(of: new)) else { return nil }
        try setRecord(announced, of: key.name, in: key.domain)
        return announced
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
