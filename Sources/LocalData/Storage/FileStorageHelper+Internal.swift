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
        let directory = try containerPath(.applicationSupport) + "/\(Self.internalFolder)/\(folder)"
        return try mapped {
            do {
                let names = try environment.fileSystem.list(directory)
                guard names.contains(where: TemporaryFile.isName) else { return names }
                directories.collectLeftovers(in: FilePath(directory: directory, name: ""))
                return names.filter { !TemporaryFile.isName($0) }
            } catch let error as FileSystemError where error.errno == ENOENT {
                return []
            }
        }
    }

    private nonisolated func internalPlace(of name: String) throws -> FilePath {
        let path = try "\(containerPath(.applicationSupport))/\(Self.internalFolder)/\(name)"
        let directory = FilePath.parent(of: path)
        return FilePath(directory: directory, name: String(decoding: path.utf8.dropFirst(directory.utf8.count + 1), as: UTF8.self))
    }
}
