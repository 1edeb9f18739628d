import Foundation

/// The physical place of a value, independent of the paths of this installation.
///
/// Two keys with equal ``physical`` would overwrite each other, whatever their names and domains.
public struct StorageLocation: Sendable, Hashable {
    /// Such as `defaults/standard/theme`, `keychain/com.example/token`, `file/documents/profile.json`. Parts that come from the app have `%` and `/`
    /// escaped, except the paths of custom directories.
    public let physical: String
    /// Names the value in LocalData's own records: location and key name. Never an absolute path, which changes on reinstall and restore: of a custom
    /// directory only the fact that it is one. Envelopes authenticate it too, and there a custom directory is told from others. A value keeps its identity when its key moves from ``StorageDomain/fileSystem(directory:)`` to
    /// ``StorageDomain/encryptedFileSystem(directory:)``, since it stays where it is.
    public let identity: String

    init(physical: String, identity: String) {
        self.physical = physical
        self.identity = identity
    }
}

extension StorageLocation {
    /// The place of a key's value.
    /// - Throws: ``StorageError/Code/invalidKey`` with every problem of the key's declaration in its facts.
    public init(of key: any StorageKey) throws {
        try self.init(name: key.name, domain: key.domain, security: key.security)
    }

    /// The place of the value of a key of this name, domain and security.
    /// - Throws: ``StorageError/Code/invalidKey`` with every problem in its facts.
    public init(name: String, domain: StorageDomain, security: SecurityPolicy) throws {
        let problems = KeyRules.problems(name: name, domain: domain, security: security)
        guard problems.isEmpty else { throw StorageError(.invalidKey, key: name, domain: domain.kind, facts: problems) }
        self.init(checkedName: name, domain: domain)
    }

    private init(checkedName name: String, domain: StorageDomain) {
        let name = Self.escaped(name)
        let place: String
        switch domain {
        case .userDefaults(nil): place = "defaults/standard"
        // A group's preferences are the suite of its name.
        case .userDefaults(let suite?), .appGroupUserDefaults(let suite): place = "defaults/suite/\(Self.escaped(suite))"
        case .keychain(let service): place = "keychain/\(service.map(Self.escaped) ?? "")"
        case .fileSystem(let directory), .encryptedFileSystem(let directory): place = "file/\(directory.kind)"
        case .appGroupFileSystem(let group, let directory): place = "group/\(Self.escaped(group))/\(directory.kind)"
        }
        let path = domain.directory?.customPath ?? ""
        self.init(physical: "\(place)\(path)/\(name)", identity: "\(place)/\(name)")
    }

    static func escaped(_ part: String) -> String {
        guard part.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") }) else { return part }
        var escaped = ""
        for scalar in part.unicodeScalars {
            switch scalar {
            case "/": escaped += "%2F"
            case "%": escaped += "%25"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension StorageLocation {
    /// What ``escaped(_:)`` made the part of.
    static func unescaped(_ part: some StringProtocol) -> String {
        part.replacingOccurrences(of: "%2F", with: "/").replacingOccurrences(of: "%25", with: "%")
    }
}

extension StorageDomain {
    /// The directory of a value that is a file.
    var directory: FileDirectory? {
        switch self {
        case .fileSystem(let directory), .encryptedFileSystem(let directory), .appGroupFileSystem(_, let directory): directory
        case .userDefaults, .appGroupUserDefaults, .keychain: nil
        }
    }
}

extension FileDirectory {
    /// The path of a custom directory, without `.`, `..` and repeated or trailing slashes; `nil` for other directories and for what is no absolute
    /// file URL.
    var customPath: String? {
        guard case .custom(let url) = self, url.isFileURL else { return nil }
        let path = url.path
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var parts: [Substring] = []
        // By bytes, as the file system takes it apart: a name can begin with a mark that joins the slash before it.
        for part in path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
