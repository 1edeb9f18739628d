import Foundation
import LocalData

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
            try translating(path) { try folder.removeTree(at: path) }
        }
        try disk.visit { path, node in
            if node.directory != nil {
                try createDirectory(at: path)
            } else if let destination = node.link {
                guard before.nodes[path] !== node else { return }
                try translating(path) { try folder.removeTree(at: path) }
                try createLink(at: path, to: destination)
            } else if before.nodes[path] !== node || before.pending.contains(ObjectIdentifier(node)), node.isFile {
                try translating(path) { try folder.replace(String(path.dropFirst()), with: node.data) }
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
