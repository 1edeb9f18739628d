import Foundation
import LocalData

/// What the system does to a disk, past the sandbox and past data protection. All of it is durable at once.
extension MemoryDisk {
    /// Makes the directories of a path that are missing. The first `systemDepth` belong to the system, the rest to the app.
    func makeSystemPath(_ components: [String], systemDepth: Int) throws {
        var node = root
        var path = ""
        for (index, component) in components.enumerated() {
            guard let directory = node.directory else { return }
            // Only a mirror needs to know where on the disk it is.
            if let mirror {
                path += "/" + component
                try mirror.refresh(component, in: directory, path: path)
            }
            if let next = directory.entries[component] {
                // Somebody put a link there: whoever follows it finds what it leads to.
                if next.link != nil { return }
                guard let contents = next.directory else { throw FileSystemError(errno: ENOTDIR, operation: "mkdir", path: path) }
                // What lay in a real folder from an earlier run came in as the system's.
                if index >= systemDepth, contents.isSystem { giveToApp(contents) }
                node = next
            } else {
                node = try makeDirectory(component, in: directory, path: path, isSystem: index < systemDepth)
            }
        }
    }

    private func giveToApp(_ directory: DirectoryContents) {
        directory.isSystem = false
        for child in directory.entries.values.compactMap(\.directory) { giveToApp(child) }
    }

    func makeDirectory(_ name: String, in directory: DirectoryContents, path: String, isSystem: Bool) throws -> DiskNode {
        try mirror?.createDirectory(at: path)
        let node = DiskNode(directory: DirectoryContents(isSystem: isSystem, foldsCase: foldsCase), number: nextNumber())
        directory.entries[name] = node
        return node
    }

    /// Removes what is at `path`, with all that is in it.
    func removeTree(at path: String) throws {
        guard let location = try? locate(path, "removefile"), let node = location.node else { return }
        try mirror?.removeTree(at: location.path)
        let bytes = totalSize(of: node)
        location.directory.entries[location.name] = nil
        if let freeBytes { self.freeBytes = freeBytes + bytes }
        // Pending changes of it and below would bring parts of it back.
        let gone = directories(in: node)
        changes.removeAll { change in
            let isGone =
                change.source.map { gone.contains(ObjectIdentifier($0.directory)) } ?? false
                || change.destination.map { gone.contains(ObjectIdentifier($0.directory)) } ?? false
                || change.keys.contains(EntryChange.Key(location.entry))
            if isGone { settle(change) }
            return isGone
        }
        forgetRecent()
        try mirror?.saveAttributes(of: self)
    }

    private func directories(in node: DiskNode) -> Set<ObjectIdentifier> {
        guard let directory = node.directory else { return [] }
        var found: Set = [ObjectIdentifier(directory)]
        for child in directory.entries.values { found.formUnion(directories(in: child)) }
        return found
    }

    /// Removes what is in the directory at `path`, not the directory itself.
    /// - Returns: how many files went.
    @discardableResult
    func emptyDirectory(at path: String) throws -> Int {
        guard let (node, normalized) = try? find(path, "removefile"), let directory = node.directory else { return 0 }
        try mirror?.refreshAll(in: directory, path: normalized)
        var count = 0
        for name in directory.names {
            guard let child = directory.entries[name] else { continue }
            count += fileCount(of: child)
            try removeTree(at: normalized + "/" + name)
        }
        return count
    }

    /// Makes everything durable, as an orderly shutdown does.
    func synchronizeAll() {
        visit { _, node in
            if node.directory == nil { synchronize(node) }
        }
        forgetChanges()
    }

    /// Calls `body` with every file and directory, parents first, names in order.
    func visit(_ body: (String, DiskNode) throws -> Void) rethrows {
        func descend(_ node: DiskNode, _ path: String) throws {
            guard let directory = node.directory else { return }
            for name in directory.names {
                guard let child = directory.entries[name] else { continue }
                let childPath = path + "/" + name
                try body(childPath, child)
                try descend(child, childPath)
            }
        }
        try descend(root, "")
    }

    func totalSize(of node: DiskNode) -> Int {
        guard let directory = node.directory else { return node.size }
        return directory.entries.values.reduce(0) { $0 + totalSize(of: $1) }
    }

    private func fileCount(of node: DiskNode) -> Int {
        guard let directory = node.directory else { return 1 }
        return directory.entries.values.reduce(0) { $0 + fileCount(of: $1) }
    }
}
