import Foundation

/// The ledger's part in a migration. Called under the locks of the keys.
extension ValueVersions {
    /// The version that the sources of a synced destination have together, if they synced.
    func earlierStamp(of sources: [AnyStorageKey], for destination: any StorageKey) async throws -> LegacyVersion? {
        LegacyVersion(combining: try await earlierVersions(of: sources, for: destination))
    }

    /// The version that a removal at the source of a key's migration is for the key; `nil` where nobody removed what was there. Of several sources all must
    /// be removed: what is left of them is a value. Where an update skipped versions it lies further back, at the first places of the chain that have a
    /// version: it is then numbered as a value is that moves from step to step.
    func removalOfSource(of key: any StorageKey) async throws -> SyncStamp? {
        guard keepsVersions(of: key), let sources = key.migration?.base.sourceKeys else { return nil }
        let removal = Self.removal(ofAll: sources, try await versions(of: sources, for: key, .removals))
        return removal.map { .found(as: $0, on: $0.stamp.device) }
    }

    /// What was never set here the counterpart may have set meanwhile: what it makes of that is no older value.
    private static func removal(ofAll sources: [AnyStorageKey], _ versions: [EarlierVersion]) -> LegacyVersion? {
        versions.count == sources.count ? LegacyVersion(ofRemovals: versions) : nil
    }

    /// The version of what a key's migration is still to bring, from wherever in its chain that lies; `nil` where nothing does that has a version.
    func stampToCome(for key: any StorageKey) async throws -> LegacyVersion? {
        guard keepsVersions(of: key), let sources = key.migration?.base.sourceKeys else { return nil }
        return LegacyVersion(combining: try await versions(of: sources, for: key, .all))
    }

    /// The version of what a chain brings to a place that it passes again on its way, and where the value stays: the one that it would have at the chain's
    /// end, as on a device that takes one update after the other.
    /// - Parameter links: The keys of the chain behind the destination.
    func numbered(
        _ earlier: LegacyVersion?, at destination: any StorageKey, through links: [any StorageKey]
    ) -> LegacyVersion? {
        guard let earlier, !earlier.isEdit, !links.isEmpty, links.allSatisfy({ $0.migration?.base.sourceKeys.count == 1 }) else {
            return earlier
        }
        let stamp = SyncStamp.found(as: earlier, on: earlier.stamp.device).moved(from: destination.name, through: links)
        return LegacyVersion(stamp: stamp, isSameName: true, isReduced: earlier.isReduced)
    }

    /// The version of what lies at the source of a chain, where its last key brings it to `destination`: as on a device that takes one update after the other.
    /// - Parameter links: The keys between the two.
    func earlierStamp(
        of source: any StorageKey, through links: [any StorageKey], for destination: any StorageKey
    ) async throws -> LegacyVersion? {
        let earlier = try await earlierStamp(of: [.key(source)], for: destination)
        guard let earlier, let last = links.last else { return earlier }
        return LegacyVersion(
            stamp: earlier.stamp.moved(from: source.name, through: links), isSameName: last.name == destination.name,
            // A migration may know the destination without what it migrates from.
            nameReturn: NameReturn(of: destination.name, from: [.key(last)]), isReduced: earlier.isReduced)
    }

    /// What the ledger knows of the sources of a synced destination. Read past its memory, which knows one place of a name.
    private func earlierVersions(
        of sources: [AnyStorageKey], for destination: any StorageKey
    ) async throws -> [EarlierVersion] {
        guard keepsVersions(of: destination) else { return [] }
        return try await versions(of: sources, for: destination, .removals)
    }

    /// What counts as a source's where it has no version of its own, since an update skipped the version of the app that would have brought it there.
    private enum Behind {
        /// That what it would have been made of was removed. What is there still was left there, and is no part of what is made of the source.
        case removals
        /// Also what is there.
        case all
    }

    private func versions(
        of sources: [AnyStorageKey], for destination: any StorageKey, _ behind: Behind, _ visited: Set<[String]> = []
    ) async throws -> [EarlierVersion] {
        let visited = try visited.union([destination.linkOfChain])
        var versions: [EarlierVersion] = []
        for source in sources.map(\.base) {
            guard let stored = try await earlierVersion(of: source, behind, visited) else { continue }
            let content: EarlierVersion.Content =
                switch stored.content {
                case .value: .value
                case .deleted: .deleted
                case .lost: .gone
                }
            versions.append(
                EarlierVersion(
                    place: "\(source.name) \(source.domain.kind)", stamp: stored.stamp, isSameName: source.name == destination.name,
                    nameReturn: NameReturn(of: destination.name, from: sources), isReduced: stored.isReduced, content: content))
        }
        return versions
    }

    /// The version that a source has by what lies behind it; `nil` where nothing tells one.
    private func version(behind source: any StorageKey, _ behind: Behind, _ visited: Set<[String]>) async throws -> SyncVersion? {
        guard let sources = source.migration?.base.sourceKeys, try !visited.contains(source.linkOfChain) else { return nil }
        let versions = try await versions(of: sources, for: source, behind, visited)
        if behind == .all, let value = LegacyVersion(combining: versions) {
            let stamp = SyncStamp.found(as: value, on: value.stamp.device)
            return SyncVersion(stamp: stamp, content: .value(revision: Data()), isReduced: value.isReduced)
        }
        let removal = Self.removal(ofAll: sources, versions)
        return removal.map { SyncVersion(stamp: .found(as: $0, on: $0.stamp.device), content: .deleted) }
    }

    /// The version of a source; `nil` where it has none, and nothing that lies with it, or behind it, tells one. What an extension edited is an edit,
    /// though a power loss may have taken every record of it.
    private func earlierVersion(of source: any StorageKey, _ behind: Behind, _ visited: Set<[String]>) async throws -> SyncVersion? {
        let revision = try await stored.syncRevision(of: source).value
        guard let text = try sync.ledger.store.record(of: source.name, in: source.domain),
            let record = try? SyncRecord(encoded: text, keyName: source.name)
        else {
            guard let revision else { return try await version(behind: source, behind, visited) }
            // A version of the app before may have called the file otherwise.
            if case .file = source.place, sync.ledger.carriedCounter(by: revision, of: source) == 0,
                let version = try sync.ledger.versionOfAnotherName(of: source, finding: revision)
            {
                return version
            }
            // A secret that outlived its app, and a file whose version could not be recorded, say themselves which version they are.
            guard
                try sync.ledger.extensionEdit(of: source, finding: revision) != nil
                    || sync.ledger.carriedCounter(by: revision, of: source) > 0
            else { return nil }
            let stamp = try sync.ledger.stampOfFoundValue(of: source, revision: revision)
            return SyncVersion(stamp: stamp, content: .value(revision: revision))
        }
        // Or it is of another place of the name, as that further back where the value lies.
        if behind == .all, revision == nil, try record.location != stored.location(of: source).identity,
            let version = try await version(behind: source, behind, visited)
        {
            return version
        }
        return try sync.ledger.version(of: source, recordedAs: record, finding: revision)
    }

    /// Whether the sources of a migration hold something later than what lies at its destination: an earlier version of the app edited them, and the
    /// counterpart's copy of what was there before came while the migration could not be made. Called where both places hold a value.
    func areLater(_ sources: [AnyStorageKey], than destination: any StorageKey) async throws -> Bool {
        guard keepsVersions(of: destination) else { return false }
        let versions = try await earlierVersions(of: sources, for: destination)
        // What was moved already is in the destination, and would be missing in what is made of the rest. One name has one record: what it says of
        // the old place is not to be told from what it says of the new one.
        guard let earlier = LegacyVersion(combining: versions), !versions.contains(where: { $0.content == .gone || $0.isSameName }),
            let record = try sync.ledger.recover(destination, finding: await stored.syncRevision(of: destination).value),
            case .value = record.committed.content
        else { return false }
        let found = SyncStamp.found(as: earlier, on: record.committed.stamp.device)
        guard found == record.committed.stamp else { return record.committed.stamp < found }
        return record.committed.isReduced && !earlier.isReduced
    }

    /// Whether a version of a migration's sources takes the place of what is recorded at its destination without being counted as an edit.
    func replaces(_ earlier: LegacyVersion?, _ destination: any StorageKey) async throws -> Bool {
        guard let earlier, let record = try destinationRecord(destination) else { return earlier != nil }
        // A change that was announced there and cut short is no version of anything.
        let revision = try? await stored.syncRevision(of: destination).value
        return record.latestStamp(finding: revision) <= .found(as: earlier, on: record.committed.stamp.device)
    }

    /// Whether something else lies at a synced key's place than what its record tells of: an extension has set it, or code that is not LocalData's.
    func liesBesideRecord(of key: any StorageKey) async throws -> Bool {
        guard let record = try destinationRecord(key), case .value = record.committed.content,
            try record.location == stored.location(of: key).identity, let revision = try await stored.syncRevision(of: key).value
        else { return false }
        return !record.knows(revision)
    }

    /// The record of a synced destination before anything is copied to it.
    func destinationRecord(_ destination: any StorageKey) throws -> SyncRecord? {
        guard keepsVersions(of: destination) else { return nil }
        return try sync.ledger.record(of: destination.name, in: destination.domain)
    }

    /// Rolls back a copy that was not stored, or failed verification. It was not sent: its turn is not over. What an earlier version of the app recorded of
    /// a name that keeps no versions now stays for the version that keeps them again.
    func forgetCopy(of destination: any StorageKey, restoring record: Result<SyncRecord?, any Error>) async throws {
        guard keepsVersions(of: destination) else { return }
        if case .success(let record) = record { try sync.ledger.setRecord(record, of: destination.name, in: destination.domain) }
        await sync.drop(destination.name)
    }
}
