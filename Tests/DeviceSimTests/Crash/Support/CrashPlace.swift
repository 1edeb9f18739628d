import Foundation
import LocalData

/// Where values of the crash suite lie: every domain with every kind of security that goes with it.
struct CrashPlace: Sendable {
    let name: String
    let domain: StorageDomain
    let security: SecurityPolicy

    /// Whether a power loss may take the last sets, as ``StorageRouter/set(_:for:)`` says of preferences.
    var isPreference: Bool {
        switch domain {
        case .userDefaults, .appGroupUserDefaults: true
        case .keychain, .fileSystem, .encryptedFileSystem, .appGroupFileSystem: false
        }
    }

    static let group = "group.example"
    static let external = KeyMaterialSource(id: "crash.tests")

    static let preferences = CrashPlace(name: "preferences", domain: .userDefaults(suite: nil), security: .none)
    static let sealedPreferences = CrashPlace(name: "sealed preferences", domain: .userDefaults(suite: nil), security: .recommended)
    static let suite = CrashPlace(name: "suite", domain: .userDefaults(suite: "crash"), security: .none)
    static let groupPreferences = CrashPlace(
        name: "group preferences", domain: .appGroupUserDefaults(identifier: group), security: .none)
    static let sealedGroupPreferences = CrashPlace(
        name: "sealed group preferences", domain: .appGroupUserDefaults(identifier: group), security: .recommended)
    static let keychain = CrashPlace(
        name: "keychain", domain: .keychain(service: nil),
        security: .keychain(accessibility: .afterFirstUnlock, accessControl: nil))
    static let plainKeychain = CrashPlace(name: "keychain by default", domain: .keychain(service: "crash"), security: .none)
    static let sealedKeychain = CrashPlace(name: "sealed keychain", domain: .keychain(service: nil), security: .recommended)
    static let file = CrashPlace(name: "file", domain: .fileSystem(directory: .documents), security: .none)
    static let cachedFile = CrashPlace(name: "cached file", domain: .fileSystem(directory: .caches), security: .none)
    static let sealedFile = CrashPlace(
        name: "AES file", domain: .fileSystem(directory: .documents), security: .encrypted(.aes256(keyDerivation: .hkdf())))
    static let passwordFile = CrashPlace(
        name: "PBKDF2 file", domain: .fileSystem(directory: .documents),
        security: .encrypted(.chacha20Poly1305(keyDerivation: .pbkdf2(iterations: 1_000))))
    static let externalFile = CrashPlace(
        name: "file under external key", domain: .fileSystem(directory: .documents),
        security: .encrypted(.external(source: external, keyDerivation: .hkdf())))
    static let protectedFile = CrashPlace(
        name: "encrypted file", domain: .encryptedFileSystem(directory: .documents), security: .recommended)
    static let groupFile = CrashPlace(
        name: "group file", domain: .appGroupFileSystem(identifier: group, directory: .documents), security: .none)
    static let sealedGroupFile = CrashPlace(
        name: "sealed group file", domain: .appGroupFileSystem(identifier: group, directory: .documents), security: .recommended)

    static let all: [CrashPlace] = [
        preferences, sealedPreferences, suite, groupPreferences, sealedGroupPreferences, keychain, plainKeychain, sealedKeychain, file,
        cachedFile, sealedFile, passwordFile, externalFile, protectedFile, groupFile, sealedGroupFile,
    ]

    /// One of each domain, plain and sealed by turns.
    static let ofEachDomain: [CrashPlace] = [preferences, sealedGroupPreferences, keychain, file, protectedFile, sealedGroupFile]
}

/// What the app of the crash suite registers for ``CrashPlace/external``.
struct CrashKeyMaterial: KeyMaterialProviding {
    func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 0xA5, count: 32) }
}
