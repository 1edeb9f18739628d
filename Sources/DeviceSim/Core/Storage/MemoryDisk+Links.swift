import Foundation
import LocalData

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
    func walkAsFarAsPossible(_ components: [String], _ operation: String, _ path: String, depth: Int = 0) throws -> PathEnd {
        guard depth <= Self.linkLimit else { throw FileSystemError(errno: ELOOP, operation: operation, path: path) }
        var rest = Array(components.reversed())
        var (node, canonical) = (root, [String]())
        while let component = rest.popLast() {
            guard let directory = node.directory else { throw FileSystemError(errno: ENOTDIR, operation: operation, path: path) }
            let name = directory.spelling(of: component)
            if let mirror { try mirror.refresh(name, in: directory, path: DiskPath.joined(canonical + [name])) }
            guard let next = directory.entries[name] else {
                if node === root, component == Self.rootAlias { continue }
                return PathEnd(node: node, canonical: canonical, missing: [component] + rest.reversed())
            }
            guard let link = next.link else {
                node = next
                canonical.append(name)
                continue
            }
            // A link whose end is missing is no name that something could get.
            let target = try DiskPath.components(of: Self.destination(of: link, in: canonical), operation: operation)
            let end = try walkAsFarAsPossible(target, operation, path, depth: depth + 1)
            guard end.missing.isEmpty else { throw FileSystemError(errno: ENOENT, operation: operation, path: path) }
            (node, canonical) = (end.node, end.canonical)
        }
        return PathEnd(node: node, canonical: canonical, missing: [])
    }

    private static func destination(of link: String, in directory: [String]) -> String {
        link.utf8.first == UInt8(ascii: "/") ? link : DiskPath.joined(directory + [link])
    }

    func canonicalDirectory(at path: String) throws -> CanonicalDirectory {
        let end = try walkAsFarAsPossible(DiskPath.components(of: path, operation: "realpath"), "realpath", path)
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
