import LocalData

/// What the checks need to know of a key.
struct CheckedKey {
    let reference: KeyReference
    let domain: StorageDomain
    let security: SecurityPolicy
    let availability: PlatformAvailability
    let syncPolicy: SyncPolicy
    /// The key whose value this one takes over as it is, if it always does.
    let sources: [KeyReference]

    init(_ key: ScenarioKey, at reference: KeyReference, binding: any KeyBinding) {
        self.reference = reference
        domain = binding.key.domain
        security = binding.key.security
        availability = key.availability
        syncPolicy = key.syncPolicy
        sources =
            switch (key.declaration?.migrationSource, key.declaration?.migrationCondition) {
            case (.key(let source), nil): [source]
            default: []
            }
    }

    var syncs: Bool { availability.allowsSync && syncPolicy != .never }
    /// Whether the key names a secret: a value that must lie readable nowhere else.
    var isSecret: Bool { security != .none }

    func isAvailable(on device: DeviceID) -> Bool {
        availability.isAvailable(on: device.isPhone ? .phone : .watch)
    }

    var isInPreferences: Bool {
        switch domain {
        case .userDefaults, .appGroupUserDefaults: true
        default: false
        }
    }

    var isInKeychain: Bool {
        if case .keychain = domain { true } else { false }
    }

    var isInCaches: Bool {
        switch domain {
        case .fileSystem(.caches), .encryptedFileSystem(.caches), .appGroupFileSystem(_, .caches): true
        default: false
        }
    }

    /// Whether a person has to authenticate, or an edit of biometry or passcode may end the value.
    var dependsOnPerson: Bool {
        guard case .keychain(let accessibility, let accessControl) = security else { return false }
        return accessControl != nil || accessibility == .whenPasscodeSetThisDeviceOnly
    }
}
