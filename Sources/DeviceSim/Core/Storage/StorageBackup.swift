import Foundation
import LocalData

/// What a backup holds of a device's storage: containers without caches and what is excluded, preferences, and the keychain.
///
/// Source: *Files* and *Keychain accessibility* of the specification of data protection.
struct StorageBackup: Sendable {
    /// A file or a directory, by its place in the app's container (`group` is `nil`) or a group's.
    struct Entry: Sendable, Hashable {
        let group: String?
        let path: [String]
        /// `nil` for a directory.
        let file: File?
    }

    struct File: Sendable, Hashable {
        let data: Data
        let protection: FileProtection
        let extendedAttributes: [String: Data]
    }

    struct Suite: Sendable {
        let place: SimulatedPreferences.Place
        let values: [String: PropertyListValue]
    }

    /// Parents before what is in them.
    var entries: [Entry] = []
    var suites: [Suite] = []
    /// All items. Which of them come back depends on where to.
    var keychain: [SimulatedKeychain.Stored] = []

    /// Without files.
    var settingsAlone: StorageBackup {
        var backup = self
        backup.entries = []
        return backup
    }
}

/// Backups as the system makes and restores them: past the sandbox and past data protection.
extension DeviceStorage {
    /// What a backup of now holds.
    /// - Throws: what reading real files gives.
    func makeBackup() throws -> StorageBackup {
        if !isPrepared { try prepare() }
        try disk.mirror?.refreshTree(of: disk)
        var backup = StorageBackup()
        var excluded: [String] = []
        try disk.visit { path, node in
            guard let place = place(ofPath: path), !excluded.contains(where: { path.hasPrefix($0) }) else { return }
            guard !node.isExcludedFromBackup, !Self.isLeftOut(place.path, isGroup: place.group != nil) else {
                excluded.append(path + "/")
                return
            }
            guard node.directory != nil || node.isFile else { return }
            let file: StorageBackup.File? =
                node.directory == nil
                ? .init(
                    data: try disk.mirror?.contents(of: node, at: path) ?? node.data, protection: node.protection,
                    extendedAttributes: node.extendedAttributes) : nil
            backup.entries.append(.init(group: place.group, path: place.path, file: file))
        }
        backup.suites = try preferences.contents().map { .init(place: $0.place, values: $0.values) }
        backup.keychain = try keychain.storedItems()
        return backup
    }

    /// Replaces everything that the device stores by what a backup holds; nothing is merged. All of it is durable at once.
    /// - Parameter keeps: which keychain items come back.
    /// - Throws: what writing gives, such as ENOSPC; then the files that were restored so far are there, each whole.
    func restore(_ backup: StorageBackup, keeping keeps: (KeychainItem) -> Bool) throws {
        if !isPrepared { try prepare() }
        try removeContainers { _ in false }
        lockedAt = nil
        try renewContainer()
        try prepare()
        for entry in backup.entries { try put(entry) }
        for suite in backup.suites {
            for (key, value) in suite.values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                try preferences.set(value, forKey: key, in: suite.place)
            }
        }
        disk.synchronizeAll()
        preferences.synchronizeAll()
        keychainGrew(by: try keychain.replaceAll(with: backup.keychain.filter { keeps($0.item) }))
    }

    private func put(_ entry: StorageBackup.Entry) throws {
        let base = entry.group.map { Self.groupsPath + [$0] } ?? DiskPath.plainComponents(of: containerPath) ?? []
        let depth = entry.group == nil ? base.count : Self.groupsPath.count
        guard let file = entry.file else { return try disk.makeSystemPath(base + entry.path, systemDepth: depth) }
        try disk.makeSystemPath(base + entry.path.dropLast(), systemDepth: depth)
        let path = DiskPath.joined(base + entry.path)
        let keys = ClassKeys(.unlocked)
        let (node, real) = try disk.createFile(at: path, protection: file.protection, keys: keys)
        do {
            try disk.append(file.data, to: node, keys: keys, real: real, path: path)
            node.extendedAttributes = file.extendedAttributes
            try real?.close()
        } catch {
            // What has no room is not restored; the app finds no part of a file.
            try? real?.close()
            try disk.removeTree(at: path)
            throw error
        }
    }

    /// Where a path of the disk belongs, if it lies in a container.
    private func place(ofPath path: String) -> (group: String?, path: [String])? {
        func components(after prefix: String) -> [String]? {
            path.hasPrefix(prefix) ? path.dropFirst(prefix.count).split(separator: "/").map(String.init) : nil
        }
        if let inside = components(after: containerPath + "/") { return (nil, inside) }
        guard let inside = components(after: DiskPath.joined(Self.groupsPath) + "/"), let group = inside.first else { return nil }
        return (group, Array(inside.dropFirst()))
    }

    /// Caches and `tmp` are in no backup; preferences are, as suites.
    private static func isLeftOut(_ path: [String], isGroup: Bool) -> Bool {
        path == ["Library", "Caches"] || path == ["Library", "Preferences"] || (!isGroup && path == ["tmp"])
    }
}
