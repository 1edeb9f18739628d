import Foundation

/// What a key's name, domain and security must be, so that its value can be stored.
enum KeyRules {
    /// LocalData's own records lie beside the app's values under names that begin like this.
    static let reservedPrefix = "com.localdata."
    /// What a ``StorageKey/schemaVersion`` may be, on devices of any width.
    static let schemaVersions = 1...Int(Int32.max)
    /// The longest file name of the file systems in use, in UTF-8 bytes.
    static let maximumFileNameLength = 255
    /// The longest name in preferences and the keychain, in UTF-8 bytes.
    static let maximumNameLength = 1024

    /// Everything that is wrong with a declaration. Empty if it can work.
    static func problems(name: String, domain: StorageDomain, security: SecurityPolicy) -> [String] {
        var problems = nameProblems(name, of: "name", limit: domain.directory == nil ? maximumNameLength : maximumFileNameLength)
        switch domain {
        case .userDefaults(let suite):
            if let suite {
                problems +=
                    nameProblems(suite, of: "suite", limit: maximumFileNameLength - ".plist".utf8.count)
                    + folderProblems(suite, of: "suite")
            }
        case .appGroupUserDefaults(let identifier):
            problems += groupProblems(identifier)
        case .keychain(let service):
            if let service { problems += nameProblems(service, of: "service", limit: maximumNameLength) }
        case .fileSystem(let directory), .encryptedFileSystem(let directory):
            problems += folderProblems(name, of: "file name") + directoryProblems(directory)
        case .appGroupFileSystem(let identifier, let directory):
            problems += groupProblems(identifier) + folderProblems(name, of: "file name") + directoryProblems(directory)
        }
        return problems + securityProblems(security, in: domain)
    }

    private static func nameProblems(_ name: String, of what: String, limit: Int) -> [String] {
        guard !name.isEmpty else { return ["the \(what) is empty"] }
        var problems: [String] = []
        let length = name.utf8.count
        if length > limit { problems.append("the \(what) has \(length) bytes; at most \(limit) are possible") }
        // The properties of a character are looked up in tables; most names are ASCII, where control characters are those of C0 and DEL.
        let isPlain = !name.hasByte { !(0x20...0x7E).contains($0) }
        if !isPlain, name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            problems.append("the \(what) contains a control character")
        }
        // Another spelling of it would be the same name to Swift and to some systems, and another one to ciphers and to the counterpart.
        if !isPlain, !name.precomposedStringWithCanonicalMapping.utf8.elementsEqual(name.utf8) {
            problems.append("the \(what) is not composed (Unicode's NFC); give its precomposedStringWithCanonicalMapping")
        }
        if isReserved(name) { problems.append("the \(what) begins with '\(reservedPrefix)', which is LocalData's own") }
        return problems
    }

    /// By bytes, and in any case: a volume may take other letters for the same, and a mark after the dot leaves the name where it is.
    private static func isReserved(_ name: String) -> Bool {
        name.utf8.prefix(reservedPrefix.utf8.count).lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.elementsEqual(
            reservedPrefix.utf8)
    }

    /// What would let a file or folder of that name escape its directory, hide there, or be taken for one of LocalData's.
    private static func folderProblems(_ name: String, of what: String) -> [String] {
        var problems: [String] = []
        if name.hasByte(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            problems.append("the \(what) contains a path separator")
        }
        if name.utf8.first == UInt8(ascii: ".") { problems.append("the \(what) begins with a dot") }
        return problems
    }

    private static func groupProblems(_ identifier: String) -> [String] {
        nameProblems(identifier, of: "App Group identifier", limit: maximumFileNameLength - ".plist".utf8.count)
            + folderProblems(identifier, of: "App Group identifier")
    }

    private static func directoryProblems(_ directory: FileDirectory) -> [String] {
        guard case .custom = directory else { return [] }
        guard let path = directory.customPath else { return ["the custom directory is no absolute file URL"] }
        guard !path.utf8.contains(0) else { return ["the custom directory contains a control character"] }
        return []
    }

    private static func securityProblems(_ security: SecurityPolicy, in domain: StorageDomain) -> [String] {
        switch (security, domain) {
        case (.keychain, .keychain): []
        case (.keychain, _): ["keychain security needs the keychain domain; '\(domain.kind)' can be secured by encryption"]
        case (.encrypted, _): []
        case (.none, .encryptedFileSystem): ["the encryptedFileSystem domain needs an encryption policy"]
        case (.none, _): []
        }
    }
}
