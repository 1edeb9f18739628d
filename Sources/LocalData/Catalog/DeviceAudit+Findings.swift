import Foundation

/// What lies on the device that no registered key accounts for.
///
/// LocalData's own for certain: its folder, its keychain service, entries under its prefix, envelopes and its temporary files. What else lies beside
/// registered values is told as unclaimed, and in a place of which no key is left as abandoned. Which places are looked into: `DeviceAudit+Places`.
extension DeviceAudit {
    mutating func findings(besides known: KnownKeys) async -> [StorageFinding] {
        var findings = internalFiles(besides: known)
        let listed = places(besides: known)
        for listed in listed {
            do {
                findings += try listing(of: listed, besides: known)
            } catch {
                hasSeenEverything = false
                let code = SyncLedger.storageError(error).code
                if code != .unsupported { findings.append(StorageFinding(.unreadable, place: listed.place.auditText, error: code)) }
            }
        }
        findings += otherServices(besides: listed)
        findings += subfolders(besides: listed)
        return findings + masterKeys()
    }

    private mutating func listing(of listed: ListedPlace, besides known: KnownKeys) throws -> [StorageFinding] {
        switch listed.place {
        case .directory(let directory, let group):
            return try files(in: router.files.directoryPath(directory, group: group), listed, besides: known)
        case .service(let service): return items(try items(of: service), service, listed, besides: known)
        case .suite(let suite): return try preferences(in: suite, listed, besides: known)
        }
    }

    // MARK: Files

    private mutating func files(in directory: String, _ listed: ListedPlace, besides known: KnownKeys) throws -> [StorageFinding] {
        var findings: [StorageFinding] = []
        let place = listed.place
        for name in try names(in: directory) {
            let path = "\(directory)/\(name)"
            guard let attributes = try router.files.mapped({ try environment.fileSystem.attributes(of: path) }) else { continue }
            if TemporaryFile.isName(name) {
                findings.append(StorageFinding(.leftover, place: place.auditText, name: name, byteCount: attributes.size))
            } else if !known.accountFor(name, in: place), !(attributes.isDirectory && name == FileStorageHelper.internalFolder) {
                let isSealed = !attributes.isDirectory && isEnvelope(at: path, size: attributes.size)
                let kind: StorageFinding.Kind = isSealed ? .orphanedValue : listed.foreignKind
                findings.append(
                    StorageFinding(kind, place: place.auditText, name: name, byteCount: attributes.isDirectory ? nil : attributes.size))
            }
        }
        return findings
    }

    func names(in directory: String) throws -> [String] {
        try router.files.mapped {
            do {
                return try environment.fileSystem.list(directory)
            } catch let error as FileSystemError where error.errno == ENOENT {
                return []
            }
        }
    }

    /// Reads no more of a file than tells what sealed it: somebody's video would be read in vain.
    mutating func isEnvelope(at path: String, size: Int) -> Bool {
        guard size > 0 else { return false }
        guard let front = try? environment.fileSystem.contents(of: path, upTo: EnvelopeFormat.maximumHeaderLength) else {
            hasSeenEverything = false
            return false
        }
        return isEnvelope(front, of: size)
    }

    mutating func isEnvelope(_ data: Data) -> Bool { isEnvelope(data, of: data.count) }

    /// - Parameter size: Of the whole. An envelope is as long as it says.
    private mutating func isEnvelope(_ front: Data, of size: Int) -> Bool {
        guard let front = try? EnvelopePrefix(parsing: front), size == front.length + front.ciphertextLength + AEADCipher.tagLength else {
            return false
        }
        if case .master(let id) = front.header.keySource { masterKeysInUse.insert(id) }
        return true
    }

    // MARK: Keychain

    /// Of one service, `nil` for the app's own.
    private func items(of service: String?) throws -> [KeychainItem] {
        let query = KeychainQuery(
            service: service ?? environment.device.bundleIdentifier, returnsData: false, matchesAll: true, allowsInteraction: false)
        let (status, items) = environment.keychain.copyMatching(query)
        guard status != .itemNotFound else { return [] }
        guard status == .success else {
            throw StorageError(status.storageError(lockState: environment.device.lockState, stores: false))
        }
        return items
    }

    mutating func items(
        _ items: [KeychainItem], _ service: String?, _ listed: ListedPlace, besides known: KnownKeys?
    ) -> [StorageFinding] {
        var findings: [StorageFinding] = []
        let place = listed.place
        for item in items where known?.accountFor(item.account, in: place) != true {
            // An envelope is under no access control, so what would ask a person is none.
            let data = try? router.keychain.item(account: item.account, service: service, asksPerson: false)?.data
            let isSealed = data.map { isEnvelope($0) } ?? false
            findings.append(StorageFinding(isSealed ? .orphanedValue : listed.foreignKind, place: place.auditText, name: item.account))
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

    private mutating func preferences(
        in suite: DefaultsSuite, _ listed: ListedPlace, besides known: KnownKeys
    ) throws -> [StorageFinding] {
        let place = listed.place
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
            } else if name.hasPrefix(StorageRouter.schemaPrefix) {
                let key = String(name.dropFirst(StorageRouter.schemaPrefix.count))
                if !known.accountFor(key, in: place) {
                    findings.append(StorageFinding(.orphanedRecord, place: "schema versions, \(place.auditText)", name: key))
                }
            } else if name == BelievableDefaults.witness {
                continue
            } else if name.hasPrefix(KeyRules.reservedPrefix) {
                findings.append(StorageFinding(.unknown, place: place.auditText, name: name))
            } else if case .data(let data)? = value, isEnvelope(data) {
                findings.append(StorageFinding(.orphanedValue, place: place.auditText, name: name, byteCount: data.count))
            } else {
                findings.append(StorageFinding(listed.foreignKind, place: place.auditText, name: name))
            }
        }
        return findings
    }
}
