import Foundation

/// One look at a device. Every value is looked at in its key's turn.
struct DeviceAudit {
    let engine: AuditEngine
    let opensValues: Bool
    /// The master keys that sealed what was found.
    var masterKeysInUse: Set<String> = []
    /// Whether something could not be read that may be sealed.
    var hasSeenEverything = true
    /// Whether something sealed lies in preferences that no registered key has there.
    var hasSealedPreferences = false
    /// What could not be looked into while places were listed.
    var unread: [StorageFinding] = []

    var environment: StorageEnvironment { engine.environment }

    mutating func report() async -> StorageAuditReport {
        let entries = engine.catalogs.entries
        var stranded: [StorageFinding] = []
        let isTold = tellsOfSources(of: entries)
        var report = StorageAuditReport(catalogs: engine.catalogs, ledger: engine.ledger)
        for index in report.items.indices {
            let key: any StorageKey = entries[index].key?.base ?? DescribedKey(report.items[index].key)
            if report.items[index].key.isPlaceholder {
                report.items[index].presence = .notApplicable
                report.items[index].differences = await differences(ofKind: entries[index])
                continue
            }
            guard key.availability.isAvailable(on: environment.device.role) else {
                report.items[index].presence = .notApplicable
                if !isTold(key) { stranded += await strandedValue(of: key) }
                var visited: Set<String> = []
                report.items[index].legacyCopies = await legacyCopies(of: key, .notApplicable, &visited)
                continue
            }
            let look = await noted(key, isDescribed: entries[index].key == nil)
            let presence = look.presence
            report.items[index].presence = presence
            report.items[index].differences = look.differences
            var visited: Set<String> = []
            report.items[index].legacyCopies = await legacyCopies(of: key, presence, &visited)
        }
        report.findings = await (findings(besides: knownKeys(of: entries)) + stranded).sorted(by: StorageFinding.isBefore)
        return report
    }

    // MARK: Values

    /// Looks, and notes what the value needs.
    private mutating func noted(_ key: any StorageKey, isDescribed: Bool) async -> Look {
        let look = await look(at: key, isDescribed: isDescribed)
        if let id = look.masterKey { masterKeysInUse.insert(id) }
        if case .unreadable = look.presence, key.acceptedPolicies.acceptsSealed || key.domain.isKeychain { hasSeenEverything = false }
        return look
    }

    /// Whether a key's place is one that a key of this device, or its migration, reads: then its item tells what lies there.
    private func tellsOfSources(of entries: [CatalogRegistry.Entry]) -> (any StorageKey) -> Bool {
        var told: Set<String> = []
        var due = entries.filter { $0.descriptor.availability.isAvailable(on: environment.device.role) }.compactMap(\.key?.base)
        while let key = due.popLast() {
            guard let place = try? engine.stored.location(of: key).resolved(in: environment), told.insert(place).inserted else { continue }
            due += key.migration?.base.sourceKeys.map(\.base) ?? []
        }
        return { key in
            if (try? engine.moves.isInUse(key)) == true { return true }
            return (try? engine.stored.location(of: key).resolved(in: environment)).map(told.contains) ?? false
        }
    }

    /// What lies at the place of a key that does not exist on this device: an earlier version of the app had it here, and nothing reads or removes it.
    private mutating func strandedValue(of key: any StorageKey) async -> [StorageFinding] {
        let look = await noted(key, isDescribed: true)
        let place = key.domain.auditText
        switch look.presence {
        // A device without the group has no values of it.
        case .missing, .notApplicable, .unreadable(.unsupported): return []
        case .present(let byteCount): return [StorageFinding(.strandedValue, place: place, name: key.name, byteCount: byteCount)]
        case .damaged(let code): return [StorageFinding(.strandedValue, place: place, name: key.name, error: code)]
        case .unreadable(let code): return [StorageFinding(.unreadable, place: place, name: key.name, error: code)]
        }
    }

    private struct Look: Sendable {
        var presence: StoragePresence
        /// The master key that sealed the value, if one did.
        var masterKey: String?
        var differences: [SealingDifference] = []
    }

    private func look(at key: any StorageKey, isDescribed: Bool) async -> Look {
        var look = Look(presence: .missing)
        do {
            look = try await engine.turns.run(at: engine.stored.location(of: key)) {
                if key.security.asksPerson, case .keychain(let service) = key.domain {
                    // What was stored before the key asked for a person asks for none.
                    let unbound = try? self.engine.keychain.item(account: key.name, service: service, asksPerson: false)?.data
                    guard let unbound, Envelope.isClaimed(by: unbound) else {
                        let tag = try self.engine.keychain.syncTag(of: key, service: service)
                        return try self.boundLook(at: key, isThere: tag != nil, isDescribed: isDescribed)
                    }
                }
                guard let form = try await self.form(of: key) else {
                    if !isDescribed { try self.engine.moves.requireNotMovedAway(key, at: self.engine.stored.location(of: key)) }
                    return Look(presence: .missing)
                }
                var look = Look(presence: .present(byteCount: form.byteCount))
                if case .bytes(let bytes) = form, case .master(let id)? = (try? Envelope(parsing: bytes))?.header.keySource {
                    look.masterKey = id
                }
                // Of what cannot be judged its presence says why.
                look.differences = self.differences(of: form, of: key)
                if !isDescribed {
                    do {
                        try self.engine.stored.requireKnownSchema(key)
                    } catch {
                        look.presence = Self.presence(for: error)
                        return look
                    }
                }
                if self.opensValues {
                    do {
                        let plain = try await self.engine.stored.opened(form, of: key)
                        if !isDescribed { try key.requireDecodable(plain, width: environment.device.integerBitWidth) }
                    } catch {
                        look.presence = Self.presence(for: error)
                    }
                }
                return look
            }
        } catch {
            look.presence = Self.presence(for: error)
        }
        return look
    }

    private static func presence(for error: any Error) -> StoragePresence {
        let code = SyncLedger.storageError(error).code
        switch code {
        case .corrupt, .decryptionFailed, .wrongType, .undeclaredPolicy: return .damaged(code)
        default: return .unreadable(code)
        }
    }

    /// What can be told of a secret without the person that it is bound to.
    private func boundLook(at key: any StorageKey, isThere: Bool, isDescribed: Bool) throws -> Look {
        let differences = isThere ? itemDifferences(of: key) : []
        guard !isDescribed else { return Look(presence: isThere ? .present(byteCount: nil) : .missing, differences: differences) }
        guard isThere else {
            try engine.moves.requireNotMovedAway(key, at: engine.stored.location(of: key))
            return Look(presence: .missing)
        }
        do {
            try engine.stored.requireKnownSchema(key)
            return Look(presence: .present(byteCount: nil), differences: differences)
        } catch {
            return Look(presence: Self.presence(for: error))
        }
    }

    private func differences(of form: StoredForm, of key: any StorageKey) -> [SealingDifference] {
        let found = ((try? engine.stored.differences(of: form, of: key)) ?? []) + itemDifferences(of: key)
        return SealingDifference.allCases.filter(found.contains)
    }

    /// In what any value under a name of a listed kind is not as that declares.
    private func differences(ofKind kind: CatalogRegistry.Entry) async -> [SealingDifference] {
        var found: Set<SealingDifference> = []
        for key in engine.rotation.keys(of: kind) where found.count < SealingDifference.allCases.count {
            let seen = try? await engine.turns.run(at: engine.stored.location(of: key)) { [self] in
                try self.engine.stored.storedFront(of: key).map { self.differences(of: $0, of: key) } ?? self.itemDifferences(of: key)
            }
            found.formUnion(seen ?? itemDifferences(of: key))
        }
        return SealingDifference.allCases.filter(found.contains)
    }

    private func itemDifferences(of key: any StorageKey) -> [SealingDifference] {
        (try? engine.stored.isItemProtectedOtherwise(key)) == true ? [.protection] : []
    }

    /// As ``StorageRouter/storedForm(of:)``, but what crashed writes left in the key's directory stays.
    private func form(of key: any StorageKey) async throws -> StoredForm? {
        // The item of a key that asks nobody may be as an earlier version of the app left it.
        guard case .file = key.place else { return try await engine.stored.storedForm(of: key, asksPerson: false) }
        let place = try engine.files.place(of: key)
        guard try engine.files.attributes(of: place) != nil else { return nil }
        return try engine.files.mapped { .bytes(try environment.fileSystem.contents(of: place.path)) }
    }

    // MARK: What migrations left

    /// - Parameter isRemoved: Whether the value that they would become was removed: nothing fetches what is left of it.
    /// - Parameter visited: The keys whose sources were looked at: migrations may form circles.
    private mutating func legacyCopies(
        of key: any StorageKey, _ presence: StoragePresence, isRemoved: Bool = false, _ visited: inout Set<String>
    ) async -> [LegacyCopy] {
        guard let place = try? engine.stored.location(of: key).resolved(in: environment), visited.insert(place).inserted else { return [] }
        var copies: [LegacyCopy] = []
        let isRemoved = isRemoved || (try? engine.moves.isRetired(key, at: engine.stored.location(of: key))) == true
        for source in key.migration?.base.sourceKeys.map(\.base) ?? [] {
            // The value itself, under the name of an earlier version, is no copy. Nor is the value of a key that is in use.
            if (try? engine.stored.isOneFile(source, key)) == true || (try? engine.moves.isInUse(source, besides: key)) == true { continue }
            // Migrations fetch it whatever devices it was declared for.
            let found = await noted(source, isDescribed: true).presence
            let state: LegacyCopy.State? =
                switch (found, presence) {
                case (.missing, _), (.notApplicable, _): nil
                case (.unreadable(let code), _): .unreadable(code)
                case (.present, .missing) where !isRemoved, (.damaged, .missing) where !isRemoved: .waiting
                case (.present, _), (.damaged, _): .residual
                }
            if let state { copies.append(LegacyCopy(name: source.name, place: source.domain.auditText, state: state)) }
            // An older version may have left a copy at the source of the source.
            copies += await legacyCopies(of: source, presence == .missing ? found : presence, isRemoved: isRemoved, &visited)
        }
        return copies
    }
}

extension StoredForm {
    var byteCount: Int {
        switch self {
        case .bytes(let data), .propertyList(.data(let data)): data.count
        case .propertyList(let value): value.canonicalBytes.count
        }
    }
}

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
        return findings + unread + masterKeys()
    }

    private mutating func listing(of listed: ListedPlace, besides known: KnownKeys) throws -> [StorageFinding] {
        switch listed.place {
        case .directory(let directory, let group):
            return try files(in: engine.files.directoryPath(directory, group: group), listed, besides: known)
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
            guard let attributes = try engine.files.mapped({ try environment.fileSystem.attributes(of: path) }) else { continue }
            if TemporaryFile.isName(name) {
                findings.append(StorageFinding(.leftover, place: place.auditText, name: name, byteCount: attributes.size))
            } else if known.mayBeMade(name, in: place) {
                // What seals it is in use.
                if attributes.isFile { _ = mayBeEnvelope(at: path, size: attributes.size, name, in: place) }
            } else if !known.accountFor(name, in: place), !(attributes.isDirectory && name == FileStorageHelper.internalFolder) {
                let isSealed = !attributes.isDirectory && mayBeEnvelope(at: path, size: attributes.size, name, in: place)
                let kind: StorageFinding.Kind = isSealed ? .orphanedValue : listed.foreignKind
                findings.append(
                    StorageFinding(kind, place: place.auditText, name: name, byteCount: attributes.isDirectory ? nil : attributes.size))
            }
        }
        return findings
    }

    func names(in directory: String) throws -> [String] {
        try engine.files.mapped {
            do {
                return try environment.fileSystem.list(directory)
            } catch let error as FileSystemError where error.errno == ENOENT {
                return []
            }
        }
    }

    /// Reads no more of a file than tells what sealed it: somebody's video would be read in vain.
    mutating func isEnvelope(at path: String, size: Int) throws -> Bool {
        guard size > 0 else { return false }
        let front = try engine.files.mapped { try environment.fileSystem.contents(of: path, upTo: EnvelopeFormat.maximumHeaderLength) }
        return isEnvelope(front, of: size)
    }

    /// `false` also of what cannot be read, which then is told as something else, and as what could not be read.
    private mutating func mayBeEnvelope(at path: String, size: Int, _ name: String, in place: AuditPlace) -> Bool {
        do {
            return try isEnvelope(at: path, size: size)
        } catch {
            noteUnread(name, in: place, SyncLedger.storageError(error).code)
            return false
        }
    }

    private mutating func noteUnread(_ name: String, in place: AuditPlace, _ code: StorageError.Code) {
        hasSeenEverything = false
        unread.append(StorageFinding(.unreadable, place: place.auditText, name: name, error: code))
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
        for item in items {
            let mayBeMade = known?.mayBeMade(item.account, in: place) == true
            guard mayBeMade || known?.accountFor(item.account, in: place) != true else { continue }
            let isSealed: Bool
            do {
                isSealed =
                    try engine.keychain.item(account: item.account, service: service, asksPerson: false).map { isEnvelope($0.data) }
                    ?? false
            } catch {
                // An envelope is under no access control, so what would ask a person is none. Anything else may be one.
                let code = SyncLedger.storageError(error).code
                if code != .authenticationRequired, !engine.keychain.isNotedBound(account: item.account, service: service, accessGroup: nil)
                {
                    noteUnread(item.account, in: place, code)
                }
                isSealed = false
            }
            guard !mayBeMade else { continue }
            findings.append(StorageFinding(isSealed ? .orphanedValue : listed.foreignKind, place: place.auditText, name: item.account))
        }
        return findings
    }

    private func masterKeys() -> [StorageFinding] {
        let place = "master keys"
        do {
            guard hasSeenEverything else { return [] }
            let unneeded = try engine.rotation.oldKeys().filter { !masterKeysInUse.contains($0) }
            return try engine.rotation.settled(unneeded, mayBeInPreferences: hasSealedPreferences)
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
        let notes = [
            (prefix: StoredValues.schemaPrefix, what: "schema versions"), (prefix: ExtensionEdit.prefix, what: "edits of extensions"),
        ]
        guard environment.defaults.isReadable(suite) else { throw StorageError(.lockedBeforeFirstUnlock) }
        var findings: [StorageFinding] = []
        for name in try environment.defaults.keys(in: suite) {
            let mayBeMade = known.mayBeMade(name, in: place)
            guard mayBeMade || !known.accountFor(name, in: place) else { continue }
            let value = try environment.defaults.value(forKey: name, in: suite)
            if mayBeMade {
                if case .data(let data)? = value, isEnvelope(data) { hasSealedPreferences = true }
                continue
            }
            if name.hasPrefix(SyncLedgerStore.defaultsPrefix) {
                let key = String(name.dropFirst(SyncLedgerStore.defaultsPrefix.count))
                let isIntact = if case .string(let text)? = value { SyncRecord.keyName(in: Data(text.utf8)) == key } else { false }
                if !known.accountFor(key, in: place) {
                    findings.append(StorageFinding(.orphanedRecord, place: "sync ledger, \(place.auditText)", name: key))
                } else if !isIntact {
                    findings.append(StorageFinding(.damaged, place: "sync ledger, \(place.auditText)", name: key))
                }
            } else if let (prefix, what) = notes.first(where: { name.hasPrefix($0.prefix) }) {
                let key = String(name.dropFirst(prefix.count))
                if !known.accountFor(key, in: place) {
                    findings.append(StorageFinding(.orphanedRecord, place: "\(what), \(place.auditText)", name: key))
                }
            } else if [BelievableDefaults.witness, SyncLedgerStore.overridesEntry, UnneededKeys.mark].contains(name) {
                continue
            } else if name.hasPrefix(KeyRules.reservedPrefix) {
                findings.append(StorageFinding(.unknown, place: place.auditText, name: name))
            } else if case .data(let data)? = value, isEnvelope(data) {
                hasSealedPreferences = true
                findings.append(StorageFinding(.orphanedValue, place: place.auditText, name: name, byteCount: data.count))
            } else {
                findings.append(StorageFinding(listed.foreignKind, place: place.auditText, name: name))
            }
        }
        return findings
    }
}
