import Foundation
import LocalData

/// What lies on the device, for expectations, checkers and audits. Looking counts as no operation and needs no key.
extension DeviceStorage {
    /// A file of the app or of one of its groups.
    public struct StoredFile: Sendable, Hashable {
        /// From the container on: `Documents/notes`, `Library/Caches/x`, `AppGroup/group.com.example/y`, `Widget/Documents/z`.
        public let path: String
        /// In bytes.
        public let size: Int
        /// The data protection class.
        public let protection: FileProtection
        /// Whether backups leave it out.
        public let isExcludedFromBackup: Bool
        /// Whether its bytes would survive a power loss. Its entry may still not.
        public let isSynchronized: Bool
    }

    /// All files, in the order of their paths. Preferences are not among them, also where they are real files.
    public func storedFiles() throws -> [StoredFile] {
        var files: [StoredFile] = []
        try visitFiles { path, node, _ in
            files.append(
                StoredFile(
                    path: path, size: node.size, protection: node.protection, isExcludedFromBackup: node.isExcludedFromBackup,
                    isSynchronized: node.foreignSize != nil || node.synchronizedCount == node.data.count))
        }
        return files
    }

    /// The bytes of a file, by the path that ``storedFiles()`` gives; `nil` where there is none.
    public func storedBytes(ofFile path: String) throws -> Data? {
        var bytes: Data?
        try visitFiles { candidate, node, diskPath in
            if candidate == path { bytes = try disk.mirror?.contents(of: node, at: diskPath) ?? node.data }
        }
        return bytes
    }

    /// All files with their bytes, in the order of their paths, which are as ``storedFiles()`` gives them.
    package func storedFileContents() throws -> [(path: String, bytes: Data)] {
        var files: [(path: String, bytes: Data)] = []
        try visitFiles { path, node, diskPath in
            files.append((path, try disk.mirror?.contents(of: node, at: diskPath) ?? node.data))
        }
        return files
    }

    /// A value in a suite of preferences.
    public struct StoredPreference: Sendable, Hashable {
        /// The suite that it is in.
        public let suite: DefaultsSuite
        /// The name that it is stored under.
        public let key: String
        /// What is stored.
        public let value: PropertyListValue
    }

    /// All preferences, by suite and key.
    public func storedPreferences() throws -> [StoredPreference] {
        try preferences.contents().flatMap { place, values in
            values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { key, value in
                StoredPreference(suite: suite(at: place), key: key, value: value)
            }
        }
    }

    /// All keychain items, with their secrets, by service and account.
    public func storedKeychainItems() throws -> [KeychainItem] {
        try keychain.contents()
    }

    /// Where the bytes occur: `file Documents/x`, `preference com.example.app key`, `keychain service/account`.
    ///
    /// Nothing is decoded: what is stored as text is found as UTF-8.
    public func places(containing bytes: Data) throws -> [String] {
        try storedContents().places(containing: bytes)
    }

    /// All that lies on the device, to be searched.
    package func storedContents() throws -> StoredContents {
        var contents = StoredContents()
        try visitFiles { path, node, diskPath in
            contents.add(try disk.mirror?.contents(of: node, at: diskPath) ?? node.data, at: "file \(path)")
        }
        for preference in try storedPreferences() {
            contents.add(preference.value.canonicalBytes, at: "preference \(name(of: preference.suite)) \(preference.key)")
        }
        for item in try storedKeychainItems() {
            let place = "keychain \(item.service)/\(item.account)"
            contents.add(item.data, at: place)
            if let generic = item.generic { contents.add(generic, at: place) }
        }
        return contents
    }

    /// Something that lies on the device, with its bytes.
    package struct StoredThing: Sendable {
        package enum Kind: String, Sendable {
            case file, preference, keychain
        }

        package let kind: Kind
        /// A path from the container on, a suite and key, or a service and account.
        package let name: String
        package let bytes: Data
        /// The class of data protection, or the item's accessibility; empty for preferences.
        package let protection: String
        /// Whether a power loss would leave its bytes. Of preferences it is not told.
        package let isSynchronized: Bool
        /// Whether backups pass over it.
        package var isExcludedFromBackup = false
        /// What lies beside its bytes, by name: extended attributes of a file, what other attributes an item has.
        package var beside: [(name: String, bytes: Data)] = []
    }

    /// All that lies on the device: files, preferences, keychain items, each in the order of their names.
    package func storedThings() throws -> [StoredThing] {
        var things: [StoredThing] = []
        try visitFiles { path, node, diskPath in
            things.append(
                StoredThing(
                    kind: .file, name: path, bytes: try disk.mirror?.contents(of: node, at: diskPath) ?? node.data,
                    protection: node.protection.rawValue,
                    isSynchronized: node.foreignSize != nil || node.synchronizedCount == node.data.count,
                    isExcludedFromBackup: node.isExcludedFromBackup,
                    beside: node.extendedAttributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
        }
        for preference in try storedPreferences() {
            things.append(
                StoredThing(
                    kind: .preference, name: "\(name(of: preference.suite)) \(preference.key)", bytes: preference.value.canonicalBytes,
                    protection: "", isSynchronized: true))
        }
        for item in try storedKeychainItems() {
            things.append(
                StoredThing(
                    kind: .keychain, name: "\(item.service)/\(item.account)", bytes: item.data, protection: item.accessibility.rawValue,
                    isSynchronized: true, beside: item.generic.map { [("generic", $0)] } ?? []))
        }
        return things
    }

    private func suite(at place: SimulatedPreferences.Place) -> DefaultsSuite {
        if let group = place.group { return .appGroup(group) }
        return place.name == bundleIdentifier ? .standard : .named(place.name)
    }

    /// Calls `body` with each ordinary file: its path from the container on, and its path on the disk.
    private func visitFiles(_ body: (String, DiskNode, String) throws -> Void) throws {
        if !isPrepared { try prepare() }
        try disk.mirror?.refreshTree(of: disk)
        let containerPrefix = containerPath + "/"
        let widgetPrefix = widgetPaths.container + "/"
        let groupsPrefix = Self.groupsPrefix
        try disk.visit { path, node in
            guard node.isFile else { return }
            if let relative = path.suffix(after: containerPrefix).map(String.init) {
                if !relative.hasPrefix("Library/Preferences/") { try body(relative, node, path) }
            } else if let relative = path.suffix(after: widgetPrefix).map(String.init) {
                if !relative.hasPrefix("Library/Preferences/") { try body("Widget/" + relative, node, path) }
            } else if let relative = path.suffix(after: groupsPrefix).map(String.init) {
                let isPreference = relative.split(separator: "/").dropFirst().prefix(2) == ["Library", "Preferences"]
                if !isPreference { try body("AppGroup/" + relative, node, path) }
            }
        }
    }
}
