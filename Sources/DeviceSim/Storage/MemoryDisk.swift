import Foundation
import LocalData

/// A simulated disk of two layers: what is there now, and what a power loss leaves of it.
///
/// A file's bytes are pending until ``synchronize(_:real:path:)``, a directory's entries (files and directories made, renamed, removed, and
/// marks for backups) until ``synchronizeDirectory(at:)``; neither makes the other durable. Renames are atomic. With a ``mirror``, every
/// change is made to real files too, before it counts here.
///
/// Confined to the simulation's thread.
final class MemoryDisk {
    let root = DiskNode(directory: DirectoryContents(isSystem: true))
    /// Bytes that can still be written; `nil` for as many as one likes.
    var freeBytes: Int?
    var mirror: DiskMirror?
    /// In the order in which they were made.
    var changes: [EntryChange] = []

    /// Where an entry is, or would be.
    struct Location {
        let directory: DirectoryContents
        let name: String
        /// Normalized where there is a mirror.
        let path: String

        var node: DiskNode? { directory.entries[name] }
        var entry: EntryChange.Entry { EntryChange.Entry(directory: directory, name: name) }
    }

    /// Directories found lately, so that most operations compare one path and walk none.
    private var recent: [(bytes: ContiguousArray<UInt8>, node: DiskNode, directory: DirectoryContents)] = []
    private var nextRecent = 0

    init() {}

    // MARK: Finding

    /// The entry at `path`, whose directory must exist.
    func locate(_ path: String, _ operation: String) throws -> Location {
        if let location = locateRecent(path) { return location }
        var components = try DiskPath.components(of: path, operation: operation)
        guard let name = components.popLast() else { throw FileSystemError(errno: EPERM, operation: operation, path: path) }
        let parent = try walk(components, operation, path)
        guard let directory = parent.directory else { throw FileSystemError(errno: ENOTDIR, operation: operation, path: path) }
        if let mirror {
            let normalized = DiskPath.joined(components + [name])
            try mirror.refresh(name, in: directory, path: normalized)
            return Location(directory: directory, name: name, path: normalized)
        }
        remember(parent, directory, at: DiskPath.joined(components))
        return Location(directory: directory, name: name, path: path)
    }

    /// What is at `path`, which must exist.
    func find(_ path: String, _ operation: String) throws -> (node: DiskNode, path: String) {
        if let node = findRecentDirectory(path) { return (node, path) }
        let components = try DiskPath.components(of: path, operation: operation)
        let node = try walk(components, operation, path)
        if mirror == nil, let directory = node.directory { remember(node, directory, at: DiskPath.joined(components)) }
        return (node, mirror == nil ? path : DiskPath.joined(components))
    }

    private func walk(_ components: [String], _ operation: String, _ path: String) throws -> DiskNode {
        var node = root
        var current = ""
        for component in components {
            guard let directory = node.directory else { throw FileSystemError(errno: ENOTDIR, operation: operation, path: path) }
            if let mirror {
                current += "/" + component
                try mirror.refresh(component, in: directory, path: current)
            }
            guard let next = directory.entries[component] else {
                throw FileSystemError(errno: directory.isSystem ? EPERM : ENOENT, operation: operation, path: path)
            }
            node = next
        }
        return node
    }

    private func locateRecent(_ path: String) -> Location? {
        guard !recent.isEmpty else { return nil }
        return path.utf8.withContiguousStorageIfAvailable { bytes -> Location? in
            for index in recent.indices {
                let count = recent[index].bytes.count
                guard bytes.count > count, Self.begins(bytes, with: recent[index].bytes) else { continue }
                let name = UnsafeBufferPointer(rebasing: bytes[count...])
                guard DiskPath.isPlainName(name) else { continue }
                return Location(directory: recent[index].directory, name: String(decoding: name, as: UTF8.self), path: path)
            }
            return nil
        } ?? nil
    }

    private func findRecentDirectory(_ path: String) -> DiskNode? {
        guard !recent.isEmpty else { return nil }
        return path.utf8.withContiguousStorageIfAvailable { bytes -> DiskNode? in
            for index in recent.indices where bytes.count == recent[index].bytes.count - 1 {
                if Self.begins(bytes, with: recent[index].bytes, count: bytes.count) { return recent[index].node }
            }
            return nil
        } ?? nil
    }

    @inline(__always)
    private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, with prefix: ContiguousArray<UInt8>, count: Int? = nil) -> Bool {
        prefix.withUnsafeBufferPointer { prefix in
            guard let bytes = bytes.baseAddress, let start = prefix.baseAddress else { return false }
            return memcmp(bytes, start, count ?? prefix.count) == 0
        }
    }

    private func remember(_ node: DiskNode, _ directory: DirectoryContents, at path: String) {
        guard !directory.isSystem else { return }
        let bytes = ContiguousArray((path + "/").utf8)
        guard !recent.contains(where: { $0.bytes == bytes }) else { return }
        if recent.count < 4 {
            recent.append((bytes, node, directory))
        } else {
            recent[nextRecent] = (bytes, node, directory)
            nextRecent = (nextRecent + 1) % recent.count
        }
    }

    /// To be called whenever a directory may be somewhere else than it was.
    func forgetRecent() {
        recent.removeAll()
        nextRecent = 0
    }

    // MARK: Pending changes

    func note(_ change: EntryChange) {
        changes.append(change)
        change.source?.directory.pendingCount += 1
        if let destination = change.destination, destination.directory !== change.source?.directory {
            destination.directory.pendingCount += 1
        }
    }

    /// Makes what happened to the directory's entries durable, and what that builds on.
    func commit(_ directory: DirectoryContents) {
        guard directory.pendingCount > 0 else { return }
        if directory.pendingCount == changes.count, changes.allSatisfy(\.isWithinOneDirectory) {
            changes.removeAll(keepingCapacity: true)
            directory.pendingCount = 0
            return
        }
        // A rename between directories is durable as a whole, and so is what gave its entries the state it found.
        var needed: Set<EntryChange.Key> = []
        var index = changes.count - 1
        while index >= 0, directory.pendingCount > 0 || !needed.isEmpty {
            let change = changes[index]
            if change.concerns(directory) || (!needed.isEmpty && change.keys.contains(where: needed.contains)) {
                if !change.isWithinOneDirectory || !change.concerns(directory) { needed.formUnion(change.keys) }
                settle(change)
                changes.remove(at: index)
            }
            index -= 1
        }
    }

    func settle(_ change: EntryChange) {
        change.source?.directory.pendingCount -= 1
        if let destination = change.destination, destination.directory !== change.source?.directory {
            destination.directory.pendingCount -= 1
        }
    }

    func forgetChanges() {
        for change in changes { settle(change) }
        changes.removeAll()
    }
}

extension EntryChange {
    /// Whether all of its entries are in one directory.
    var isWithinOneDirectory: Bool {
        guard let source, let destination else { return true }
        return source.directory === destination.directory
    }
}
