import Foundation

/// LocalData's own folder: every file in it has to be explained.
extension DeviceAudit {
    private static let place = "LocalData's folder"

    func internalFiles(besides known: KnownKeys) -> [StorageFinding] {
        do {
            let root = try router.files.containerPath(.applicationSupport) + "/" + FileStorageHelper.internalFolder
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
                findings += try router.files.mapped {
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
            return (try? PlaceRecord.decoded(data)) == nil ? [finding(.damaged, Self.place, path)] : []
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
