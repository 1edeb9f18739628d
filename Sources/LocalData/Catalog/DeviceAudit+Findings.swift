import Foundation

/// What lies on the device that no registered key accounts for.
///
/// LocalData's own for certain: its folder, its keychain service, entries under its prefix, envelopes and its temporary files. What else lies beside
/// registered values is told as unclaimed.
extension DeviceAudit {
    mutating func findings(besides known: KnownKeys) async -> [StorageFinding] {
        var findings = internalFiles(besides: known)
        // The app's own preferences are always looked into: what LocalData left there has its name on it.
        for place in known.places.union([.suite(.standard)]) {
            do {
                findings += try listing(of: place, besides: known)
            } catch {
                hasSeenEverything = false
                let code = SyncLedger.storageError(error).code
                if code != .unsupported { findings.append(StorageFinding(.unreadable, place: place.auditText, error: code)) }
            }
        }
        return findings + masterKeys()
    }

    private mutating func listing(of place: AuditPlace, besides known: KnownKeys) throws -> [StorageFinding] {
        switch place {
        case .directory(let directory, let group):
            return try files(in: router.files.directoryPath(directory, group: group), place, besides: known)
        case .service(let service): return try items(of: service, place, besides: known)
        case .suite(let suite): return try preferences(in: suite, place, besides: known)
        }
    }

    // MARK: Files

    private mutating func files(in directory: String, _ place: AuditPlace, besides known: KnownKeys) throws -> [StorageFinding] {
        var findings: [StorageFinding] = []
        for name in try names(in: directory) {
            let path = "\(directory)/\(name)"
            guard let attributes = try router.files.mapped({ try environment.fileSystem.attributes(of: path) }) else { continue }
            if TemporaryFile.isName(name) {
                findings.append(StorageFinding(.leftover, place: place.auditText, name: name, byteCount: attributes.size))
            } else if !known.accountFor(name, in: place), !(attributes.isDirectory && name == FileStorageHelper.internalFolder) {
                let isSealed = !attributes.isDirectory && isEnvelope(at: path, size: attributes.size)
                let kind: StorageFinding.Kind = isSealed ? .orphanedValue : .unclaimed
                findings.append(
                    StorageFinding(kind, place: place.auditText, name: name, byteCount: attributes.isDirectory ? nil : attributes.size))
            }
        }
        return findings
    }

    private func names(in directory: String) throws -> [String] {
        try router.files.mapped {
            do {
                return try environment.fileSystem.list(directory)
            } catch let error as FileSystemError where error.errno == ENOENT {
                return []
            }
        }
    }

    /// Larger files are left unread: somebody's video would be read in vain.
    private static let maximumForeignSize = 4 << 20

    private mutating func isEnvelope(at path: String, size: Int) -> Bool {
        guard size <= Self.maximumForeignSize else { return false }
        guard let data = try? environment.fileSystem.contents(of: path) else {
            hasSeenEverything = false
            return false
        }
        return isEnvelope(data)
    }

    private mutating func isEnvelope(_ data: Data) -> Bool {
        guard let envelope = try? Envelope(parsing: data) else { return false }
        if case .master(let id) = envelope.header.keySource { masterKeysInUse.insert(id) }
        return true
    }

    // MARK: Keychain

    private func listed(_ service: String?) throws -> [KeychainItem] {
        let query = KeychainQuery(
            service: service ?? environment.device.bundleIdentifier, returnsData: false, matchesAll: true, allowsInteraction: false)
        let (status, items) = environment.keychain.copyMatching(query)
        guard status != .itemNotFound else { return [] }
        guard status == .success else {
            throw StorageError(status.storageError(lockState: environment.device.lockState, stores: false))
        }
        return items
    }

    private mutating func items(of service: String?, _ place: AuditPlace, besides known: KnownKeys) throws -> [StorageFinding] {
        var findings: [StorageFinding] = []
        for item in try listed(service) where !known.accountFor(item.account, in: place) {
            let isSealed: Bool =
                if item.accessControl == nil, let data = try? router.keychain.item(account: item.account, service: service)?.data {
                    isEnvelope(data)
                } else {
                    false
                }
            findings.append(StorageFinding(isSealed ? .orphanedValue : .unclaimed, place: place.auditText, name: item.account))
        }
        return findings
    }

    private func masterKeys() -> [StorageFinding] {
        let place = "master keys"
        do {
            guard hasSeenEverything else { return [] }
            let primary = try router.encryption.ring.primary()?.id
            return try router.encryption.ring.keyIDs().filter { $0 != primary && !masterKeysInUse.contains($0) }
                .map { StorageFinding(.orphanedKey, place: place, name: $0) }
        } catch {
            let code = SyncLedger.storageError(error).code
            return [StorageFinding(code == .corrupt ? .damaged : .unreadable, place: place, error: code)]
        }
    }

    // MARK: Preferences

    private mutating func preferences(in suite: DefaultsSuite, _ place: AuditPlace, besides known: KnownKeys) throws -> [StorageFinding] {
        guard environment.defaults.isReadable(suite) else { throw StorageError(.lockedBeforeFirstUnlock) }
        var findings: [StorageFinding] = []
        for name in try environment.defaults.keys(in: suite) where !known.accountFor(name, in: place) {
            let value = try environment.defaults.value(forKey: name, in: suite)
            if name.hasPrefix(SyncLedgerStore.defaultsPrefix) {
                let key = String(name.dropFirst(SyncLedgerStore.defaultsPrefix.count))
                let isIntact = if case .string(let text)? = value { SyncRecord.keyName(in: Data(text.utf8)) == key } else { false }
                if !known.accountFor(key, in: place) {
                    findings.append(StorageFinding(.orphanedRecord, place: "sync ledger, \(place.auditText)", name: key))
                } else if !isIntact {
                    findings.append(StorageFinding(.damaged, place: "sync ledger, \(place.auditText)", name: key))
                }
            } else if name.hasPrefix(KeyRules.reservedPrefix) {
                findings.append(StorageFinding(.unknown, place: place.auditText, name: name))
            } else if case .data(let data)? = value, isEnvelope(data) {
                findings.append(StorageFinding(.orphanedValue, place: place.auditText, name: name, byteCount: data.count))
            } else {
                findings.append(StorageFinding(.unclaimed, place: place.auditText, name: name))
            }
        }
        return findings
    }
}
