import Foundation
import LocalData

/// What the vault holds: for each way to protect a keychain item one that asks for it.
enum VaultItem: String, Sendable, CaseIterable, Identifiable {
    case password, refreshToken, deviceSecret, pushToken, passcodeNote
    case recoveryCode, cardNumber, signingKey, accountPIN, medicalRecord, seedPhrase
    case feedToken, feedDevice

    var id: String { rawValue }

    /// When the item can be read, and whether it leaves the device in a backup.
    var accessibility: KeychainAccessibility {
        switch self {
        case .password, .accountPIN: .whenUnlocked
        case .refreshToken: .afterFirstUnlock
        case .deviceSecret, .recoveryCode, .medicalRecord: .whenUnlockedThisDeviceOnly
        case .pushToken: .afterFirstUnlockThisDeviceOnly
        case .passcodeNote, .cardNumber, .signingKey, .seedPhrase:
            .whenPasscodeSetThisDeviceOnly
        // Deprecated by Apple, and warned of by the audit. Items of apps that are as old as that are still there.
        case .feedToken: .always
        case .feedDevice: .alwaysThisDeviceOnly
        }
    }

    /// What a person must do first; `nil` where the item asks for nothing.
    var accessControl: KeychainAccessControl? {
        switch self {
        case .recoveryCode: .userPresence
        case .cardNumber: .biometryAny
        case .signingKey: .biometryCurrentSet
        case .accountPIN: .devicePasscode
        case .medicalRecord: .biometryAnyOrDevicePasscode
        case .seedPhrase: .biometryCurrentSetOrDevicePasscode
        case .password, .refreshToken, .deviceSecret, .pushToken, .passcodeNote, .feedToken, .feedDevice: nil
        }
    }
}

extension StorageKeys {
    /// A secret of the phone's, as a keychain item under the item's own protection. No secret of the vault leaves the phone.
    struct VaultKey: StorageKey {
        typealias Value = String

        let item: VaultItem

        var name: String { "vault.\(item.rawValue)" }
        let domain: StorageDomain = .keychain(service: "com.example.securestorage.vault")
        var security: SecurityPolicy { .keychain(accessibility: item.accessibility, accessControl: item.accessControl) }
        let owner = "Vault"
        let description = "A secret that the person put into the vault"
        let availability: PlatformAvailability = .phoneOnly

        var migration: AnyStorageMigration? {
            guard item == .password else { return nil }
            return AnyStorageMigration(SimpleLegacyMigration(destinationKey: self, sourceKey: .key(Version1.PasswordKey())))
        }
    }

    /// A keychain item that is sealed besides, with material that the account's server has: who copies the keychain cannot open it.
    struct AccountTokenKey: StorageKey {
        typealias Value = String

        let name = "account.token"
        let domain: StorageDomain = .keychain(service: nil)
        let security: SecurityPolicy = .encrypted(
            .external(source: AccountMaterial.current, keyDerivation: .hkdf()))
        let owner = "Account"
        let description = "What the server gave at sign-in"
        let availability: PlatformAvailability = .phoneOnly
    }

    /// The watch's own secret.
    struct UnlockCodeKey: StorageKey {
        typealias Value = String

        let name = "unlock.code"
        let domain: StorageDomain = .keychain(service: nil)
        let security: SecurityPolicy = .keychain(accessibility: .whenPasscodeSetThisDeviceOnly, accessControl: nil)
        let owner = "Vault"
        let description = "Opens the door from the wrist"
        let availability: PlatformAvailability = .watchOnly
    }
}
