import Foundation

/// Names that are made at run time, and that no code of the app has used in this process.
///
/// A catalog lists their kind, and no name. What tells the names is what this device keeps: the record of each that was set, removed or taken here, and the note or
/// the tag that an extension leaves with what it sets. A file or a preference without one is not sent because of its name: it may be anybody's.
extension SyncEngine {
    /// Makes the keys of the names under which this device has versions, so that they are read and sent as those are that a catalog lists. Of a kind with a
    /// migration nothing is taken under a name that the app has not used: what lies where earlier versions of the app left it would not be brought over before.
    ///
    /// What cannot be looked into for now is looked into by the next sync.
    /// - Parameter again: Whether to look once more where extensions of the app set values meanwhile.
    func recallNames(again: Bool) async {
        let role = environment.device.role
        let kinds = admission.catalogs.kinds.compactMap(\.instance).filter {
            $0.availability.allowsSync && $0.availability.isAvailable(on: role) && !$0.domain.isMadeAtRunTime
        }
        let generation = admission.catalogs.generation
        let isFirstLook = sync.ledger.withState { $0.keys.recalledGeneration != generation }
        guard !environment.device.isAppExtension, !kinds.isEmpty, again || isFirstLook else { return }
        var isWhole = true
        if isFirstLook, kinds.contains(where: { $0.domain.defaultsSuite == nil }) {
            do {
                let names = try sync.ledger.store.namesOfFileRecords(besides: sync.ledger.knownNames())
                for name in names { recall(name) { self.hasRecord($0) } }
            } catch {
                isWhole = false
            }
        }
        for kind in kinds {
            do {
                try await recallNames(of: kind, isFirstLook: isFirstLook)
            } catch {
                isWhole = false
            }
        }
        if isFirstLook, isWhole { sync.ledger.withState { $0.keys.recalledGeneration = generation } }
    }

    /// What lies at the places of a kind and tells by itself that it is a version: what an extension has set since this process looked last, too.
    private func recallNames(of kind: any StorageKey, isFirstLook: Bool) async throws {
        switch kind.place {
        case .defaults(let suite):
            guard isFirstLook || kind.domain.isGroupSuite, let pattern = KeyNamePattern(kind.name) else { return }
            try environment.defaults.requireReadable(suite)
            let entries = try sync.ledger.store.defaults { try environment.defaults.keys(in: suite) }
            for prefix in [SyncLedgerStore.defaultsPrefix, ExtensionEdit.prefix] {
                for entry in entries {
                    guard let name = entry.suffix(after: prefix).map(String.init), pattern.matches(name) else { continue }
                    recall(name) { _ in true }
                }
            }
        case .keychain(let service):
            guard isFirstLook || kind.accessGroup != nil else { return }
            for name in try await stored.names(of: kind) {
                recall(name) { key in
                    // A secret outlives the app that set it, and its record.
                    guard let tag = try self.stored.keychain.syncTag(of: key, service: service) else { return false }
                    return ExtensionEdit(tag: tag) != nil || self.sync.ledger.carriedCounter(by: tag, of: key) > 0
                }
            }
        case .file:
            guard kind.domain.mayBeFileOfGroup, try stored.isShared(kind) else { return }
            for name in try await stored.names(of: kind) {
                recall(name) { try self.sync.ledger.store.extensionEdit(of: $0) != nil }
            }
        }
    }

    /// Makes the key of a name, unless the process knows one, or the name says that it is of another kind.
    private func recall(_ name: String, where isVersion: (any StorageKey) throws -> Bool) {
        guard sync.ledger.knownKey(name) == nil, let key = admission.keyOfKind(named: name),
            // What cannot be told now is told once the key is read.
            (try? isVersion(key)) != false
        else { return }
        sync.ledger.noteMade(key, takes: key.migration == nil)
    }

    /// Whether the record of a file or a secret is of the key's own place: what an earlier version of the app had elsewhere a migration is still to bring.
    private func hasRecord(_ key: any StorageKey) -> Bool {
        guard key.domain.defaultsSuite == nil, let record = try? sync.ledger.record(of: key.name, in: key.domain) else { return false }
        return (try? stored.location(of: key).identity) == record.location
    }
}

extension SyncLedgerStore {
    /// The names of the keys that have records in files. Damaged records name nobody.
    /// - Parameter known: Names that are not asked for: their records are not read.
    func namesOfFileRecords(besides known: [String]) throws -> [String] {
        let passedOver = Set(known.map(fileOfRecord))
        return try files.listInternal(Self.recordFolder).compactMap { file in
            let path = "\(Self.recordFolder)/\(file)"
            guard !passedOver.contains(path), let data = try files.readInternal(name: path), let name = SyncRecord.keyName(in: data),
                fileOfRecord(name) == path
            else { return nil }
            return name
        }
    }
}
