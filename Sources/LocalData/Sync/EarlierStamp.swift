import Foundation

/// The version that a migrated value was at its old place.
struct EarlierStamp: Sendable, Hashable {
    let stamp: SyncStamp
    /// Both places have one name, by which versions are kept: to the counterpart it is the same value.
    let isSameName: Bool
}

extension SyncStamp {
    /// The stamp of a value that a migration found.
    ///
    /// Its counter is 0: what an earlier version of the app left is older than anything that was ever set at its new place, on either device. Two values
    /// that were found keep the order that they had at their old place, so the device part carries that version: `~`, its counter in 16 hexadecimal
    /// digits, `.`, its device. A value without a version sorts before those.
    static func found(as earlier: EarlierStamp?, on device: String) -> SyncStamp {
        guard let earlier else { return SyncStamp(counter: 0, device: device) }
        guard !earlier.isSameName else { return earlier.stamp }
        let digits = String(earlier.stamp.counter, radix: 16)
        let counter = String(repeating: "0", count: 16 - digits.count) + digits
        return SyncStamp(counter: 0, device: "~\(counter).\(earlier.stamp.device)")
    }
}

/// The ledger's part in a migration. Called under the locks of the keys.
extension StorageRouter {
    /// The highest version that the sources of a synced destination have, if they synced. Read past the ledger's memory, which knows one place of a name.
    nonisolated func earlierStamp(of sources: [AnyStorageKey], for destination: any StorageKey) async throws -> EarlierStamp? {
        guard sync.ledger.keepsVersions(of: destination, on: environment.device.role) else { return nil }
        var found: [EarlierStamp] = []
        for source in sources.map(\.base) {
            guard let text = try sync.ledger.store.record(of: source.name, in: source.domain),
                let record = try? SyncRecord(encoded: text, keyName: source.name), let revision = try await syncRevision(of: source).value
            else { continue }
            let stored = try record.recovered(finding: revision) {
                SyncStamp(counter: record.highestCounter + 1, device: try sync.ledger.replica())
            }.committed
            found.append(EarlierStamp(stamp: stored.stamp, isSameName: source.name == destination.name))
        }
        return found.max { $0.stamp < $1.stamp }
    }

    /// The record of a synced destination before anything is copied to it.
    nonisolated func destinationRecord(_ destination: any StorageKey) throws -> SyncRecord? {
        guard sync.ledger.keepsVersions(of: destination, on: environment.device.role) else { return nil }
        return try sync.ledger.record(of: destination.name, in: destination.domain)
    }

    /// Makes a copy that did not read back never have been. It was not sent: its turn is not over.
    nonisolated func forgetCopy(of destination: any StorageKey, restoring record: Result<SyncRecord?, any Error>) async throws {
        if case .success(let record) = record { try sync.ledger.setRecord(record, of: destination.name, in: destination.domain) }
        await sync.drop(destination.name)
    }
}
