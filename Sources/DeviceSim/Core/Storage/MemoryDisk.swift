import Foundation
import LocalData

/// A simulated disk of two layers: what is there now, and what a power loss leaves of it.
///
/// A file's bytes are pending until ``synchronize(_:)``, a directory's entries (files and directories made, renamed, removed, and
/// marks for backups) until ``synchronizeDirectory(at:)``; neither makes the other durable. Renames are atomic. With a ``mirror``, every
/// change is made to real files too, before it counts here.
///
/// Confined to the simulation's thread.
final class MemoryDisk {
    let root: DiskNode
    /// Whether names that differ in case alone are one, as on most Macs' volumes.
    let foldsCase: Bool
    private var nodeCount: UInt64 = 1
    /// Bytes that can still be written; `nil` for as many as one likes.
    var freeBytes: Int?
    var mirror: DiskMirror?
    /// In the order in which they were made.
    var changes: [EntryChange] = []
    /// How many of them are renames between directories.
    private var crossingCount = 0

    init(foldsCase: Bool = false) {
        self.foldsCase = foldsCase
        root = DiskNode(directory: DirectoryContents(isSystem: true, foldsCase: foldsCase), number: 1)
    }

    func nextNumber() -> UInt64 {
        nodeCount += 1
        return nodeCount
    }

    /// Where an entry is, or would be.
    struct Location {
        let directory: DirectoryContents
        let name: String
        /// Without links, where there is a mirror.
        let path: String

        var node: DiskNode? { directory.entries[name] }
        var entry: EntryChange.Entry { EntryChange.Entry(directory: directory, name: name) }
    }

    /// Directories found lately, so that most operations compare one path and walk none.
    private var recent: [RecentDirectory] = []
    private var nextRecent = 0
    /// LocalData's own files lie in four directories, an app's values in one or two more.
    private static let recentLimit = 8

    // MARK: ExpectationResult

    /// The entry at `path`, whose directory must exist.
    func locate(_ path: String, _ operation: String) throws -> Location {
        if let location = locateRecent(path) { return location }
        var components = try DiskPath.components(of: path, operation: operation)
        guard let name = components.popLast() else { throw FileSystemError(errno: EPERM, operation: operation, path: path) }
        let (parent, canonical) = try walk(components, operation, path)
        guard let directory = parent.directory else { throw FileSystemError(errno: ENOTDIR, operation: operation, path: path) }
        let spelled = directory.spelling(of: name)
        if let mirror {
            let normalized = DiskPath.joined(canonical + [spelled])
            try mirror.refresh(spelled, in: directory, path: normalized)
            return Location(directory: directory, name: spelled, path: normalized)
        }
        remember(parent, directory, at: components)
        return Location(directory: directory, name: spelled, path: path)
    }

    /// What is at `path`, links followed. It must exist.
    func find(_ path: String, _ operation: String) throws -> (node: DiskNode, path: String) {
        if let node = findRecentDirectory(path) { return (node, path) }
        let components = try DiskPath.components(of: path, operation: operation)
        let (node, canonical) = try walk(components, operation, path)
        if mirror == nil, let directory = node.directory { remember(node, directory, at: components) }
        return (node, mirror == nil ? path : DiskPath.joined(canonical))
    }

    /// What the components lead to, links followed.
    private func walk(_ components: [String], _ operation: String, _ path: String) throws -> (node: DiskNode, canonical: [String]) {
        let end = try walkAsFarAsPossible(components, operation, path)
        guard end.missing.isEmpty else {
            throw FileSystemError(errno: end.node.directory?.isSystem == true ? EPERM : ENOENT, operation: operation, path: path)
        }
        return (end.node, end.canonical)
    }

    func locateRecent(_ path: String) -> Location? {
        guard !recent.isEmpty else { return nil }
        return path.utf8.withContiguousStorageIfAvailable { bytes -> Location? in
            for known in recent {
                let count = known.bytes.count
                guard bytes.count > count, known.begins(bytes, count: count) else { continue }
                let name = UnsafeBufferPointer(rebasing: bytes[count...])
                guard DiskPath.isPlainName(name) else { continue }
                let spelled = known.directory.spelling(of: String(decoding: name, as: UTF8.self))
                return Location(directory: known.directory, name: spelled, path: path)
            }
            return nil
        } ?? nil
    }

    private func findRecentDirectory(_ path: String) -> DiskNode? {
        guard !recent.isEmpty else { return nil }
        return path.utf8.withContiguousStorageIfAvailable { bytes -> DiskNode? in
            for known in recent where bytes.count == known.bytes.count - 1 {
                if known.begins(bytes, count: bytes.count) { return known.node }
            }
            return nil
        } ?? nil
    }

    func remember(_ node: DiskNode, _ directory: DirectoryContents, at components: [String]) {
        guard !directory.isSystem, !recent.contains(where: { $0.directory === directory }) else { return }
        var bytes: ContiguousArray<UInt8> = [UInt8(ascii: "/")]
        bytes.reserveCapacity(components.reduce(1) { $0 + $1.utf8.count + 1 })
        for component in components {
            bytes.append(contentsOf: component.utf8)
            bytes.append(UInt8(ascii: "/"))
        }
        let known = RecentDirectory(bytes: bytes, node: node, directory: directory)
        if recent.count < Self.recentLimit {
            recent.append(known)
        } else {
            recent[nextRecent] = known
            nextRecent = (nextRecent + 1) % recent.count
        }
    }

    /// To be called whenever a path may lead somewhere else than it did.
    func forgetRecent() {
        recent.removeAll()
        nextRecent = 0
    }

    // MARK: Pending changes

    func note(_ change: consuming EntryChange) {
        change.countPending(1)
        if change.isCrossing { crossingCount += 1 }
        changes.append(change)
    }

    /// Makes what happened to the directory's entries durable, and what that builds on.
    func commit(_ directory: DirectoryContents) {
        guard directory.pendingCount > 0 else { return }
        if directory.pendingCount == changes.count, crossingCount == 0 {
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
                if change.isCrossing || !change.concerns(directory) { needed.formUnion(change.keys) }
                settle(change)
                changes.remove(at: index)
            }
            index -= 1
        }
    }

    /// To be called for a change that is taken out of ``changes``.
    func settle(_ change: borrowing EntryChange) {
        change.countPending(-1)
        if change.isCrossing { crossingCount -= 1 }
    }

    func forgetChanges() {
        for change in changes { settle(change) }
        changes.removeAll()
    }
}

/// A directory and the bytes of its path, with a slash at the end.
private final class RecentDirectory {
    let bytes: ContiguousArray<UInt8>
    let node: DiskNode
    let directory: DirectoryContents

    init(bytes: ContiguousArray<UInt8>, node: DiskNode, directory: DirectoryContents) {
        self.bytes = bytes
        self.node = node
        self.directory = directory
    }

    /// Whether the first `count` bytes are those of the directory.
    @inline(__always)
    func begins(_ other: UnsafeBufferPointer<UInt8>, count: Int) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            guard let bytes = bytes.baseAddress, let other = other.baseAddress else { return false }
            return memcmp(bytes, other, count) == 0
        }
    }
}
