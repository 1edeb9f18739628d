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
