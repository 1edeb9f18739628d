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

    /// Directories found lately, so that most operations compare one path and walk none, and the others walk from the nearest one on.
    private var recent: [RecentDirectory] = []
    /// How many bytes the path of each of them has: few have as many as what is looked for, and the others are not even looked at.
    private var recentCounts: [Int] = []
    private var nextRecent = 0
    /// LocalData's own files lie in four directories, which lie in two others; an app's values in one or two more.
    private static let recentLimit = 12

    // MARK: ExpectationResult

    /// The entry at `path`, whose directory must exist.
    func locate(_ path: String, _ operation: String) throws -> Location {
        if let location = locateRecent(path) { return location }
        var way = try self.way(along: path, operation)
        guard let name = way.components.popLast() else { throw FileSystemError(errno: EPERM, operation: operation, path: path) }
        let (parent, canonical) = try walk(way, operation, path)
        guard let directory = parent.directory else { throw FileSystemError(errno: ENOTDIR, operation: operation, path: path) }
        let spelled = directory.spelling(of: name)
        if let mirror {
            let normalized = DiskPath.joined(canonical + [spelled])
            try mirror.refresh(spelled, in: directory, path: normalized)
            return Location(directory: directory, name: spelled, path: normalized)
        }
        remember(parent, directory, at: way, canonical)
        return Location(directory: directory, name: spelled, path: path)
    }

    /// What is at `path`, links followed. It must exist.
    func find(_ path: String, _ operation: String) throws -> (node: DiskNode, path: String) {
        if let known = recentDirectory(at: path) { return (known.node, path) }
        let way = try self.way(along: path, operation)
        let (node, canonical) = try walk(way, operation, path)
        if mirror == nil, let directory = node.directory { remember(node, directory, at: way, canonical) }
        return (node, mirror == nil ? path : DiskPath.joined(canonical))
    }

    /// What a path leads to, links followed.
    private func walk(_ way: Way, _ operation: String, _ path: String) throws -> (node: DiskNode, canonical: [String]) {
        let end = try walkAsFarAsPossible(way, operation, path)
        guard end.missing.isEmpty else {
            // Whoever looks for a folder that is not there mostly does so again.
            if mirror == nil { remember(end, of: way) }
            throw FileSystemError(errno: end.node.directory?.isSystem == true ? EPERM : ENOENT, operation: operation, path: path)
        }
        return (end.node, end.canonical)
    }

    func locateRecent(_ path: String) -> Location? {
        guard !recent.isEmpty else { return nil }
        return path.utf8.withContiguousStorageIfAvailable { bytes -> Location? in
            guard let count = bytes.lastIndex(of: UInt8(ascii: "/")).map({ $0 + 1 }) else { return nil }
            let name = UnsafeBufferPointer(rebasing: bytes[count...])
            guard DiskPath.isPlainName(name) else { return nil }
            for index in recentCounts.indices where recentCounts[index] == count {
                let known = recent[index]
                guard known.begins(bytes, count: count) else { continue }
                let spelled = known.directory.spelling(of: String(decoding: name, as: UTF8.self))
                return Location(directory: known.directory, name: spelled, path: path)
            }
            return nil
        } ?? nil
    }

    func recentDirectory(at path: String) -> RecentDirectory? {
        guard !recent.isEmpty else { return nil }
        return path.utf8.withContiguousStorageIfAvailable { bytes -> RecentDirectory? in
            for index in recentCounts.indices where recentCounts[index] == bytes.count + 1 {
                if recent[index].begins(bytes, count: bytes.count) { return recent[index] }
            }
            return nil
        } ?? nil
    }

    /// A path, taken apart from a directory on that was found lately, or from the root.
    struct Way {
        var start: RecentDirectory?
        /// From ``start`` on.
        var components: [String]
    }

    func way(along path: String, _ operation: String) throws -> Way {
        if mirror == nil, let way = wayFromRecent(along: path) { return way }
        return Way(components: try DiskPath.components(of: path, operation: operation))
    }

    private func wayFromRecent(along path: String) -> Way? {
        path.utf8.withContiguousStorageIfAvailable { bytes -> Way? in
            guard bytes.count <= DiskPath.pathLimit else { return nil }
            var nearest: RecentDirectory?
            for known in recent where known.bytes.count > nearest?.bytes.count ?? 0 && known.bytes.count < bytes.count {
                if known.begins(bytes, count: known.bytes.count) { nearest = known }
            }
            guard let nearest else { return nil }
            let rest = UnsafeBufferPointer(rebasing: bytes[nearest.bytes.count...])
            return DiskPath.plainNames(in: rest).map { Way(start: nearest, components: $0) }
        } ?? nil
    }

    /// To be called with a directory that the way leads to, links followed.
    func remember(_ node: DiskNode, _ directory: DirectoryContents, at way: Way, _ canonical: [String]) {
        guard !directory.isSystem, !recent.contains(where: { $0.directory === directory }) else { return }
        var bytes = way.start?.bytes ?? [UInt8(ascii: "/")]
        bytes.reserveCapacity(way.components.reduce(bytes.count) { $0 + $1.utf8.count + 1 })
        for component in way.components {
            bytes.append(contentsOf: component.utf8)
            bytes.append(UInt8(ascii: "/"))
        }
        let known = RecentDirectory(bytes: bytes, canonical: canonical, node: node, directory: directory)
        if recent.count < Self.recentLimit {
            recent.append(known)
            recentCounts.append(bytes.count)
        } else {
            recent[nextRecent] = known
            recentCounts[nextRecent] = bytes.count
            nextRecent = (nextRecent + 1) % recent.count
        }
    }

    /// Remembers what is there of a path that leads no further.
    func remember(_ end: PathEnd, of way: Way) {
        guard let directory = end.node.directory, end.missing.count <= way.components.count else { return }
        var way = way
        way.components.removeLast(end.missing.count)
        remember(end.node, directory, at: way, end.canonical)
    }

    /// To be called whenever a path may lead somewhere else than it did.
    func forgetRecent() {
        recent.removeAll()
        recentCounts.removeAll(keepingCapacity: true)
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

/// A directory and the bytes of a path to it, with a slash at the end.
final class RecentDirectory {
    let bytes: ContiguousArray<UInt8>
    /// Its path without links, as the disk spells it.
    let canonical: [String]
    private(set) lazy var canonicalPath = DiskPath.joined(canonical)
    let node: DiskNode
    let directory: DirectoryContents

    init(bytes: ContiguousArray<UInt8>, canonical: [String], node: DiskNode, directory: DirectoryContents) {
        self.bytes = bytes
        self.canonical = canonical
        self.node = node
        self.directory = directory
    }

    /// Whether the first `count` bytes are those of the directory.
    @inline(__always)
    fileprivate func begins(_ other: UnsafeBufferPointer<UInt8>, count: Int) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            guard let bytes = bytes.baseAddress, let other = other.baseAddress else { return false }
            return memcmp(bytes, other, count) == 0
        }
    }
}

/// Paths that lead to one place: symbolic links, another name of the root, letters of another case.
extension MemoryDisk {
    /// How many links are followed on one path (`MAXSYMLINKS`).
    private static let linkLimit = 32
    /// Under this name the root is known as well, as Apple's systems know `/var` as `/private/var`.
    static let rootAlias = "private"

    /// How far a path leads.
    struct PathEnd {
        let node: DiskNode
        /// Without links, as the disk spells it.
        let canonical: [String]
        /// What is not there.
        let missing: [String]
    }

    /// What is there of a path, links followed. All that is before its end is a directory.
    func walkAsFarAsPossible(_ way: Way, _ operation: String, _ path: String, depth: Int = 0) throws -> PathEnd {
        guard depth <= Self.linkLimit else { throw FileSystemError(errno: ELOOP, operation: operation, path: path) }
        var (node, canonical) = (way.start?.node ?? root, way.start?.canonical ?? [])
        for (index, component) in way.components.enumerated() {
            guard let directory = node.directory else { throw FileSystemError(errno: ENOTDIR, operation: operation, path: path) }
            let name = directory.spelling(of: component)
            if let mirror { try mirror.refresh(name, in: directory, path: DiskPath.joined(canonical + [name])) }
            guard let next = directory.entries[name] else {
                if node === root, component == Self.rootAlias { continue }
                return PathEnd(node: node, canonical: canonical, missing: Array(way.components[index...]))
            }
            guard let link = next.link else {
                node = next
                canonical.append(name)
                continue
            }
            // A link whose end is missing is no name that something could get.
            let target = try DiskPath.components(of: Self.destination(of: link, in: canonical), operation: operation)
            let end = try walkAsFarAsPossible(Way(components: target), operation, path, depth: depth + 1)
            guard end.missing.isEmpty else { throw FileSystemError(errno: ENOENT, operation: operation, path: path) }
            (node, canonical) = (end.node, end.canonical)
        }
        return PathEnd(node: node, canonical: canonical, missing: [])
    }

    private static func destination(of link: String, in directory: [String]) -> String {
        link.utf8.first == UInt8(ascii: "/") ? link : DiskPath.joined(directory + [link])
    }

    func canonicalDirectory(at path: String) throws -> CanonicalDirectory {
        if mirror == nil, let known = recentDirectory(at: path) {
            return CanonicalDirectory(path: known.canonicalPath, isCaseSensitive: !foldsCase)
        }
        let way = try self.way(along: path, "realpath")
        let end = try walkAsFarAsPossible(way, "realpath", path)
        if mirror == nil { remember(end, of: way) }
        return CanonicalDirectory(path: DiskPath.joined(end.canonical + end.missing), isCaseSensitive: !foldsCase)
    }

    /// Puts a link where nothing is, durably, as another process or the app itself may have done.
    func plantLink(at path: String, to destination: String) throws {
        let location = try locate(path, "symlink")
        guard location.node == nil else { throw FileSystemError(errno: EEXIST, operation: "symlink", path: path) }
        try mirror?.createLink(at: location.path, to: destination)
        location.directory.entries[location.name] = DiskNode(link: destination, number: nextNumber())
        forgetRecent()
    }
}

/// What a power loss leaves.
extension MemoryDisk {
    /// Takes back what was not synchronized, as `policy` says item by item: first directory entries, oldest first, then the bytes of the
    /// files that are left, in the order of their paths.
    func losePower(_ policy: PowerLossPolicy) throws {
        let usedBefore = totalSize(of: root)
        let before = try mirror?.beginReconciling(self)
        loseEntries(policy)
        visit { path, node in
            node.extendedAttributes = node.synchronizedAttributes
            guard node.directory == nil, node.synchronizedCount < node.data.count, node.foreignSize == nil else { return }
            Self.loseBytes(of: node, policy.decide(.contents(path: path, count: node.data.count - node.synchronizedCount)))
        }
        forgetRecent()
        if let freeBytes { self.freeBytes = freeBytes + usedBefore - totalSize(of: root) }
        if let before { try mirror?.reconcile(self, with: before) }
    }

    private func loseEntries(_ policy: PowerLossPolicy) {
        let pending = changes
        forgetChanges()
        for change in pending.reversed() { change.undo() }
        // What builds on a change that is lost is lost with it: it would find entries in a state that never was.
        var blocked: Set<EntryChange.Key> = []
        for change in pending {
            if case .kept = policy.decide(.entry(path: change.path)), !change.keys.contains(where: blocked.contains) {
                change.redo()
            } else {
                blocked.formUnion(change.keys)
            }
        }
    }

    private static func loseBytes(of node: DiskNode, _ fate: PowerLossFate) {
        let durable = node.synchronizedCount
        let pending = node.data.count - durable
        switch fate {
        case .kept: break
        case .dropped: node.data = Data(node.data.prefix(durable))
        case .torn(let count): node.data = Data(node.data.prefix(durable + max(0, min(count, pending))))
        case .garbage(let seed):
            var generator = SeededGenerator(seed: seed)
            var bytes = Data(node.data.prefix(durable))
            while bytes.count < durable + pending { bytes.append(UInt8(truncatingIfNeeded: generator.next())) }
            node.data = bytes
        }
        node.synchronizedCount = node.data.count
    }
}
