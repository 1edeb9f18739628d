import Foundation
import LocalData

/// A file, a directory or a link of a simulated disk: what directory entries point to.
final class DiskNode {
    let protection: FileProtection
    /// `nil` for a file.
    let directory: DirectoryContents?
    var isExcludedFromBackup = false

    /// The bytes of a file. Those from ``synchronizedCount`` on would not survive a power loss.
    var data = Data()
    var synchronizedCount = 0

    /// They lie with what the file system itself notes of a file, and take none of the disk's room.
    var extendedAttributes: [String: Data] = [:]
    /// Those that survive a power loss.
    var synchronizedAttributes: [String: Data] = [:]

    /// With real files: the size of a file whose bytes somebody else put there, and which were not read into ``data`` yet.
    var foreignSize: Int?
    /// With real files: none of what a device has, such as a pipe. It can be seen and removed, not opened.
    var isSpecial = false
    /// Of a symbolic link: where it leads, from the directory that it lies in. It is followed on the way to a file, not in the place of one.
    let link: String?
    /// What tells it from all others of the disk.
    let number: UInt64

    init(file protection: FileProtection, number: UInt64) {
        self.protection = protection
        self.number = number
        directory = nil
        link = nil
    }

    init(directory: DirectoryContents, number: UInt64) {
        protection = .completeUntilFirstUserAuthentication
        self.number = number
        self.directory = directory
        link = nil
    }

    init(link: String, number: UInt64) {
        protection = .completeUntilFirstUserAuthentication
        self.number = number
        self.link = link
        directory = nil
    }

    /// Whether it holds bytes of the device.
    var isFile: Bool { directory == nil && link == nil && !isSpecial }

    var size: Int { foreignSize ?? data.count }

    var attributes: FileAttributes {
        FileAttributes(
            size: directory == nil ? size : 0, isDirectory: directory != nil, isLink: link != nil,
            protection: directory == nil && link == nil ? protection : nil, isExcludedFromBackup: isExcludedFromBackup,
            identity: FileIdentity(device: 1, number: number))
    }
}

/// The entries of a directory, as they are now.
final class DirectoryContents {
    var entries: [String: DiskNode] = [:] {
        didSet { sortedNames = nil }
    }
    /// ``names``; `nil` until somebody asks.
    private var sortedNames: [String]?
    /// Whether the directory belongs to the system: the sandbox denies an app everything in it but looking at attributes.
    var isSystem: Bool
    /// How many of the disk's pending changes concern this directory.
    var pendingCount = 0
    /// Whether names that differ in case alone are one.
    let foldsCase: Bool

    init(isSystem: Bool, foldsCase: Bool) {
        self.isSystem = isSystem
        self.foldsCase = foldsCase
    }

    /// The name that an entry has here if it is found by `name`; else `name` itself.
    func spelling(of name: String) -> String {
        guard foldsCase, entries[name] == nil else { return name }
        let folded = name.lowercased()
        return entries.keys.filter { $0.lowercased() == folded }.min() ?? name
    }

    /// Sorted by UTF-8 bytes.
    var names: [String] {
        if let sortedNames { return sortedNames }
        let names = entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        sortedNames = names
        return names
    }
}

/// A change of directory entries, or of an entry's exclusion from backups, that was not synchronized yet.
///
/// Power loss can take it back. A change of two entries, a rename, is taken back as one.
struct EntryChange {
    struct Entry {
        let directory: DirectoryContents
        let name: String
    }

    let node: DiskNode
    /// The entry that went, if one did.
    var source: Entry?
    /// The entry that came, if one did.
    var destination: Entry?
    /// What the entry that came replaced.
    var replaced: DiskNode?
    /// For a change of exclusion: the new value. Its entry is ``destination``.
    var exclusion: Bool?
    /// For the choice of a power loss.
    let path: String

    func undo() {
        if let exclusion {
            node.isExcludedFromBackup = !exclusion
            return
        }
        if let destination { destination.directory.entries[destination.name] = replaced }
        if let source { source.directory.entries[source.name] = node }
    }

    func redo() {
        if let exclusion {
            node.isExcludedFromBackup = exclusion
            return
        }
        if let source { source.directory.entries[source.name] = nil }
        if let destination { destination.directory.entries[destination.name] = node }
    }

    /// Whether its entries are in two directories.
    var isCrossing: Bool {
        guard let source, let destination else { return false }
        return source.directory !== destination.directory
    }

    /// Counts it in the directories that it concerns.
    func countPending(_ step: Int) {
        source?.directory.pendingCount += step
        if let destination, destination.directory !== source?.directory { destination.directory.pendingCount += step }
    }

    func concerns(_ directory: DirectoryContents) -> Bool {
        source?.directory === directory || destination?.directory === directory
    }
}

extension EntryChange {
    /// The same, for comparing.
    struct Key: Hashable {
        let directory: ObjectIdentifier
        let name: String

        init(_ entry: Entry) {
            directory = ObjectIdentifier(entry.directory)
            name = entry.name
        }
    }

    var keys: [Key] { [source, destination].compactMap { $0.map(Key.init) } }
}
