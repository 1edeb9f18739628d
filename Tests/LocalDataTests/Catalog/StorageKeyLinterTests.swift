import Testing

@testable import LocalData

@Suite struct StorageKeyLinterTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: StorageKeyDescriptor
        /// What the only warning contains; `nil` for a sound declaration.
        let warning: String?
    }

    static func key(
        _ domain: StorageDomain, _ security: SecurityPolicy = .none, availability: PlatformAvailability = .all, sync: SyncPolicy = .never,
        type: String = "String", missingKey: MissingKeyPolicy = .report, accessGroup: String? = nil
    ) -> StorageKeyDescriptor {
        StorageKeyDescriptor(
            name: "k", domain: domain, security: security, serializer: "json", owner: "o", description: "d", availability: availability,
            syncPolicy: sync, missingKeyPolicy: missingKey, accessGroup: accessGroup, valueType: type)
    }

    static let cases: [Case] = [
        Case(testDescription: "a plain setting", key: key(.userDefaults(suite: nil), sync: .automaticSmall), warning: nil),
        Case(
            testDescription: "a token", key: key(.keychain(service: nil), .keychain(accessibility: .afterFirstUnlock, accessControl: nil)),
            warning: nil),
        Case(
            testDescription: "a guarded token",
            key: key(.keychain(service: nil), .keychain(accessibility: .whenUnlocked, accessControl: .biometryAny)), warning: nil),
        Case(
            testDescription: "always", key: key(.keychain(service: nil), .keychain(accessibility: .always, accessControl: nil)),
            warning: "deprecated by Apple"),
        Case(
            testDescription: "background and a person",
            key: key(.keychain(service: nil), .keychain(accessibility: .afterFirstUnlock, accessControl: .userPresence)),
            warning: "nothing in the background can"),
        Case(
            testDescription: "sync and a person",
            key: key(
                .keychain(service: nil), .keychain(accessibility: .whenUnlocked, accessControl: .devicePasscode), sync: .automaticSmall),
            warning: "which a sync cannot"),
        Case(
            testDescription: "this device only and sync",
            key: key(
                .keychain(service: nil), .keychain(accessibility: .afterFirstUnlockThisDeviceOnly, accessControl: nil), sync: .manual),
            warning: "keeps the value on this device"),
        Case(
            testDescription: "complete protection and background writes",
            key: key(.encryptedFileSystem(directory: .documents), .recommended, sync: .automaticSmall), warning: "complete file protection"),
        Case(
            testDescription: "sealed in an App Group by a key that only the app has",
            key: key(.appGroupFileSystem(identifier: "group.g", directory: .caches), .recommended), warning: "declare an access group"),
        Case(
            testDescription: "sealed in an App Group's preferences by a key that only the app has",
            key: key(.appGroupUserDefaults(identifier: "group.g"), .recommended), warning: "an extension cannot open it"),
        Case(
            testDescription: "sealed in an App Group by a shared key",
            key: key(.appGroupFileSystem(identifier: "group.g", directory: .caches), .recommended, accessGroup: "group.g"), warning: nil),
        Case(testDescription: "plain in an App Group", key: key(.appGroupUserDefaults(identifier: "group.g")), warning: nil),
        Case(
            testDescription: "discarded, and another process may have the key",
            key: key(
                .appGroupFileSystem(identifier: "group.g", directory: .caches), .recommended, missingKey: .discard, accessGroup: "group.g"),
            warning: "discard has no effect where another process"),
        Case(
            testDescription: "an access group of a plain value", key: key(.userDefaults(suite: nil), accessGroup: "group.g"),
            warning: "no master key seals the value"),
        Case(
            testDescription: "a shared item whose service each process calls by its own name",
            key: key(.keychain(service: nil), .keychain(accessibility: .afterFirstUnlock, accessControl: nil), accessGroup: "group.g"),
            warning: "without a service"),
        Case(
            testDescription: "a shared item, sealed by a key that lies outside of the group",
            key: key(
                .keychain(service: "s"), .encrypted(.external(source: KeyMaterialSource(id: "s"), keyDerivation: .hkdf())),
                accessGroup: "group.g"),
            warning: "not the key that seals it"),
        Case(
            testDescription: "a shared item, sealed by a key of the group",
            key: key(.keychain(service: "s"), .recommended, accessGroup: "group.g"), warning: nil),
        Case(
            testDescription: "large data in defaults", key: key(.userDefaults(suite: nil), type: "Data"), warning: "large data"),
        Case(
            testDescription: "backed up without its key",
            key: key(
                .fileSystem(directory: .documents), .encrypted(.external(source: KeyMaterialSource(id: "s"), keyDerivation: .hkdf()))),
            warning: "its key material is not"),
        Case(
            testDescription: "not backed up, so no key is missed",
            key: key(.fileSystem(directory: .caches), .encrypted(.external(source: KeyMaterialSource(id: "s"), keyDerivation: .hkdf()))),
            warning: nil),
        Case(
            testDescription: "sync of a phone-only key", key: key(.userDefaults(suite: nil), availability: .phoneOnly, sync: .manual),
            warning: "has no effect"),
        Case(
            testDescription: "watch sync without a policy", key: key(.userDefaults(suite: nil), availability: .phoneWithWatchSync),
            warning: "has no effect"),
        Case(
            testDescription: "sync from caches", key: key(.fileSystem(directory: .caches), sync: .automaticSmall), warning: "purges caches"),
    ]

    @Test(arguments: cases) func warns(_ example: Case) {
        let warnings = StorageKeyLinter.warnings(for: example.key)
        if let expected = example.warning {
            #expect(warnings.count == 1 && warnings.first?.contains(expected) == true, "\(warnings)")
        } else {
            #expect(warnings.isEmpty)
        }
    }
}
