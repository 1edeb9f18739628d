/// Finds declarations that defeat themselves: each part is allowed, together they do not do what they say.
enum StorageKeyLinter {
    static func warnings(for key: StorageKeyDescriptor) -> [String] {
        keychainWarnings(for: key) + sealWarnings(for: key) + syncWarnings(for: key) + placeWarnings(for: key) + sharingWarnings(for: key)
    }

    private static func keychainWarnings(for key: StorageKeyDescriptor) -> [String] {
        guard case .keychain(let accessibility, let control) = key.security else { return [] }
        var warnings: [String] = []
        if accessibility.isDeprecated {
            warnings.append("accessibility \(accessibility.rawValue) is deprecated by Apple; use afterFirstUnlock or a stricter one")
        }
        if let control, accessibility.isReadableInBackground {
            warnings.append(
                "access control \(control.rawValue) asks a person, which nothing in the background can; "
                    + "accessibility \(accessibility.rawValue) is meant for the background")
        }
        if let control, key.travels {
            warnings.append(
                "access control \(control.rawValue) asks a person, which a sync cannot; after a relaunch the value is not sent until it is set again"
            )
        }
        if accessibility.isThisDeviceOnly, key.travels {
            warnings.append("accessibility \(accessibility.rawValue) keeps the value on this device, its sync policy sends it to another")
        }
        return warnings
    }

    private static func sealWarnings(for key: StorageKeyDescriptor) -> [String] {
        var warnings: [String] = []
        if let iterations = key.security.pbkdf2Iterations, iterations < SecurityPolicy.KeyDerivation.defaultPBKDF2Iterations {
            warnings.append(
                "\(iterations) iterations of PBKDF2 are few: what a person chose is guessed soon; "
                    + "\(SecurityPolicy.KeyDerivation.defaultPBKDF2Iterations) are the default")
        }
        if key.security.isEncrypted, key.formerSecurity.contains(where: { !$0.isEncrypted }) {
            warnings.append("a plain value is still read, as a former policy says: who can write at the place can give the key a value")
        }
        return warnings
    }

    private static func syncWarnings(for key: StorageKeyDescriptor) -> [String] {
        var warnings: [String] = []
        if key.syncPolicy != .never, !key.availability.allowsSync {
            warnings.append("sync policy \(key.syncPolicy.rawValue) has no effect with availability \(key.availability.rawValue)")
        }
        if key.availability == .phoneWithWatchSync, key.syncPolicy == .never {
            warnings.append("availability phoneWithWatchSync has no effect with sync policy never")
        }
        if case .encryptedFileSystem = key.domain, key.travels {
            warnings.append("complete file protection refuses writes on a locked device, where synced values arrive in the background")
        }
        if case .fileSystem(.caches) = key.domain, key.travels {
            warnings.append("the system purges caches; a synced value that was not sent yet is lost then")
        }
        return warnings
    }

    /// What an App Group shares and the keychain does not, and the other way round.
    private static func sharingWarnings(for key: StorageKeyDescriptor) -> [String] {
        var warnings: [String] = []
        if let group = key.domain.sharedGroup, key.accessGroup == nil, key.security.isSealedByMasterKey {
            warnings.append(
                "the value lies in the App Group \(group) and its master key in this app's own keychain: an extension cannot open it; "
                    + "declare an access group, such as \(group)")
        }
        if let group = key.accessGroup {
            switch key.domain {
            case .keychain(nil):
                warnings.append(
                    "access group \(group) has no effect without a service: each process looks under its own bundle identifier")
            case .keychain:
                if key.security.isEncrypted, !key.security.isSealedByMasterKey {
                    warnings.append(
                        "access group \(group) shares the keychain item and not the key that seals it: each process must supply the same key material"
                    )
                }
            default:
                if !key.security.isSealedByMasterKey {
                    warnings.append("access group \(group) has no effect: no master key seals the value, and it is no keychain item")
                }
            }
        }
        if key.missingKeyPolicy == .discard, key.accessGroup != nil || key.domain.sharedGroup != nil, key.security.isSealedByMasterKey {
            warnings.append("missing key policy discard has no effect where another process may have the key")
        }
        return warnings
    }

    private static func placeWarnings(for key: StorageKeyDescriptor) -> [String] {
        var warnings: [String] = []
        switch key.domain {
        case .userDefaults, .appGroupUserDefaults:
            if key.valueType == "Data" || key.serializer == "data" {
                warnings.append("defaults are read and written as a whole; large data belongs into a file")
            }
        case .keychain, .fileSystem, .encryptedFileSystem, .appGroupFileSystem: break
        }
        if case .encrypted(.external) = key.security, key.isBackedUp {
            warnings.append("the value is backed up, its key material is not: a restored device needs the provider to supply the same")
        }
        if key.missingKeyPolicy == .discard, !key.security.isSealedByMasterKey {
            warnings.append("missing key policy discard has no effect: no master key of this device seals the value")
        }
        return warnings
    }
}

extension StorageKeyDescriptor {
    /// Whether values leave the device.
    var travels: Bool { availability.allowsSync && syncPolicy != .never }

    /// Whether no choice at run time switches its sync on: it declares none, and an extension of the app may have it, which sees no choices.
    var isSwitchedByDeclarationAlone: Bool { syncPolicy == .never && domain.mayBeOfExtension(accessGroup: accessGroup) }

    /// Whether the stored form is part of the device's backup.
    var isBackedUp: Bool {
        switch domain {
        case .userDefaults, .appGroupUserDefaults, .fileSystem(.documents), .encryptedFileSystem(.documents): true
        case .appGroupFileSystem(_, .documents): true
        case .keychain, .fileSystem, .encryptedFileSystem, .appGroupFileSystem: false
        }
    }
}

extension StorageDomain {
    /// The App Group whose processes share the value, as far as the domain says so.
    var appGroup: String? {
        switch self {
        case .appGroupUserDefaults(let identifier), .appGroupFileSystem(let identifier, _): identifier
        case .userDefaults, .keychain, .fileSystem, .encryptedFileSystem: nil
        }
    }
}

extension SecurityPolicy {
    /// `nil` where no key is derived so.
    fileprivate var pbkdf2Iterations: Int? {
        let derivation: KeyDerivation? =
            switch self {
            case .encrypted(.aes256(let derivation)), .encrypted(.chacha20Poly1305(let derivation)),
                .encrypted(.external(_, let derivation)):
                derivation
            case .keychain, .none: nil
            }
        guard case .pbkdf2(let iterations, _)? = derivation else { return nil }
        return iterations ?? KeyDerivation.defaultPBKDF2Iterations
    }

    var isSealedByMasterKey: Bool {
        switch self {
        case .encrypted(.aes256), .encrypted(.chacha20Poly1305): true
        case .encrypted(.external), .keychain, .none: false
        }
    }
}

extension KeychainAccessibility {
    var isDeprecated: Bool { self == .always || self == .alwaysThisDeviceOnly }

    var isThisDeviceOnly: Bool {
        switch self {
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .whenUnlocked, .afterFirstUnlock, .always: false
        }
    }

    var isReadableInBackground: Bool {
        switch self {
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .always, .alwaysThisDeviceOnly: true
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: false
        }
    }
}

/// Migrations that get in each other's way, or in that of a key in use.
extension StorageKeyLinter {
    static func migrationWarnings(for entry: CatalogRegistry.Entry, among declared: DeclaredPlaces) -> [String] {
        guard let key = entry.key?.base else { return [] }
        var warnings: [String] = []
        let own = (try? StorageLocation(of: entry.descriptor))?.physical
        if entry.descriptor.travels, let own {
            for other in declared.keysNamedBefore(key.name, besides: own) where other != key.name {
                warnings.append(
                    "its name is that which the value of '\(other)' had before, and synced by: what was sent then, and a counterpart that was not "
                        + "updated, has that value under it")
            }
        }
        for source in key.migration?.base.sourceKeys.map(\.base) ?? [] {
            guard let place = try? StorageLocation(of: source).physical else { continue }
            if place == own {
                warnings.append(
                    "its migration's source '\(source.name)' is its own place: what the counterpart sends in an older form is brought over, and "
                        + "nothing that lies here, nor what lies further back")
            }
            for (name, isThere) in declared.keys(at: place) where name != key.name {
                if isThere {
                    warnings.append(
                        "its migration's source '\(source.name)' is the key '\(name)', which is in use: the value is copied once, "
                            + "and the source stays")
                } else {
                    warnings.append(
                        "its migration's source '\(source.name)' is that of '\(name)' as well: it stays until both have their values")
                }
            }
        }
        return warnings
    }

    /// Which keys of a list are at a place, or migrate directly from it, by ``StorageLocation/physical``.
    struct DeclaredPlaces {
        private var keys: [String: [Int: (name: String, isThere: Bool)]] = [:]
        /// By the names of synced sources, near and far: which key has their values now, and where they were.
        private var formerNames: [String: [(key: String, place: String)]] = [:]

        init(_ entries: [CatalogRegistry.Entry]) {
            for (index, entry) in entries.enumerated() {
                let name = entry.descriptor.name
                for source in entry.key?.base.migration?.base.sourceKeys ?? [] {
                    guard let place = (try? StorageLocation(of: source.base))?.physical else { continue }
                    keys[place, default: [:]][index] = (name, false)
                }
                if let place = (try? StorageLocation(of: entry.descriptor))?.physical { keys[place, default: [:]][index] = (name, true) }
                for source in entry.key?.base.allSources ?? [] where source.name != name && source.syncPolicy != .never {
                    guard let place = (try? StorageLocation(of: source))?.physical else { continue }
                    formerNames[source.name, default: []].append((name, place))
                }
            }
        }

        /// The keys whose values had a name at places other than this one, in the order of the list.
        func keysNamedBefore(_ name: String, besides place: String) -> [String] {
            formerNames[name]?.filter { $0.place != place }.map(\.key) ?? []
        }

        /// In the order of the list.
        func keys(at place: String) -> [(name: String, isThere: Bool)] {
            keys[place]?.sorted { $0.key < $1.key }.map(\.value) ?? []
        }
    }
}

extension StorageLocation {
    /// The place of the key that a catalog describes.
    init(of key: StorageKeyDescriptor) throws {
        try self.init(name: key.name, domain: key.domain, security: key.security)
    }
}
