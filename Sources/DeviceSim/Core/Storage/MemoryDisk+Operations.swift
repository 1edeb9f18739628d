import Foundation
import LocalData

/// The operations of a file system, by the rules of data protection and of the sandbox.
extension MemoryDisk {
    func createFile(
        at path: String, protection: FileProtection, keys: ClassKeys
    ) throws -> (node: DiskNode, real: (any WritableFile)?) {
        let location = try locate(path, "open")
        guard location.node == nil else { throw FileSystemError(errno: EEXIST, operation: "open", path: path) }
        guard !location.directory.isSystem, DataProtectionRules.canCreate(protection, with: keys) else {
            throw FileSystemError(errno: EPERM, operation: "open", path: path)
        }
        if let freeBytes, freeBytes <= 0 { throw FileSystemError(errno: ENOSPC, operation: "open", path: path) }
        let real = try mirror?.createFile(at: location.path)
        let node = DiskNode(file: protection, number: nextNumber())
        location.directory.entries[location.name] = node
        note(EntryChange(node: node, destination: location.entry, path: path))
        try mirror?.saveAttributes(of: self, concerning: node)
        return (node, real)
    }

    /// Appends to a file that is open. On a full disk what fits is written.
    func append(_ data: Data, to node: DiskNode, keys: ClassKeys, real: (any WritableFile)?, path: String) throws {
        guard DataProtectionRules.canUseOpenHandle(node.protection, with: keys) else {
            throw FileSystemError(errno: EPERM, operation: "write", path: path)
        }
        var written = data
        if let freeBytes {
            if data.count > freeBytes { written = data.prefix(max(0, freeBytes)) }
            self.freeBytes = freeBytes - written.count
        }
        try mirror?.folder.translating(path) { try real?.write(written) }
        if node.data.isEmpty {
            // A slice keeps its indices, which nobody expects of a file's contents.
            node.data = written.startIndex == 0 ? written : Data(written)
        } else {
            node.data.append(written)
        }
        if written.count < data.count { throw FileSystemError(errno: ENOSPC, operation: "write", path: path) }
    }

    func synchronize(_ node: DiskNode) {
        node.synchronizedCount = node.data.count
        node.synchronizedAttributes = node.extendedAttributes
    }

    func contents(of path: String, keys: ClassKeys) throws -> Data {
        let location = try locate(path, "open")
        guard let node = location.node else {
            throw FileSystemError(errno: location.directory.isSystem ? EPERM : ENOENT, operation: "open", path: path)
        }
        guard node.directory == nil else { throw FileSystemError(errno: EISDIR, operation: "read", path: path) }
        guard node.link == nil else { throw FileSystemError(errno: ELOOP, operation: "open", path: path) }
        guard !node.isSpecial else { throw FileSystemError(errno: EINVAL, operation: "read", path: path) }
        guard DataProtectionRules.canOpen(node.protection, with: keys) else {
            throw FileSystemError(errno: EPERM, operation: "open", path: path)
        }
        return try mirror?.contents(of: node, at: location.path) ?? node.data
    }

    func rename(_ sourcePath: String, to destinationPath: String, unlinking rule: UnlinkRule, isNew: Bool = false) throws {
        func fail(_ code: Int32) -> FileSystemError { FileSystemError(errno: code, operation: "rename", path: destinationPath) }
        let source = try locate(sourcePath, "rename")
        let destination = try locate(destinationPath, "rename")
        guard !source.directory.isSystem, !destination.directory.isSystem else { throw fail(EPERM) }
        guard let node = source.node else { throw fail(ENOENT) }
        let replaced = destination.node
        if isNew, replaced != nil { throw fail(EEXIST) }
        if replaced === node { return }
        if let directory = node.directory {
            if let replaced {
                guard let contents = replaced.directory else { throw fail(ENOTDIR) }
                guard contents.entries.isEmpty else { throw fail(ENOTEMPTY) }
            }
            guard !contains(destination.directory, in: directory) else { throw fail(EINVAL) }
        } else if replaced?.directory != nil {
            throw fail(EISDIR)
        }
        guard rule.allows(node), replaced.map(rule.allows) ?? true else { throw fail(EPERM) }
        try mirror?.rename(source.path, node, to: destination.path, replacing: replaced)
        source.directory.entries[source.name] = nil
        destination.directory.entries[destination.name] = node
        if let replaced { giveBack(replaced.size) }
        note(
            EntryChange(node: node, source: source.entry, destination: destination.entry, replaced: replaced, path: destinationPath))
        if !node.isFile || replaced?.isFile == false { forgetRecent() }
        try mirror?.saveAttributes(of: self, concerning: node, replaced)
    }

    func removeFile(at path: String, unlinking rule: UnlinkRule) throws {
        let location = try locate(path, "unlink")
        guard let node = location.node else {
            throw FileSystemError(errno: location.directory.isSystem ? EPERM : ENOENT, operation: "unlink", path: path)
        }
        guard !location.directory.isSystem else { throw FileSystemError(errno: EPERM, operation: "unlink", path: path) }
        guard node.directory == nil else { throw FileSystemError(errno: EISDIR, operation: "unlink", path: path) }
        guard rule.allows(node) else {
            throw FileSystemError(errno: EPERM, operation: "unlink", path: path)
        }
        try mirror?.removeFile(node, at: location.path)
        location.directory.entries[location.name] = nil
        giveBack(node.size)
        note(EntryChange(node: node, source: location.entry, path: path))
        if !node.isFile { forgetRecent() }
        try mirror?.saveAttributes(of: self, concerning: node)
    }

    func synchronizeDirectory(at path: String) throws {
        let (node, _) = try find(path, "open")
        guard let directory = node.directory else { throw FileSystemError(errno: ENOTDIR, operation: "open", path: path) }
        commit(directory)
    }

    func createDirectory(at path: String) throws {
        // Made level by level, its parent is one of those found lately.
        if mirror == nil, let location = locateRecent(path) {
            guard let node = location.node else {
                _ = try createDirectory(location.name, in: location.directory, path: path, of: path)
                return
            }
            if node.directory != nil { return }
        }
        let way = try self.way(along: path, "mkdir")
        let end = try walkAsFarAsPossible(way, "mkdir", path)
        guard var directory = end.node.directory else { throw FileSystemError(errno: ENOTDIR, operation: "mkdir", path: path) }
        if mirror == nil { remember(end, of: way) }
        var canonical = end.canonical
        for name in end.missing {
            canonical.append(name)
            let node = try createDirectory(name, in: directory, path: DiskPath.joined(canonical), of: path)
            guard let made = node.directory else { return }
            directory = made
        }
    }

    /// Makes one directory at `path`, on the way to making `whole`.
    private func createDirectory(_ name: String, in directory: DirectoryContents, path: String, of whole: String) throws -> DiskNode {
        guard !directory.isSystem else { throw FileSystemError(errno: EPERM, operation: "mkdir", path: whole) }
        if let freeBytes, freeBytes <= 0 { throw FileSystemError(errno: ENOSPC, operation: "mkdir", path: whole) }
        let node = try makeDirectory(name, in: directory, path: path, isSystem: false)
        note(EntryChange(node: node, destination: EntryChange.Entry(directory: directory, name: name), path: path))
        return node
    }

    func list(_ path: String) throws -> [String] {
        let (node, normalized) = try find(path, "opendir")
        guard let directory = node.directory else { throw FileSystemError(errno: ENOTDIR, operation: "opendir", path: path) }
        guard !directory.isSystem else { throw FileSystemError(errno: EPERM, operation: "opendir", path: path) }
        try mirror?.refreshAll(in: directory, path: normalized)
        return directory.names
    }

    func attributes(of path: String) throws -> FileAttributes? {
        do {
            let location = try locate(path, "stat")
            return location.node?.attributes
        } catch let error as FileSystemError where [ENOENT, ENOTDIR, EPERM].contains(error.errno) {
            return nil
        }
    }

    func setExcludedFromBackup(_ excluded: Bool, at path: String) throws {
        let location = try locate(path, "setxattr")
        guard let node = location.node else { throw FileSystemError(errno: ENOENT, operation: "setxattr", path: path) }
        guard !location.directory.isSystem else { throw FileSystemError(errno: EPERM, operation: "setxattr", path: path) }
        guard node.isExcludedFromBackup != excluded else { return }
        node.isExcludedFromBackup = excluded
        note(EntryChange(node: node, destination: location.entry, exclusion: excluded, path: path))
        try mirror?.saveAttributes(of: self, concerning: node)
    }

    func extendedAttribute(_ name: String, of path: String) throws -> Data? {
        let location = try locate(path, "getxattr")
        guard let node = location.node else { throw FileSystemError(errno: ENOENT, operation: "getxattr", path: path) }
        return node.extendedAttributes[name]
    }

    private func giveBack(_ bytes: Int) {
        if let freeBytes { self.freeBytes = freeBytes + bytes }
    }

    private func contains(_ inner: DirectoryContents, in outer: DirectoryContents) -> Bool {
        if inner === outer { return true }
        return outer.entries.values.contains { $0.directory.map { contains(inner, in: $0) } ?? false }
    }
}

/// Whether entries of files may be taken out of their directories.
enum UnlinkRule {
    case always
    /// Only with the key of the file's class.
    case withKey(ClassKeys)

    func allows(_ node: DiskNode) -> Bool {
        switch self {
        case .always: true
        case .withKey(let keys): DataProtectionRules.canOpen(node.protection, with: keys)
        }
    }
}

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
            let prefix = path + "/"
            for name in directory.names {
                guard let child = directory.entries[name] else { continue }
                let childPath = prefix + name
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
