/// The physical place of a value, independent of the paths of this installation.
///
/// Two keys with equal ``physical`` would overwrite each other, whatever their names and domains.
public struct StorageLocation: Sendable, Hashable {
    /// Such as `defaults/standard/theme`, `keychain/com.example/token`, `file/documents/profile.json`.
    public let physical: String
    /// What an envelope authenticates: domain, location and key name. Never an absolute path, which changes on reinstall and restore.
    public let identity: String

    public static func == (lhs: StorageLocation, rhs: StorageLocation) -> Bool { lhs.physical == rhs.physical }
    public func hash(into hasher: inout Hasher) { hasher.combine(physical) }

    init(physical: String, identity: String) {
        self.physical = physical
        self.identity = identity
    }

    /// The place that a key declares.
    /// - Throws: ``StorageError/Code/invalidKey`` with everything that is wrong with the declaration.
    public init(of key: some StorageKey) throws {
        try self.init(name: key.name, domain: key.domain, security: key.security)
    }

    /// - Throws: ``StorageError/Code/invalidKey`` with everything that is wrong with the declaration.
    public init(name: String, domain: StorageDomain, security: SecurityPolicy) throws {
        let problems = StorageNameRules.problems(name: name, domain: domain, security: security)
        guard problems.isEmpty else { throw StorageError(.invalidKey, key: name, domain: domain.kind, facts: problems) }
        let place: String
        var stablePlace: String?
        switch domain {
        case .userDefaults(nil): place = "defaults/standard"
        case .userDefaults(let suite?): place = "defaults/suite/\(suite)"
        case .appGroupUserDefaults(let group): place = "defaults/group/\(group)"
        case .keychain(let service): place = "keychain/\(service ?? "")"
        case .fileSystem(let directory), .encryptedFileSystem(let directory):
            place = "file/" + Self.place(of: directory)
            stablePlace = "file/\(directory.kind)"
        case .appGroupFileSystem(let group, let directory):
            place = "file/group/\(group)/" + Self.place(of: directory)
            stablePlace = "file/group/\(group)/\(directory.kind)"
        }
        physical = "\(place)/\(name)"
        identity = "\(domain.kind)|\(stablePlace ?? place)|\(name)"
    }

    private static func place(of directory: FileDirectory) -> String {
        switch directory {
        case .documents, .caches: directory.kind
        case .custom(let url): "custom:\(url.standardizedFileURL.path)"
        }
    }
}
