import Foundation
import LocalData
import Synchronization

/// Another file system, with its calls counted that a durable write is made of. It can leave out what makes bytes durable: then a table shows what the
/// processor does, and not how long this machine's disk takes.
final class CountingFileSystem: FileSystem {
    struct Counts {
        var files = 0
        var fileSynchronizations = 0
        var renames = 0
        var directorySynchronizations = 0
    }

    private let base: any FileSystem
    private let synchronizes: Bool
    private let state = Mutex(Counts())

    init(_ base: any FileSystem, synchronizes: Bool = true) {
        self.base = base
        self.synchronizes = synchronizes
    }

    /// The counts since they were taken last.
    func take() -> Counts {
        state.withLock { counts in
            defer { counts = Counts() }
            return counts
        }
    }

    func createFile(at path: String, protection: FileProtection) throws -> any WritableFile {
        state.withLock { $0.files += 1 }
        return File(base: try base.createFile(at: path, protection: protection), system: self)
    }

    func rename(_ source: String, to destination: String) throws {
        state.withLock { $0.renames += 1 }
        try base.rename(source, to: destination)
    }

    func rename(_ source: String, toNew destination: String) throws {
        state.withLock { $0.renames += 1 }
        try base.rename(source, toNew: destination)
    }

    func synchronizeDirectory(at path: String) throws {
        state.withLock { $0.directorySynchronizations += 1 }
        if synchronizes { try base.synchronizeDirectory(at: path) }
    }

    func path(of directory: ContainerDirectory) throws -> String { try base.path(of: directory) }
    func contents(of path: String) throws -> Data { try base.contents(of: path) }
    func contents(of path: String, upTo count: Int) throws -> Data { try base.contents(of: path, upTo: count) }
    func removeFile(at path: String) throws { try base.removeFile(at: path) }
    func createDirectory(at path: String) throws { try base.createDirectory(at: path) }
    func list(_ path: String) throws -> [String] { try base.list(path) }
    func attributes(of path: String) throws -> FileAttributes? { try base.attributes(of: path) }
    func canonicalDirectory(at path: String) throws -> CanonicalDirectory { try base.canonicalDirectory(at: path) }
    func setExcludedFromBackup(_ excluded: Bool, at path: String) throws { try base.setExcludedFromBackup(excluded, at: path) }
    func extendedAttribute(_ name: String, of path: String) throws -> Data? { try base.extendedAttribute(name, of: path) }

    private struct File: WritableFile {
        let base: any WritableFile
        let system: CountingFileSystem

        func write(_ data: Data) throws { try base.write(data) }
        func close() throws { try base.close() }
        func setExtendedAttribute(_ data: Data, named name: String) throws { try base.setExtendedAttribute(data, named: name) }

        func synchronize() throws {
            system.state.withLock { $0.fileSynchronizations += 1 }
            if system.synchronizes { try base.synchronize() }
        }
    }
}
