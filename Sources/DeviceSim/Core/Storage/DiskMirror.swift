import Foundation
import LocalData

/// Keeps a simulated disk as real files below a folder, to be looked into with ordinary tools.
///
/// What is really there counts: files that somebody put, changed or removed are noticed when they are next asked for. Their bytes are
/// durable by nature. Protection classes are kept in a record beside the containers, since hosts have none.
///
/// Confined to the simulation's thread.
final class DiskMirror {
    let folder: RealFolder
    private(set) var record = DeviceRecord()
    private var savedRecord = DeviceRecord()

    /// Numbers the disk's new files.
    private let nextNumber: () -> UInt64

    init(folder: RealFolder, nextNumber: @escaping () -> UInt64) {
        self.folder = folder
        self.nextNumber = nextNumber
    }

    /// Makes the folder and reads the record of an earlier run.
    /// - Throws: ``StorageError`` (`corrupt`) if that is damaged or somebody else's.
    func open() throws {
        try folder.translating("/") { try folder.createDirectory(at: "") }
        record = try folder.read(DeviceRecord.path).map(DeviceRecord.init(encoded:)) ?? DeviceRecord()
        savedRecord = record
    }

    // MARK: What is really there

    /// Notices what became of one entry.
    func refresh(_ name: String, in directory: DirectoryContents, path: String) throws {
        let known = directory.entries[name]
        switch try folder.translating(path, { try folder.kind(of: path) }) {
        case nil:
            directory.entries[name] = nil
        case .directory:
            if known?.directory == nil {
                let node = DiskNode(
                    directory: DirectoryContents(isSystem: directory.isSystem, foldsCase: directory.foldsCase), number: nextNumber())
                node.isExcludedFromBackup = record.files[path]?.isExcludedFromBackup ?? false
                directory.entries[name] = node
            }
        case .file(let size):
            if let known, known.isFile {
                if known.size != size { makeForeign(known, size: size) }
            } else {
                let node = DiskNode(
                    file: record.files[path]?.protection ?? .completeUntilFirstUserAuthentication, number: nextNumber())
                node.isExcludedFromBackup = record.files[path]?.isExcludedFromBackup ?? false
                node.extendedAttributes = record.files[path]?.extendedAttributes ?? [:]
                node.synchronizedAttributes = node.extendedAttributes
                makeForeign(node, size: size)
                directory.entries[name] = node
            }
        case .link(let destination):
            if known?.link != destination { directory.entries[name] = DiskNode(link: destination, number: nextNumber()) }
        case .other:
            guard known?.isSpecial != true else { return }
            let node = DiskNode(file: .completeUntilFirstUserAuthentication, number: nextNumber())
            node.isSpecial = true
            directory.entries[name] = node
        }
    }

    func refreshAll(in directory: DirectoryContents, path: String) throws {
        let real = try folder.translating(path) { try folder.files.list(folder.real(path)) }
        for name in Set(real).union(directory.entries.keys).sorted() {
            try refresh(name, in: directory, path: path == "/" ? "/" + name : path + "/" + name)
        }
    }

    private func makeForeign(_ node: DiskNode, size: Int) {
        node.data = Data()
        node.synchronizedCount = 0
        node.foreignSize = size
    }

    /// The bytes that are really there.
    func contents(of node: DiskNode, at path: String) throws -> Data {
        let bytes = try folder.translating(path) { try folder.files.contents(of: folder.real(path)) }
        if node.foreignSize != nil || bytes != node.data {
            node.foreignSize = nil
            node.data = bytes
            node.synchronizedCount = bytes.count
        }
        return bytes
    }

    /// Reads the bytes of files that are about to go, so that a power loss can bring them back.
    private func keep(_ node: DiskNode, at path: String) throws {
        if let directory = node.directory {
            try refreshAll(in: directory, path: path)
            for name in directory.names {
                if let child = directory.entries[name] { try keep(child, at: path + "/" + name) }
            }
        } else if node.isFile {
            _ = try contents(of: node, at: path)
        }
    }

    // MARK: Changes

    /// The real file is in the weakest class: the host's lock is not the device's.
    func createFile(at path: String) throws -> any WritableFile {
        try folder.translating(path) { try folder.files.createFile(at: folder.real(path), protection: .none) }
    }

    func createLink(at path: String, to destination: String) throws {
        try folder.translating(path) { try folder.createLink(at: path, to: destination) }
    }

    func createDirectory(at path: String) throws {
        try folder.translating(path) { try folder.createDirectory(at: String(path.dropFirst())) }
    }

    func rename(_ source: String, _ node: DiskNode, to destination: String, replacing replaced: DiskNode?) throws {
        try keep(node, at: source)
        if let replaced { try keep(replaced, at: destination) }
        try folder.translating(destination) { try folder.files.rename(folder.real(source), to: folder.real(destination)) }
    }

    func removeFile(_ node: DiskNode, at path: String) throws {
        try keep(node, at: path)
        try folder.translating(path) { try folder.files.removeFile(at: folder.real(path)) }
    }

    func removeTree(at path: String) throws {
        try folder.translating(path) { try folder.removeTree(at: path) }
    }

    // MARK: The record

    func setApplication(container: String, installations: Int, disk: MemoryDisk) throws {
        record.applicationContainer = container
        record.installations = installations
        try saveAttributes(of: disk)
    }

    /// Saves the record if one of `nodes` has attributes to speak of, or without `nodes` in any case.
    func saveAttributes(of disk: MemoryDisk, concerning nodes: DiskNode?...) throws {
        guard nodes.isEmpty || nodes.contains(where: { $0.map { $0.directory != nil || !$0.hasDefaultAttributes } ?? false }) else {
            return
        }
        record.files = [:]
        disk.visit { path, node in
            guard !node.hasDefaultAttributes else { return }
            record.files[path] = DeviceRecord.File(
                protection: node.protection, isExcludedFromBackup: node.isExcludedFromBackup, extendedAttributes: node.extendedAttributes)
        }
        guard record != savedRecord else { return }
        try folder.translating("/" + DeviceRecord.path) { try folder.replace(DeviceRecord.path, with: record.encoded()) }
        savedRecord = record
    }
}

extension DiskNode {
    var hasDefaultAttributes: Bool {
        protection == .completeUntilFirstUserAuthentication && !isExcludedFromBackup && extendedAttributes.isEmpty
    }
}

/// Makes the real files follow a power loss.
extension DiskMirror {
    /// The disk before a power loss.
    struct Before {
        let nodes: [String: DiskNode]
        /// The files that had bytes to lose.
        let pending: Set<ObjectIdentifier>
    }

    /// Notices all that is there, so that afterwards what is missing from the simulated disk is known to be lost.
    func beginReconciling(_ disk: MemoryDisk) throws -> Before {
        try refreshTree(of: disk)
        let nodes = tree(of: disk)
        let pending = nodes.values.filter { $0.isFile && $0.foreignSize == nil && $0.synchronizedCount < $0.data.count }
        return Before(nodes: nodes, pending: Set(pending.map(ObjectIdentifier.init)))
    }

    func reconcile(_ disk: MemoryDisk, with before: Before) throws {
        let after = tree(of: disk)
        // Files first give way to directories of the same name, and the other way round.
        for path in before.nodes.keys.sorted().reversed()
        where (before.nodes[path]?.directory != nil) != after[path].map({ $0.directory != nil }) {
            try folder.translating(path) { try folder.removeTree(at: path) }
        }
        try disk.visit { path, node in
            if node.directory != nil {
                try createDirectory(at: path)
            } else if let destination = node.link {
                guard before.nodes[path] !== node else { return }
                try folder.translating(path) { try folder.removeTree(at: path) }
                try createLink(at: path, to: destination)
            } else if before.nodes[path] !== node || before.pending.contains(ObjectIdentifier(node)), node.isFile {
                try folder.translating(path) { try folder.replace(String(path.dropFirst()), with: node.data) }
            }
        }
        try saveAttributes(of: disk)
    }

    private func tree(of disk: MemoryDisk) -> [String: DiskNode] {
        var tree: [String: DiskNode] = [:]
        disk.visit { path, node in tree[path] = node }
        return tree
    }

    /// Notices all that is there.
    func refreshTree(of disk: MemoryDisk) throws {
        try refreshTree(disk.root, path: "")
    }

    private func refreshTree(_ node: DiskNode, path: String) throws {
        guard let directory = node.directory else { return }
        try refreshAll(in: directory, path: path.isEmpty ? "/" : path)
        for name in directory.names {
            if let child = directory.entries[name] { try refreshTree(child, path: path + "/" + name) }
        }
    }
}
