import Foundation

@testable import LocalData

/// One count of all storage operations that change something, over files, defaults and keychain, and the one before which the process dies.
///
/// From then on every operation fails and changes nothing, as for a process that is gone.
final class CrashPoint: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    private var limit: Int?

    /// The process dies before the n-th operation from now; `nil`: it lives.
    func arm(before operation: Int?) {
        lock.withLock {
            count = 0
            limit = operation
        }
    }

    /// How many operations there were since the last ``arm(before:)``, those that failed included.
    var operations: Int { lock.withLock { count } }

    func pass(_ operation: String, _ path: String) throws {
        try lock.withLock {
            count += 1
            if let limit, limit <= count { throw FileSystemError(errno: EIO, operation: operation, path: path) }
        }
    }
}

extension TestDevice {
    /// The device as a process sees it that dies at the crash point.
    func environment(cutAt crash: CrashPoint) -> StorageEnvironment {
        var environment = environment
        environment.fileSystem = CrashableFileSystem(base: files, crash: crash)
        environment.defaults = CrashableDefaults(base: defaults, crash: crash)
        environment.keychain = CrashableKeychain(base: keychain, crash: crash)
        return environment
    }
}

private struct CrashableFileSystem: FileSystem {
    let base: any FileSystem
    let crash: CrashPoint

    struct File: WritableFile {
        let base: any WritableFile
        let crash: CrashPoint
        let path: String

        func write(_ data: Data) throws {
            try crash.pass("write", path)
            try base.write(data)
        }

        func synchronize() throws {
            try crash.pass("fsync", path)
            try base.synchronize()
        }

        func close() throws { try base.close() }

        func setExtendedAttribute(_ data: Data, named name: String) throws {
            try crash.pass("setxattr", path)
            try base.setExtendedAttribute(data, named: name)
        }
    }

    func createFile(at path: String, protection: FileProtection) throws -> any WritableFile {
        try crash.pass("open", path)
        return File(base: try base.createFile(at: path, protection: protection), crash: crash, path: path)
    }

    func rename(_ source: String, to destination: String) throws {
        try crash.pass("rename", destination)
        try base.rename(source, to: destination)
    }

    func rename(_ source: String, toNew destination: String) throws {
        try crash.pass("rename", destination)
        try base.rename(source, toNew: destination)
    }

    func removeFile(at path: String) throws {
        try crash.pass("unlink", path)
        try base.removeFile(at: path)
    }

    func synchronizeDirectory(at path: String) throws {
        try crash.pass("fsync directory", path)
        try base.synchronizeDirectory(at: path)
    }

    func createDirectory(at path: String) throws {
        try crash.pass("mkdir", path)
        try base.createDirectory(at: path)
    }

    func extendedAttribute(_ name: String, of path: String) throws -> Data? { try base.extendedAttribute(name, of: path) }
    func path(of directory: ContainerDirectory) throws -> String { try base.path(of: directory) }
    func contents(of path: String) throws -> Data { try base.contents(of: path) }
    func contents(of path: String, upTo count: Int) throws -> Data { try base.contents(of: path, upTo: count) }
    func list(_ path: String) throws -> [String] { try base.list(path) }
    func attributes(of path: String) throws -> FileAttributes? { try base.attributes(of: path) }
    func canonicalDirectory(at path: String) throws -> CanonicalDirectory { try base.canonicalDirectory(at: path) }
    func setExcludedFromBackup(_ excluded: Bool, at path: String) throws { try base.setExcludedFromBackup(excluded, at: path) }
}

private struct CrashableDefaults: DefaultsStore {
    let base: any DefaultsStore
    let crash: CrashPoint

    func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
        try crash.pass("set", key)
        try base.set(value, forKey: key, in: suite)
    }

    func isReadable(_ suite: DefaultsSuite) -> Bool { base.isReadable(suite) }
    func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? { try base.value(forKey: key, in: suite) }
    func keys(in suite: DefaultsSuite) throws -> [String] { try base.keys(in: suite) }
    func synchronize(_ suite: DefaultsSuite) throws { try base.synchronize(suite) }
}

private struct CrashableKeychain: KeychainStore {
    let base: any KeychainStore
    let crash: CrashPoint

    private func attempt(_ operation: String, _ body: () -> KeychainStatus) -> KeychainStatus {
        do {
            try crash.pass(operation, "keychain")
            return body()
        } catch {
            return .inputOutput
        }
    }

    func add(_ item: KeychainItem) -> KeychainStatus { attempt("add") { base.add(item) } }
    func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
        attempt("update") { base.update(query, to: change) }
    }
    func delete(_ query: KeychainQuery) -> KeychainStatus { attempt("delete") { base.delete(query) } }
    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) { base.copyMatching(query) }
    var ownAccessGroup: String? { base.ownAccessGroup }
}
