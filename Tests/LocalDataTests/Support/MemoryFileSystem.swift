import Foundation

@testable import LocalData

/// A file system in memory with two layers: what a process sees, and what would be left after a power loss.
///
/// Bytes become durable by `synchronize()`, entries by `synchronizeDirectory`. Operations are numbered from 1; ``plan`` fails one of them.
/// A failing `write` writes half of the bytes first, as a full disk does.
final class MemoryFileSystem: FileSystem, @unchecked Sendable {
    /// What happens to the operation with a number.
    enum Plan: Sendable, Hashable {
        case none
        /// It alone fails.
        case fail(operation: Int, errno: Int32)
        /// It and all after it fail and change nothing: the process died before it.
        case crash(before: Int)
    }

    final class Node {
        var visible = Data()
        var durable = Data()
        let protection: FileProtection
        var isExcludedFromBackup = false

        var number: UInt64 { UInt64(UInt(bitPattern: ObjectIdentifier(self))) }

        init(protection: FileProtection) { self.protection = protection }
    }

    static let root = "/app"

    /// Whose lock state decides about protected files. Set by ``TestDevice``.
    weak var device: FixedDevice?

    private let lock = NSLock()
    private var files: [String: Node] = [:]
    private var directories: Set<String> = ["/"]
    private var durableEntries: [String: Node] = [:]
    private var durableDirectories: Set<String> = ["/"]
    private var excluded: Set<String> = []
    private var count = 0
    private var log: [String] = []
    private var storedPlan = Plan.none
    private var storedAttributeFailure: Int32?
    private var onOperation: (@Sendable (String, String) -> Void)?

    init() {
        for directory in ["Documents", "Library/Caches", "Library/Application Support", "tmp"] {
            addDirectory("\(Self.root)/\(directory)", to: &directories)
            addDirectory("\(Self.root)/\(directory)", to: &durableDirectories)
        }
    }

    // MARK: What tests ask and set

    var plan: Plan {
        get { lock.withLock { storedPlan } }
        set { lock.withLock { storedPlan = newValue } }
    }

    /// With which `errno` reading an extended attribute fails; `nil`: there is none.
    var attributeFailure: Int32? {
        get { lock.withLock { storedAttributeFailure } }
        set { lock.withLock { storedAttributeFailure = newValue } }
    }

    /// How many operations there were.
    var operationCount: Int { lock.withLock { count } }

    /// The operations so far, such as `fsync /app/Documents/.localdata-….tmp`.
    var operations: [String] { lock.withLock { log } }

    /// The paths of all files, sorted.
    var paths: [String] { lock.withLock { files.keys.sorted() } }
    /// Without LocalData's own small files.
    var appPaths: [String] { paths.filter { !$0.contains("/LocalData/") } }

    /// Runs before each operation, with its name and path, without a lock held.
    func observe(_ body: (@Sendable (_ operation: String, _ path: String) -> Void)?) { lock.withLock { onOperation = body } }

    /// The bytes of a file, without counting, protection or faults.
    func peek(_ path: String) -> Data? { lock.withLock { files[path]?.visible } }

    func protection(of path: String) -> FileProtection? { lock.withLock { files[path]?.protection } }

    /// Puts a file in its place, durable at once.
    func put(_ data: Data, at path: String, protection: FileProtection = .completeUntilFirstUserAuthentication) {
        lock.withLock {
            let node = Node(protection: protection)
            node.visible = data
            node.durable = data
            files[path] = node
            durableEntries[path] = node
            addDirectory(Self.parent(of: path), to: &directories)
            addDirectory(Self.parent(of: path), to: &durableDirectories)
        }
    }

    /// What is left after a power loss: the durable layer, or everything that was pending as well. Unsynchronized bytes of kept files are torn.
    func afterPowerLoss(keepingPending: Bool) -> MemoryFileSystem {
        lock.withLock {
            let left = MemoryFileSystem()
            let entries = keepingPending ? files : durableEntries
            for (path, node) in entries where keepingPending || isDurable(directoryOf: path) {
                let isTorn = keepingPending && node.visible != node.durable
                let data = isTorn ? node.visible.prefix(node.visible.count / 2) : node.durable
                left.put(Data(data), at: path, protection: node.protection)
            }
            left.directories.formUnion(keepingPending ? directories : durableDirectories)
            left.durableDirectories = left.directories
            left.excluded = excluded
            return left
        }
    }

    // MARK: FileSystem

    func path(of directory: ContainerDirectory) throws -> String {
        switch directory {
        case .documents: "\(Self.root)/Documents"
        case .caches: "\(Self.root)/Library/Caches"
        case .applicationSupport: "\(Self.root)/Library/Application Support"
        case .temporary: "\(Self.root)/tmp"
        case .appGroup(let identifier): "/groups/\(identifier)"
        }
    }

    func createFile(at path: String, protection: FileProtection) throws -> any WritableFile {
        try operation("open", path) {
            guard files[path] == nil, !directories.contains(path) else {
                throw FileSystemError(errno: EEXIST, operation: "open", path: path)
            }
            guard directories.contains(Self.parent(of: path)) else { throw FileSystemError(errno: ENOENT, operation: "open", path: path) }
            let canWrite =
                switch protection {
                case .complete: lockState == .unlocked
                case .completeUnlessOpen, .none: true
                case .completeUntilFirstUserAuthentication: lockState != .beforeFirstUnlock
                }
            guard canWrite else { throw FileSystemError(errno: EPERM, operation: "open", path: path) }
            let node = Node(protection: protection)
            files[path] = node
            return MemoryFile(system: self, node: node, path: path)
        }
    }

    func contents(of path: String) throws -> Data {
        try operation("read", path) {
            if directories.contains(path) { throw FileSystemError(errno: EISDIR, operation: "read", path: path) }
            guard let node = files[path] else { throw FileSystemError(errno: ENOENT, operation: "open", path: path) }
            try requireKey(of: node.protection, "open", path)
            return node.visible
        }
    }

    func rename(_ source: String, to destination: String) throws { try rename(source, to: destination, isNew: false) }
    func rename(_ source: String, toNew destination: String) throws { try rename(source, to: destination, isNew: true) }

    private func rename(_ source: String, to destination: String, isNew: Bool) throws {
        try operation("rename", destination) {
            if isNew, files[destination] != nil { throw FileSystemError(errno: EEXIST, operation: "rename", path: destination) }
            guard let node = files[source] else { throw FileSystemError(errno: ENOENT, operation: "rename", path: source) }
            if directories.contains(destination) { throw FileSystemError(errno: EISDIR, operation: "rename", path: destination) }
            files[source] = nil
            files[destination] = node
        }
    }

    func removeFile(at path: String) throws {
        try operation("unlink", path) {
            guard files.removeValue(forKey: path) != nil else {
                throw FileSystemError(errno: directories.contains(path) ? EISDIR : ENOENT, operation: "unlink", path: path)
            }
        }
    }

    func synchronizeDirectory(at path: String) throws {
        try operation("fsync directory", path) {
            guard directories.contains(path) else { throw FileSystemError(errno: ENOENT, operation: "fsync", path: path) }
            durableEntries = durableEntries.filter { Self.parent(of: $0.key) != path || files[$0.key] != nil }
            for (child, node) in files where Self.parent(of: child) == path { durableEntries[child] = node }
            durableDirectories.formUnion(directories.filter { Self.parent(of: $0) == path })
        }
    }

    func createDirectory(at path: String) throws {
        try operation("mkdir", path) {
            if files[path] != nil { throw FileSystemError(errno: EEXIST, operation: "mkdir", path: path) }
            addDirectory(path, to: &directories)
        }
    }

    func list(_ path: String) throws -> [String] {
        try operation("list", path) {
            guard directories.contains(path) else { throw FileSystemError(errno: ENOENT, operation: "opendir", path: path) }
            let children = (Array(files.keys) + directories).filter { $0 != "/" && Self.parent(of: $0) == path }
            return children.map { String($0.dropFirst(path == "/" ? 1 : path.count + 1)) }
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }

    func attributes(of path: String) throws -> FileAttributes? {
        try operation("stat", path) {
            if let node = files[path] {
                return FileAttributes(
                    size: node.visible.count, isDirectory: false, protection: node.protection,
                    isExcludedFromBackup: node.isExcludedFromBackup, identity: FileIdentity(device: 1, number: node.number))
            }
            guard directories.contains(path) else { return nil }
            return FileAttributes(size: 0, isDirectory: true, protection: nil, isExcludedFromBackup: excluded.contains(path))
        }
    }

    /// It has no links.
    func canonicalDirectory(at path: String) throws -> CanonicalDirectory {
        try operation("realpath", path) { CanonicalDirectory(path: path, isCaseSensitive: true) }
    }

    func setExcludedFromBackup(_ isExcluded: Bool, at path: String) throws {
        try operation("exclude", path) {
            if let node = files[path] {
                node.isExcludedFromBackup = isExcluded
            } else if directories.contains(path) {
                if isExcluded { excluded.insert(path) } else { excluded.remove(path) }
            } else {
                throw FileSystemError(errno: ENOENT, operation: "setxattr", path: path)
            }
        }
    }

    func contents(of path: String, upTo count: Int) throws -> Data { try Data(contents(of: path).prefix(count)) }

    /// It has none.
    func extendedAttribute(_ name: String, of path: String) throws -> Data? {
        if let attributeFailure { throw FileSystemError(errno: attributeFailure, operation: "getxattr", path: path) }
        return nil
    }

    // MARK: Inside

    fileprivate func append(_ data: Data, to node: Node, at path: String) throws {
        try operation("write", path, failing: { node.visible += data.prefix(data.count / 2) }) {
            try requireKey(of: node.protection == .completeUnlessOpen ? .none : node.protection, "write", path)
            node.visible += data
        }
    }

    fileprivate func synchronize(_ node: Node, at path: String) throws {
        try operation("fsync", path) { node.durable = node.visible }
    }

    fileprivate func close(at path: String) throws {
        try operation("close", path) {}
    }

    private func operation<Result>(
        _ name: String, _ path: String, failing: () -> Void = {}, _ body: () throws -> Result
    ) throws -> Result {
        if let onOperation = lock.withLock({ onOperation }) { onOperation(name, path) }
        return try lock.withLock {
            count += 1
            log.append("\(name) \(path)")
            switch storedPlan {
            case .fail(let number, let code) where number == count:
                failing()
                throw FileSystemError(errno: code, operation: name, path: path)
            case .crash(let number) where number <= count: throw FileSystemError(errno: EIO, operation: name, path: path)
            default: return try body()
            }
        }
    }

    private func requireKey(of protection: FileProtection, _ operation: String, _ path: String) throws {
        let isReadable =
            switch protection {
            case .complete, .completeUnlessOpen: lockState == .unlocked
            case .completeUntilFirstUserAuthentication: lockState != .beforeFirstUnlock
            case .none: true
            }
        guard isReadable else { throw FileSystemError(errno: EPERM, operation: operation, path: path) }
    }

    private var lockState: DeviceLockState { device?.lockState ?? .unlocked }

    /// Whether the directory of a file, and all above it, survive a power loss. A durable entry in a lost directory is lost.
    private func isDurable(directoryOf path: String) -> Bool {
        var directory = Self.parent(of: path)
        while directory != "/" {
            guard durableDirectories.contains(directory) else { return false }
            directory = Self.parent(of: directory)
        }
        return true
    }

    private func addDirectory(_ path: String, to set: inout Set<String>) {
        var path = path
        while set.insert(path).inserted { path = Self.parent(of: path) }
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

private final class MemoryFile: WritableFile, @unchecked Sendable {
    let system: MemoryFileSystem
    let node: MemoryFileSystem.Node
    let path: String

    init(system: MemoryFileSystem, node: MemoryFileSystem.Node, path: String) {
        self.system = system
        self.node = node
        self.path = path
    }

    func write(_ data: Data) throws { try system.append(data, to: node, at: path) }
    func synchronize() throws { try system.synchronize(node, at: path) }
    func close() throws { try system.close(at: path) }

    func setExtendedAttribute(_ data: Data, named name: String) throws {
        throw FileSystemError(errno: ENOTSUP, operation: "setxattr", path: path)
    }
}
