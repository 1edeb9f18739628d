import DeviceSim
import LocalData
import Testing

/// A domain with a policy, and which rows of the specification's tables decide whether its values are within reach.
struct ProtectedPlace: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let domain: StorageDomain
    let security: SecurityPolicy
    /// Rows of the table of files, and of the table of keychain accessibility, that the place itself needs.
    private var files: [String] = []
    private var items: [String] = []

    static let all: [ProtectedPlace] =
        [
            defaults(.userDefaults(suite: nil), .none), defaults(.userDefaults(suite: "own"), .recommended),
            defaults(.appGroupUserDefaults(identifier: "group.com.example"), .recommended),
            file(.fileSystem(directory: .documents), .none), file(.fileSystem(directory: .caches), .recommended),
            file(.appGroupFileSystem(identifier: "group.com.example", directory: .documents), .recommended),
            file(.encryptedFileSystem(directory: .documents), .recommended), item(.afterFirstUnlock, .recommended),
        ] + KeychainAccessibility.allCases.map { item($0, .keychain(accessibility: $0, accessControl: nil)) }

    private static func defaults(_ domain: StorageDomain, _ security: SecurityPolicy) -> ProtectedPlace {
        // "Before first unlock reads yield nothing": a process that is started then is in the dark.
        place(domain, security, files: ["completeUntilFirstUserAuthentication (default)"])
    }

    private static func file(_ domain: StorageDomain, _ security: SecurityPolicy) -> ProtectedPlace {
        var row = "completeUntilFirstUserAuthentication (default)"
        if case .encryptedFileSystem = domain { row = "complete" }
        return place(domain, security, files: [row])
    }

    private static func item(_ accessibility: KeychainAccessibility, _ security: SecurityPolicy) -> ProtectedPlace {
        let row = SpecificationTable.keychainAccessibility.cells.map(\.row).first {
            $0.split(separator: " ").first == accessibility.rawValue[...]
        }
        return place(.keychain(service: nil), security, items: [row ?? accessibility.rawValue])
    }

    private static func place(
        _ domain: StorageDomain, _ security: SecurityPolicy, files: [String] = [], items: [String] = []
    ) -> ProtectedPlace {
        var policy = "\(security)".prefix { $0 != "(" }
        if case .keychain(let accessibility, _) = security { policy = accessibility.rawValue[...] }
        return ProtectedPlace(
            testDescription: "\(domain.kind) \(policy)", domain: domain, security: security, files: files, items: items)
    }
}

extension ProtectedPlace {
    var isSealed: Bool { if case .encrypted = security { true } else { false } }
    var isKeychain: Bool { if case .keychain = domain { true } else { false } }

    var isDefaults: Bool {
        switch domain {
        case .userDefaults, .appGroupUserDefaults: true
        default: false
        }
    }

    /// Whether what is stored can be read and replaced, as far as the place goes.
    func isWithinReach(_ state: DeviceLockState) throws -> Bool {
        try files.allSatisfy { try SpecificationTable.files.allows($0, state) }
            && items.allSatisfy { try SpecificationTable.keychainAccessibility.allows($0, state) }
    }

    /// Whether the value can be had: also the master key, which is an item of its own.
    func isReadable(_ state: DeviceLockState) throws -> Bool {
        try isWithinReach(state) && (!isSealed || SpecificationTable.keychainAccessibility.allows("afterFirstUnlock", state))
    }
}

extension SpecificationTable {
    fileprivate func allows(_ row: String, _ state: DeviceLockState) throws -> Bool {
        let column =
            switch state {
            case .beforeFirstUnlock: "before first unlock"
            case .locked: "locked"
            case .unlocked: "unlocked"
            }
        return try #require(cells.first { $0.row == row && $0.column == column }, "\(row), \(column)").value == "ok"
    }
}
