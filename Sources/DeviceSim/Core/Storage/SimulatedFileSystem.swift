import Foundation
import LocalData

/// The simulated disk as one app process sees it.
struct SimulatedFileSystem: FileSystem {
    let storage: DeviceStorage
    let life: ProcessLife

    @inline(__always)
    private func begin(_ operation: StorageOperation, _ path: String) throws {
        if let failure = try storage.begin(operation, life, at: path) {
            throw FileSystemError(errno: failure.errno, operation: operation.call, path: path)
        }
    }

    func path(of directory: ContainerDirectory) throws -> String {
        try storage.admit("path", life)
        return try storage.path(of: directory, for: life.part)
    }

    func createFile(at path: String, protection: FileProtection) throws -> any WritableFile {
        try begin(.create, path)
        let (node, real) = try storage.disk.createFile(at: path, protection: protection, keys: storage.keys)
        return SimulatedFile(storage: storage, life: life, node: node, real: real, path: path)
    }

    func contents(of path: String) throws -> Data {
        try begin(.read, path)
        return try storage.disk.contents(of: path, keys: storage.keys)
    }

    func contents(of path: String, upTo count: Int) throws -> Data { try Data(contents(of: path).prefix(count)) }

    func rename(_ source: String, to destination: String) throws {
        try begin(.rename, destination)
        try storage.disk.rename(source, to: destination, unlinking: storage.unlinkRule)
    }

    func rename(_ source: String, toNew destination: String) throws {
        try begin(.rename, destination)
        try storage.disk.rename(source, to: destination, unlinking: storage.unlinkRule, isNew: true)
    }

    func removeFile(at path: String) throws {
        try begin(.remove, path)
        try storage.disk.removeFile(at: path, unlinking: storage.unlinkRule)
    }

    func synchronizeDirectory(at path: String) throws {
        try begin(.synchronizeDirectory, path)
        try storage.disk.synchronizeDirectory(at: path)
    }

    func createDirectory(at path: String) throws {
        try begin(.createDirectory, path)
        try storage.disk.createDirectory(at: path)
    }

    func list(_ path: String) throws -> [String] {
        try begin(.list, path)
        return try storage.disk.list(path)
    }

    func attributes(of path: String) throws -> FileAttributes? {
        try begin(.attributes, path)
        return try storage.disk.attributes(of: path)
    }

    func canonicalDirectory(at path: String) throws -> CanonicalDirectory {
        try begin(.attributes, path)
        return try storage.disk.canonicalDirectory(at: path)
    }

    func setExcludedFromBackup(_ excluded: Bool, at path: String) throws {
        try begin(.exclude, path)
        try storage.disk.setExcludedFromBackup(excluded, at: path)
    }

    func extendedAttribute(_ name: String, of path: String) throws -> Data? {
        try begin(.readAttribute, path)
        return try storage.disk.extendedAttribute(name, of: path)
    }
}

/// A file that an app process has open for writing.
final class SimulatedFile: WritableFile, @unchecked Sendable {
    private let storage: DeviceStorage
    private let life: ProcessLife
    private let node: DiskNode
    private let real: (any WritableFile)?
    private let path: String
    private var isClosed = false

    init(storage: DeviceStorage, life: ProcessLife, node: DiskNode, real: (any WritableFile)?, path: String) {
        self.storage = storage
        self.life = life
        self.node = node
        self.real = real
        self.path = path
    }

    @inline(__always)
    private func begin(_ operation: StorageOperation) throws {
        if let failure = try storage.begin(operation, life, at: path) {
            throw FileSystemError(errno: failure.errno, operation: operation.call, path: path)
        }
    }

    private func requireOpen(_ operation: StorageOperation) throws {
        if isClosed { throw FileSystemError(errno: EBADF, operation: operation.call, path: path) }
    }

    func write(_ data: Data) throws {
        try begin(.write)
        try requireOpen(.write)
        try storage.disk.append(data, to: node, keys: storage.keys, real: real, path: path)
    }

    func synchronize() throws {
        try begin(.synchronize)
        try requireOpen(.synchronize)
        storage.disk.synchronize(node)
    }

    func setExtendedAttribute(_ data: Data, named name: String) throws {
        try begin(.setAttribute)
        try requireOpen(.setAttribute)
        node.extendedAttributes[name] = data
        if let mirror = storage.disk.mirror { try mirror.saveAttributes(of: storage.disk, concerning: node) }
    }

    /// Closing again succeeds and does nothing.
    func close() throws {
        try begin(.close)
        isClosed = true
        try real?.close()
    }
}

extension StorageOperation {
    /// The call that fails, as ``FileSystemError`` names it.
    var call: String {
        switch self {
        case .create, .read: "open"
        case .write: "write"
        case .synchronize, .synchronizeDirectory: "fsync"
        case .close: "close"
        case .attributes: "stat"
        case .rename: "rename"
        case .remove: "unlink"
        case .exclude, .setAttribute: "setxattr"
        case .readAttribute: "getxattr"
        case .createDirectory: "mkdir"
        case .list: "opendir"
        case .defaultsRead, .defaultsSet, .defaultsKeys, .defaultsSynchronize, .keychainAdd, .keychainRead, .keychainUpdate,
            .keychainDelete:
            rawValue
        }
    }
}
