import Foundation

/// Where an audit looks: wherever registered keys and their sources lie, wherever LocalData noted that it kept values (``PlaceRecord``), and in what can be
/// listed without knowing a name: Documents and Library/Caches, the app's own preferences, and all of its keychain items.
///
/// Folders below those, and application support, are searched for LocalData's envelopes and temporary files only: what else lies there says nothing.
/// An App Group or a suite that only an earlier version of LocalData used, which noted no places, and of which no key is left, cannot be found.
extension DeviceAudit {
    /// A place to list.
    struct ListedPlace {
        let place: AuditPlace
        /// Whether LocalData kept values there and no registered key lies there any more.
        var isAbandoned = false

        /// What is said of something that is not LocalData's for certain.
        var foreignKind: StorageFinding.Kind { isAbandoned ? .abandoned : .unclaimed }
    }

    /// The places to list, each once, in a fixed order.
    func places(besides known: KnownKeys) -> [ListedPlace] {
        let always: Set<AuditPlace> = [
            .suite(.standard), .service(nil), .directory(.documents, group: nil), .directory(.caches, group: nil),
        ]
        var identities: Set<String> = []
        // Of two spellings of a place the plain one is told.
        let spelled = always.union(known.places).map { (place: $0, rank: always.contains($0) ? 0 : 1, text: sortText($0)) }
            .sorted { ($0.rank, $0.text) < ($1.rank, $1.text) }
        var listed = spelled.filter { identities.insert(identity($0.place)).inserted }
            .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }.map { ListedPlace(place: $0.place) }
        // A list that cannot be read is told by `internalFiles`.
        for place in (try? engine.places.places()) ?? [] where identities.insert(identity(place)).inserted {
            listed.append(ListedPlace(place: place, isAbandoned: true))
        }
        return listed
    }

    func knownKeys(of entries: [CatalogRegistry.Entry]) -> KnownKeys {
        KnownKeys(entries, in: environment, identity: identity)
    }

    /// The same for two spellings of one place, be it by a link.
    private func identity(_ place: AuditPlace) -> String {
        switch place {
        case .directory(let directory, let group):
            (try? engine.files.canonicalDirectory(at: engine.files.directoryPath(directory, group: group)).path).map { "directory \($0)" }
                ?? sortText(place)
        case .service(let service): "service \(service ?? environment.device.bundleIdentifier)"
        case .suite(.named(environment.device.bundleIdentifier)): AuditPlace.suite(.standard).spelling
        case .suite: place.spelling
        }
    }

    private func sortText(_ place: AuditPlace) -> String { "\(place.auditText)\n\(place.spelling)" }

    // MARK: Services of keys that are gone

    /// Items of services that were not listed. LocalData's own service is not among them.
    mutating func otherServices(besides listed: [ListedPlace]) -> [StorageFinding] {
        let own = environment.device.bundleIdentifier
        let seen = Set(
            listed.compactMap { listed -> String? in
                guard case .service(let service) = listed.place else { return nil }
                return service ?? own
            } + [MasterKeyRing.service])
        let query = KeychainQuery(returnsData: false, matchesAll: true, allowsInteraction: false)
        let (status, items) = environment.keychain.copyMatching(query)
        switch status {
        case .success: break
        case .itemNotFound: return []
        default:
            hasSeenEverything = false
            let code = status.storageError(lockState: environment.device.lockState, stores: false)
            return [StorageFinding(.unreadable, place: "keychain, other services", error: code)]
        }
        let others = items.filter { !seen.contains($0.service) && !MasterKeyRing.isService($0.service) }
        let services = Dictionary(grouping: others, by: \.service)
        return services.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.flatMap { service in
            self.items(services[service] ?? [], service, ListedPlace(place: .service(service)), besides: nil)
        }
    }

    // MARK: Folders of keys that are gone

    /// More are not searched: an app may keep a hundred thousand pictures.
    private static let maximumSearchedCount = 10_000
    private static let maximumDepth = 16

    /// Envelopes and temporary files in folders that were not listed.
    mutating func subfolders(besides listed: [ListedPlace]) -> [StorageFinding] {
        #if os(macOS)
            // Outside a sandbox these folders are the person's own. So it stays unknown what lies in them.
            hasSeenEverything = false
            return []
        #else
            var search = FolderSearch(room: Self.maximumSearchedCount)
            for listed in listed {
                guard case .directory(let directory, let group) = listed.place,
                    let path = try? engine.files.directoryPath(directory, group: group)
                else { continue }
                search.passedOver.insert(path)
            }
            for root in [ContainerDirectory.documents, .caches, .applicationSupport] {
                guard let path = try? engine.files.containerPath(root) else { continue }
                if root == .applicationSupport { search.passedOver.insert("\(path)/\(FileStorageHelper.internalFolder)") }
                searchFolder(path, "", of: root, depth: 0, &search)
                search.tellOfUnread(in: root)
            }
            if search.room < 0 {
                hasSeenEverything = false
                search.findings.append(
                    StorageFinding(.unreadable, place: "folders below", name: "more than \(Self.maximumSearchedCount) files"))
            }
            return search.findings
        #endif
    }

    private struct FolderSearch {
        var room: Int
        /// Their own files are listed, or explained otherwise.
        var passedOver: Set<String> = []
        var findings: [StorageFinding] = []
        /// Files that may be values, and could not be read: an app may keep a thousand pictures that open only on an unlocked device.
        private var unread: (first: String, error: StorageError.Code, count: Int)?

        init(room: Int) { self.room = room }

        mutating func note(unread name: String, _ error: any Error) {
            unread = (unread?.first ?? name, unread?.error ?? SyncLedger.storageError(error).code, (unread?.count ?? 0) + 1)
        }

        mutating func tellOfUnread(in root: ContainerDirectory) {
            guard let unread else { return }
            let name = unread.count == 1 ? unread.first : "\(unread.first) and \(unread.count - 1) more"
            findings.append(StorageFinding(.unreadable, place: root.auditText, name: name, error: unread.error))
            self.unread = nil
        }
    }

    private mutating func searchFolder(
        _ path: String, _ relative: String, of root: ContainerDirectory, depth: Int, _ search: inout FolderSearch
    ) {
        let isListed = search.passedOver.contains(path)
        guard depth <= Self.maximumDepth else {
            hasSeenEverything = false
            let name = "\(relative), more than \(Self.maximumDepth) folders deep"
            return search.findings.append(StorageFinding(.unreadable, place: root.auditText, name: name))
        }
        let names: [String]
        do {
            names = try self.names(in: path)
        } catch {
            hasSeenEverything = false
            // Of a listed one its own listing has told.
            guard !isListed else { return }
            let code = SyncLedger.storageError(error).code
            return search.findings.append(StorageFinding(.unreadable, place: root.auditText, name: relative, error: code))
        }
        for name in names {
            guard search.room >= 0 else { return }
            let (path, relative) = ("\(path)/\(name)", relative.isEmpty ? name : "\(relative)/\(name)")
            do {
                guard let attributes = try engine.files.mapped({ try environment.fileSystem.attributes(of: path) }) else { continue }
                if attributes.isDirectory {
                    let isOwn = root == .applicationSupport && relative == FileStorageHelper.internalFolder
                    if !isOwn { searchFolder(path, relative, of: root, depth: depth + 1, &search) }
                } else if !isListed {
                    search.room -= 1
                    let kind: StorageFinding.Kind? =
                        if TemporaryFile.isName(name) { .leftover } else {
                            try isEnvelope(at: path, size: attributes.size) ? .orphanedValue : nil
                        }
                    if let kind {
                        search.findings.append(StorageFinding(kind, place: root.auditText, name: relative, byteCount: attributes.size))
                    }
                }
            } catch {
                // What was removed meanwhile is not there.
                guard SyncLedger.storageError(error).code != .notFound else { continue }
                hasSeenEverything = false
                search.note(unread: relative, error)
            }
        }
    }
}

extension ContainerDirectory {
    fileprivate var auditText: String {
        switch self {
        case .documents: StorageDomain.fileSystem(directory: .documents).auditText
        case .caches: StorageDomain.fileSystem(directory: .caches).auditText
        default: "application support"
        }
    }
}

/// LocalData's own folder: every file in it has to be explained.
extension DeviceAudit {
    private static let place = "LocalData's folder"

    func internalFiles(besides known: KnownKeys) -> [StorageFinding] {
        do {
            let root = try engine.files.containerPath(.applicationSupport) + "/" + FileStorageHelper.internalFolder
            return try findings(in: root, at: "", besides: known)
        } catch {
            return [StorageFinding(.unreadable, place: Self.place, error: SyncLedger.storageError(error).code)]
        }
    }

    private func findings(in root: String, at folder: String, besides known: KnownKeys) throws -> [StorageFinding] {
        var findings: [StorageFinding] = []
        let listed: [String]
        do {
            listed = try environment.fileSystem.list(root + folder)
        } catch let error as FileSystemError where error.errno == ENOENT {
            return []
        }
        for name in listed {
            let path = folder + "/" + name
            guard let attributes = try environment.fileSystem.attributes(of: root + path) else { continue }
            if attributes.isLink {
                findings.append(StorageFinding(.unclaimed, place: Self.place, name: String(path.dropFirst())))
            } else if attributes.isDirectory {
                findings += try self.findings(in: root, at: path, besides: known)
            } else if TemporaryFile.isName(name) {
                findings.append(StorageFinding(.leftover, place: Self.place, name: String(path.dropFirst()), byteCount: attributes.size))
            } else {
                findings += try engine.files.mapped {
                    explanation(of: String(path.dropFirst()), try environment.fileSystem.contents(of: root + path), besides: known)
                }
            }
        }
        return findings
    }

    /// What there is to say of a file, by its path within the folder: nothing, if a registered key or LocalData itself needs it.
    private func explanation(of path: String, _ data: Data, besides known: KnownKeys) -> [StorageFinding] {
        func finding(_ kind: StorageFinding.Kind, _ place: String, _ name: String) -> StorageFinding {
            StorageFinding(kind, place: place, name: name, byteCount: data.count)
        }
        if path.hasPrefix(SyncLedgerStore.recordFolder + "/") {
            guard let name = SyncRecord.keyName(in: data) else { return [finding(.damaged, "sync ledger", path)] }
            return known.include(name) ? [] : [finding(.orphanedRecord, "sync ledger", name)]
        }
        if path == SyncLedgerStore.installationFile {
            return (try? SyncInstallation(encoded: data)) == nil ? [finding(.damaged, "sync ledger", path)] : []
        }
        if path == BelievableDefaults.unlockFile { return [] }
        if path == SyncLedgerStore.overridesFile {
            guard let policies = try? SyncPolicyChoices(encoded: data).names else { return [finding(.damaged, "sync policies", path)] }
            return policies.keys.filter { !known.include($0) }.sorted().map {
                StorageFinding(.orphanedPolicy, place: "sync policies", name: $0)
            }
        }
        if path == UnneededKeys.file {
            return UnneededKeyNotes(encoded: data) == nil ? [finding(.damaged, "master keys", path)] : []
        }
        if path == PlaceRecord.file {
            return PlaceRecord.isList(data) ? [] : [finding(.damaged, Self.place, path)]
        }
        if path.hasPrefix(MigrationMark.folder(of: .removed) + "/") {
            guard let mark = try? Coders.jsonDecoder.decode(MarkedLocation.self, from: data) else {
                return [finding(.damaged, "migration marks", path)]
            }
            // A mark that says where a value went lies at its old place, which no key names any more.
            return known.include(location: mark.location) || mark.destination.map(known.include(location:)) == true
                ? [] : [finding(.orphanedMark, "migration marks", mark.location)]
        }
        return [finding(.unknown, Self.place, path)]
    }
}

/// What every migration mark says, whatever else it does.
private struct MarkedLocation: Decodable {
    let location: String
    let destination: String?
}
