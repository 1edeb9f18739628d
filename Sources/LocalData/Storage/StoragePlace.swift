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
