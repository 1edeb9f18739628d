import Foundation

/// The audit of what is actually on the device.
extension StorageRouter {
    /// The report on the registered keys, with what lies on this device: which values are missing, present or unreadable, where a migration left a copy
    /// behind, and what lies beside them without a key. It reads no more of the values than their size, asks nobody to authenticate, and changes nothing.
    public func auditReport() async -> StorageAuditReport {
        let entries = catalogs.entries
        var report = StorageAuditReport(for: self)
        for index in report.items.indices {
            let key: any StorageKey = entries[index].key?.base ?? DescribedKey(descriptor: report.items[index].key)
            report.items[index].presence = report.items[index].key.isPlaceholder ? .notApplicable : await presence(of: key)
            report.items[index].legacyCopies = await legacyCopies(of: key)
        }
        report.orphans = orphans(beside: report.items.map(\.key))
        return report
    }

    private func presence(of key: any StorageKey) async -> StoragePresence {
        guard key.availability.isAvailable(on: environment.device.role) else { return .notApplicable }
        do {
            return try await withExclusiveAccess(to: location(of: key)) {
                if key.security.asksPerson, case .keychain(let service) = key.domain {
                    return try self.keychain.syncTag(service: service, account: key.name) == nil ? .missing : .present(byteCount: nil)
                }
                switch try await self.storedForm(of: key) {
                case nil: return .missing
                case .bytes(let data)?, .propertyList(.data(let data))?: return .present(byteCount: data.count)
                case .propertyList(let value)?: return .present(byteCount: value.canonicalBytes.count)
                }
            }
        } catch {
            return .unreadable(SyncLedger.storageError(error).code)
        }
    }

    private func legacyCopies(of key: any StorageKey) async -> [String] {
        let sources = key.migration?.base.sourceKeys ?? []
        var copies: [String] = []
        for source in sources {
            let place = "\(source.name), \(source.domain.auditText)"
            switch await presence(of: source.base) {
            case .present: copies.append(place)
            case .unreadable(let code): copies.append("\(place), unreadable: \(code.rawValue)")
            case .missing, .notApplicable: break
            }
        }
        return copies
    }

    // MARK: What has no key

    /// Looks where the registered keys lie: in their directories, keychain services and the sync ledger. What else is in a suite is mostly the system's.
    private nonisolated func orphans(beside keys: [StorageKeyDescriptor]) -> [String] {
        let patterns = keys.compactMap { KeyNamePattern($0.name) }
        func isKnown(_ name: String, _ known: Set<String>) -> Bool { known.contains(name) || patterns.contains { $0.matches(name) } }
        var found: Set<String> = []
        for (place, members) in Dictionary(grouping: keys, by: { AuditPlace(of: $0.domain) }) {
            let known = Set(members.map(\.name))
            guard let place, let names = try? names(in: place) else { continue }
            for name in names where !isKnown(name, known) { found.insert("\(name), \(place.auditText)") }
        }
        let all = Set(keys.map(\.name))
        for name in ledgerNames(of: keys) where !isKnown(name, all) { found.insert("\(name), sync ledger") }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private nonisolated func names(in place: AuditPlace) throws -> [String] {
        switch place {
        case .directory(let directory, let group): return try files.list(files.directoryPath(directory, group: group))
        case .service(let service):
            let query = KeychainQuery(
                service: service ?? environment.device.bundleIdentifier, returnsData: false, matchesAll: true, allowsInteraction: false)
            return environment.keychain.copyMatching(query).items.map(\.account)
        }
    }

    /// The names that the ledger has records of: in internal files, and in the suites that the keys lie in.
    private nonisolated func ledgerNames(of keys: [StorageKeyDescriptor]) -> [String] {
        let recordFiles = (try? files.listInternal(SyncLedgerStore.recordFolder)) ?? []
        let inFiles = recordFiles.compactMap { file -> String? in
            guard let data = try? files.readInternal(name: "\(SyncLedgerStore.recordFolder)/\(file)") else { return nil }
            return SyncRecord.keyName(in: data) ?? "a damaged record (\(file))"
        }
        let prefix = SyncLedgerStore.defaultsPrefix
        let inSuites = Set(keys.compactMap(\.domain.defaultsSuite)).flatMap { suite in
            ((try? environment.defaults.keys(in: suite)) ?? []).filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        }
        return inFiles + inSuites
    }
}

/// A place that holds values of several keys and can be listed.
private enum AuditPlace: Hashable {
    case directory(FileDirectory, group: String?)
    case service(String?)

    init?(of domain: StorageDomain) {
        switch domain {
        case .fileSystem(let directory), .encryptedFileSystem(let directory): self = .directory(directory, group: nil)
        case .appGroupFileSystem(let group, let directory): self = .directory(directory, group: group)
        case .keychain(let service): self = .service(service)
        case .userDefaults, .appGroupUserDefaults: return nil
        }
    }

    var auditText: String {
        switch self {
        case .directory(let directory, nil): StorageDomain.fileSystem(directory: directory).auditText
        case .directory(let directory, let group?): StorageDomain.appGroupFileSystem(identifier: group, directory: directory).auditText
        case .service(let service): StorageDomain.keychain(service: service).auditText
        }
    }
}

/// Stands in for a key that a catalog only describes.
private struct DescribedKey: StorageKey {
    typealias Value = Data

    let descriptor: StorageKeyDescriptor

    var name: String { descriptor.name }
    var domain: StorageDomain { descriptor.domain }
    var security: SecurityPolicy { descriptor.security }
    var owner: String { descriptor.owner }
    var availability: PlatformAvailability { descriptor.availability }
}
