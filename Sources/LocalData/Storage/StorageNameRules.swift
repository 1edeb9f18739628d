import Foundation

/// What makes a key's declaration unusable.
enum StorageNameRules {
    /// Names that LocalData uses itself, in preferences, keychain and files.
    static let reservedPrefix = "com.localdata."
    /// Bytes of UTF-8. Leaves room for the temporary name of a file within the 255 that file systems allow.
    static let maximumByteCount = 200

    /// Everything that is wrong, each for a person to read. Empty if the key can be used.
    static func problems(name: String, domain: StorageDomain, security: SecurityPolicy) -> [String] {
        var problems = nameProblems(name)
        if isFile(domain) { problems += fileNameProblems(name) }
        problems += domainProblems(domain)
        problems += securityProblems(domain, security)
        return problems
    }

    private static func nameProblems(_ name: String) -> [String] {
        var problems: [String] = []
        if name.isEmpty { problems.append("the name is empty") }
        if name.utf8.count > maximumByteCount {
            problems.append("the name has \(name.utf8.count) bytes, and at most \(maximumByteCount) fit")
        }
        if name.hasPrefix(reservedPrefix) { problems.append("names that begin with '\(reservedPrefix)' are LocalData's own") }
        if name.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }),
            name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        {
            problems.append("the name has a control character")
        }
        return problems
    }

    private static func fileNameProblems(_ name: String) -> [String] {
        var problems: [String] = []
        if name.contains("/") { problems.append("a file's name cannot have '/'; choose a directory by the domain") }
        if name.hasPrefix(".") { problems.append("a file's name cannot begin with '.'") }
        return problems
    }

    private static func domainProblems(_ domain: StorageDomain) -> [String] {
        switch domain {
        case .userDefaults(let suite?) where suite.isEmpty: ["the suite's name is empty; use nil for the app's own preferences"]
        case .appGroupUserDefaults(let group) where group.isEmpty, .appGroupFileSystem(let group, _) where group.isEmpty:
            ["the App Group's identifier is empty"]
        case .keychain(let service?) where service.hasPrefix(reservedPrefix):
            ["services that begin with '\(reservedPrefix)' are LocalData's own"]
        case .keychain(let service?) where service.isEmpty: ["the service is empty; use nil for the app's bundle identifier"]
        case .fileSystem(.custom(let url)) where !isUsable(url), .encryptedFileSystem(.custom(let url)) where !isUsable(url),
            .appGroupFileSystem(_, .custom(let url)) where !isUsable(url):
            ["the directory is not an absolute file URL"]
        default: []
        }
    }

    private static func securityProblems(_ domain: StorageDomain, _ security: SecurityPolicy) -> [String] {
        switch (domain, security) {
        case (.keychain, _): []
        case (_, .keychain): ["keychain security is for keys of the keychain domain, not of \(domain.kind)"]
        case (.encryptedFileSystem, .none): ["encryptedFileSystem needs an encryption policy; leave 'security' out for the recommended one"]
        default: []
        }
    }

    static func isFile(_ domain: StorageDomain) -> Bool {
        switch domain {
        case .fileSystem, .encryptedFileSystem, .appGroupFileSystem: true
        case .userDefaults, .appGroupUserDefaults, .keychain: false
        }
    }

    private static func isUsable(_ url: URL) -> Bool { url.isFileURL && url.path.hasPrefix("/") }
}
