import Foundation

/// LocalData's own small files, under `LocalData` in the application support directory: the sync ledger, marks of migrations.
///
/// They can be read from the first unlock on. Names are relative paths such as `Sync/device.json`; callers make them, apps do not.
extension FileStorageHelper {
    static let internalFolder = "LocalData"

    /// Writes a file as durably as ``write(_:to:in:group:protection:)`` does.
    nonisolated func writeInternal(_ data: Data, name: String) throws {
        try write(data, to: internalPlace(of: name), protection: .completeUntilFirstUserAuthentication)
    }

    /// The bytes of a file, or `nil` on verified absence.
    nonisolated func readInternal(name: String) throws -> Data? {
        try contents(of: internalPlace(of: name))
    }

    /// Makes durable what is visible under a name, be it left by a process that died before that.
    nonisolated func settleInternal(name: String) throws {
        try settle(internalPlace(of: name))
    }

    nonisolated func removeInternal(name: String) throws {
        try remove(internalPlace(of: name))
    }

    /// Keeps the folder of an internal file out of backups, durably, also before the file is there.
    nonisolated func excludeInternalFolderFromBackup(of name: String) throws {
        let place = try internalPlace(of: name)
        try mapped {
            try directories.prepareForWriting(place)
            try environment.fileSystem.setExcludedFromBackup(true, at: place.directory)
            try environment.fileSystem.synchronizeDirectory(at: FilePath.parent(of: place.directory))
        }
    }

    /// The names of the files in a folder, sorted by their UTF-8 bytes. Empty where there is no such folder. What crashed writes left there goes: this may
    /// be all the use that the folder gets.
    nonisolated func listInternal(_ folder: String) throws -> [String] {
        try mapped { try names(in: internalFolder(folder)) ?? [] }
    }

    /// As ``listInternal(_:)``, and what is not among the names stays away: a file that an earlier process removed, and died before that was durable, would be back
    /// after a power loss.
    nonisolated func listInternalDurably(_ folder: String) throws -> [String] {
        let directory = try internalFolder(folder)
        return try mapped {
            guard let names = try names(in: directory) else { return [] }
            try environment.fileSystem.synchronizeDirectory(at: directory)
            return names
        }
    }

    /// `nil` where there is no such folder.
    private nonisolated func names(in directory: String) throws -> [String]? {
        do {
            let names = try environment.fileSystem.list(directory)
            guard names.contains(where: TemporaryFile.isName) else { return names }
            directories.collectLeftovers(in: FilePath(directory: directory, name: ""))
            return names.filter { !TemporaryFile.isName($0) }
        } catch let error as FileSystemError where error.errno == ENOENT {
            return nil
        }
    }

    private nonisolated func internalFolder(_ folder: String) throws -> String {
        try containerPath(.applicationSupport) + "/\(Self.internalFolder)/\(folder)"
    }

    private nonisolated func internalPlace(of name: String) throws -> FilePath {
        FilePath(path: try containerPath(.applicationSupport) + "/\(Self.internalFolder)/" + name)
    }
}

/// Where directories really are, whatever name they are reached by.
extension FileStorageHelper {
    nonisolated func canonicalDirectory(at path: String) throws -> CanonicalDirectory {
        try mapped { try environment.fileSystem.canonicalDirectory(at: path) }
    }

    /// LocalData's own files are no place for values, by whatever name their folder is reached.
    nonisolated func requireNotInternal(_ path: String) throws {
        let internals = try containerPath(.applicationSupport) + "/" + Self.internalFolder
        guard try canonicalDirectory(at: path).isInside(canonicalDirectory(at: internals)) else { return }
        throw StorageError(.invalidKey, facts: ["the custom directory is LocalData's own"])
    }

    /// What is in a group's container is written by every app of the group. A link in it must not lead this app out of it, to files that are its own.
    nonisolated func requireInGroup(_ path: String, container: String, group: String, isCustom: Bool) throws {
        guard try !canonicalDirectory(at: path).isInside(canonicalDirectory(at: container)) else { return }
        let what = isCustom ? "the custom directory is not" : "a link leads its directory out of where it should be:"
        throw StorageError(isCustom ? .invalidKey : .accessDenied, facts: ["\(what) in the container of the App Group '\(group)'"])
    }

    /// Where the files of a domain lie, and how its volume compares names; `nil` of a domain without files.
    nonisolated func realDirectory(of domain: StorageDomain) throws -> CanonicalDirectory? {
        guard let directory = domain.directory else { return nil }
        let group: String? = if case .appGroupFileSystem(let identifier, _) = domain { identifier } else { nil }
        return try canonicalDirectory(at: directoryPath(directory, group: group))
    }

    /// The file of a key, by a name that all keys of that file have: its real directory, and its name as the volume compares names.
    nonisolated func physicalName(of key: String, in domain: StorageDomain) throws -> String? {
        guard let place = try realDirectory(of: domain) else { return nil }
        let path = "\(place.path)/\(key)"
        return place.isCaseSensitive ? path : FileNames.folded(path)
    }

    /// The name of the file that is there for a key, where that is spelled otherwise: on a volume to which both are one name.
    nonisolated func otherSpelling(of key: String, in domain: StorageDomain) throws -> String? {
        guard let place = try realDirectory(of: domain) else { return nil }
        guard !place.isCaseSensitive else { return nil }
        let names: [String]
        do {
            names = try environment.fileSystem.list(place.path)
        } catch let error as FileSystemError where error.errno == ENOENT {
            return nil
        }
        guard !names.contains(where: { $0.utf8.elementsEqual(key.utf8) }) else { return nil }
        let folded = FileNames.folded(key)
        return names.filter { FileNames.folded($0) == folded }.min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Whether one file is stored for two keys now.
    nonisolated func isOneFile(_ first: any StorageKey, _ second: any StorageKey) throws -> Bool {
        guard case .file = first.place, case .file = second.place, let found = try attributes(of: place(of: first)),
            let other = try attributes(of: place(of: second))
        else { return false }
        if let identity = found.identity, let otherIdentity = other.identity { return identity == otherIdentity }
        return try physicalName(of: first.name, in: first.domain) == physicalName(of: second.name, in: second.domain)
    }
}

extension CanonicalDirectory {
    /// Whether this directory is `other`, or lies below it. By bytes: a name can begin with a mark that joins the slash before it.
    func isInside(_ other: CanonicalDirectory) -> Bool {
        let folds = !isCaseSensitive || !other.isCaseSensitive
        let (own, above) = folds ? (FileNames.folded(path), FileNames.folded(other.path)) : (path, other.path)
        guard own.begins(withBytesOf: above) else { return false }
        return own.utf8.count == above.utf8.count || above == "/" || own.utf8.dropFirst(above.utf8.count).first == UInt8(ascii: "/")
    }
}

/// How volumes that ignore case compare names.
enum FileNames {
    /// Equal for names that are one on some volume: they differ in case, or in how their marks are composed.
    static func folded(_ name: String) -> String {
        name.utf8.allSatisfy { $0 < 0x80 } ? name.lowercased() : name.decomposedStringWithCanonicalMapping.lowercased()
    }
}
