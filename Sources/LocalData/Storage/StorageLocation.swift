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
        case .userDefaults(let suite?), .appGroupUserDefaults(let suite): place = "defaults/suite/" + Self.escaped(suite)
        case .keychain(let service): place = "keychain/" + (service.map(Self.escaped) ?? "")
        case .fileSystem(let directory), .encryptedFileSystem(let directory): place = "file/" + directory.kind
        case .appGroupFileSystem(let group, let directory): place = "group/" + Self.escaped(group) + "/" + directory.kind
        }
        let identity = FilePath.joined(place, name)
        self.init(physical: domain.directory?.customPath.map { FilePath.joined(place + $0, name) } ?? identity, identity: identity)
    }

    static func escaped(_ part: String) -> String {
        guard part.hasByte(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") }) else { return part }
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
        if Self.isPlain(path) { return path }
        var parts: [Substring] = []
        // By bytes, as the file system takes it apart: a name can begin with a mark that joins the slash before it.
        for part in path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Whether no name of a path from the root is empty, or begins with a dot: then there is nothing to resolve.
    private static func isPlain(_ path: String) -> Bool {
        var isAfterSlash = false
        let isOdd = path.hasByte { byte in
            if isAfterSlash, byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") { return true }
            isAfterSlash = byte == UInt8(ascii: "/")
            return false
        }
        return !isOdd && !isAfterSlash
    }
}

extension StorageLocation {
    /// The place as this installation has it, so that two spellings of one place are one: an app's own keychain service and its bundle identifier,
    /// its own preferences and the suite of that name, a directory and a custom URL of its path.
    func resolved(in environment: StorageEnvironment) -> String {
        if let rest = physical.suffix(after: "keychain//") {
            return "keychain/\(Self.escaped(environment.device.bundleIdentifier))/\(rest)"
        }
        if let named = physical.suffix(after: "defaults/suite/") {
            guard let rest = String(named).suffix(after: Self.escaped(environment.device.bundleIdentifier) + "/") else { return physical }
            return "defaults/standard/\(rest)"
        }
        guard let path = physical.suffix(after: "file/custom"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return physical
        }
        let directory = path[..<slash]
        let kinds: [(ContainerDirectory, FileDirectory)] = [(.documents, .documents), (.caches, .caches)]
        for (container, kind) in kinds where (try? environment.fileSystem.path(of: container)) == String(directory) {
            return "file/\(kind.kind)\(path[slash...])"
        }
        return physical
    }
}

extension StorageLocation {
    /// All that ``resolved(in:)`` may answer, now or later: which path a directory has is the file system's to say.
    func resolutions(in environment: StorageEnvironment) -> [String] {
        guard let path = physical.suffix(after: "file/custom"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return [resolved(in: environment)]
        }
        return [physical] + [FileDirectory.documents, .caches].map { "file/\($0.kind)\(path[slash...])" }
    }
}

extension String {
    /// Whether such a byte is in it. Looked at as memory, which costs a part of what its view of bytes does one by one.
    @inline(__always)
    func hasByte(where condition: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.contains(where: condition) } ?? utf8.contains(where: condition)
    }

    /// Whether all of its characters are ASCII, so that what is equal to it as text has the same bytes.
    var isASCII: Bool { !hasByte { $0 >= 0x80 } }

    /// What comes after `prefix`, by bytes; `nil` for what does not begin with it.
    package func suffix(after prefix: String) -> Substring? {
        begins(withBytesOf: prefix) ? Substring(utf8.dropFirst(prefix.utf8.count)) : nil
    }

    /// By bytes: what follows may begin with a mark that joins the prefix's last character.
    package func begins(withBytesOf prefix: String) -> Bool {
        let begins = utf8.withContiguousStorageIfAvailable { own in
            prefix.utf8.withContiguousStorageIfAvailable { wanted in
                guard own.count >= wanted.count else { return false }
                guard let place = own.baseAddress, let first = wanted.baseAddress else { return wanted.isEmpty }
                return memcmp(place, first, wanted.count) == 0
            }
        }
        return (begins ?? nil) ?? utf8.starts(with: prefix.utf8)
    }
}

/// Which helper stores the values of a key, and with what.
enum StoragePlace: Sendable, Hashable {
    case defaults(DefaultsSuite)
    case keychain(service: String?)
    case file(FileProtection)
}

extension StorageKey {
    var place: StoragePlace {
        switch domain {
        case .userDefaults(let suite): .defaults(suite.map { .named($0) } ?? .standard)
        case .appGroupUserDefaults(let identifier): .defaults(.appGroup(identifier))
        case .keychain(let service): .keychain(service: service)
        case .encryptedFileSystem: .file(.complete)
        case .fileSystem, .appGroupFileSystem: .file(.completeUntilFirstUserAuthentication)
        }
    }
}

extension StorageKey {
    /// Whether a value can be stored while the device is unlocked only, by the class of its file or keychain item.
    var isStoredWhileUnlockedOnly: Bool {
        switch place {
        case .defaults: false
        case .file(let protection): protection == .complete
        case .keychain:
            switch security.keychainAttributes.accessibility {
            case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
            case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .always, .alwaysThisDeviceOnly: false
            }
        }
    }
}

extension SecurityPolicy {
    var isEncrypted: Bool {
        if case .encrypted = self { true } else { false }
    }

    /// The attributes of a keychain item that is secured by this policy. A sealed value is within reach from the first unlock on, as the key that
    /// opens it is; without any policy the item has the system's default.
    var keychainAttributes: (accessibility: KeychainAccessibility, accessControl: KeychainAccessControl?) {
        switch self {
        case .keychain(let accessibility, let accessControl): (accessibility, accessControl)
        case .encrypted: (.afterFirstUnlock, nil)
        case .none: (.whenUnlocked, nil)
        }
    }
}

/// The places of the keys that a process uses, so that a declaration is checked once and not at every step of every operation.
///
/// A place depends on nothing but the declaration, so what is kept cannot be out of date.
/// - Note: `@unchecked Sendable`: the memory is only touched under the lock.
final class LocationCache: @unchecked Sendable {
    /// Apps have tens of keys; names that are made at run time must not pile up.
    static let maximumCount = 256

    private final class Known {
        let byteCount: Int
        let domain: StorageDomain
        let security: SecurityPolicy
        let location: StorageLocation

        init(byteCount: Int, domain: StorageDomain, security: SecurityPolicy, location: StorageLocation) {
            self.byteCount = byteCount
            self.domain = domain
            self.security = security
            self.location = location
        }
    }

    private let lock = NSLock()
    private var known: [String: Known] = [:]

    /// - Throws: ``StorageError/Code/invalidKey``, see ``StorageLocation/init(name:domain:security:)``.
    func location(of key: some StorageKey) throws -> StorageLocation {
        let (name, domain, security) = (key.name, key.domain, key.security)
        // Names that are equal as text may differ in their bytes, which an envelope authenticates. Only names of ASCII are kept, and what is equal to one
        // and as long is the same.
        let byteCount = name.utf8.count + domain.nameByteCount
        if let found = lock.withLock({ known[name] }), found.byteCount == byteCount, found.domain == domain, found.security == security {
            return found.location
        }
        let location = try StorageLocation(name: name, domain: domain, security: security)
        // What a URL of the app's own choosing stands for is the file system's to say.
        guard !domain.isCustomDirectory, location.identity.isASCII else { return location }
        lock.withLock {
            if known.count >= Self.maximumCount { known.removeAll() }
            known[name] = Known(byteCount: byteCount, domain: domain, security: security, location: location)
        }
        return location
    }
}

extension StorageDomain {
    fileprivate var isCustomDirectory: Bool {
        switch self {
        case .fileSystem(.custom), .encryptedFileSystem(.custom), .appGroupFileSystem(_, .custom): true
        default: false
        }
    }

    /// The length of the suite's, service's or group's name.
    fileprivate var nameByteCount: Int {
        switch self {
        case .userDefaults(let name), .keychain(let name): name?.utf8.count ?? 0
        case .appGroupUserDefaults(let name), .appGroupFileSystem(let name, _): name.utf8.count
        case .fileSystem, .encryptedFileSystem: 0
        }
    }
}

/// What lies at a key's place, as its domain stores it: after serialization and security.
enum StoredForm: Sendable, Hashable {
    /// Files and keychain items, and anything sealed.
    case bytes(Data)
    /// Defaults, where the value can be one.
    case propertyList(PropertyListValue)
}
