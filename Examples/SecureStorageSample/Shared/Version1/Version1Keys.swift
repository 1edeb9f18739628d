import Foundation
import LocalData

/// What version 1 of the app declared. These stay as long as a device may hold what they name: migrations bring it over.
enum Version1 {
    struct ThemeNameKey: StorageKey {
        typealias Value = String

        let name = "theme_name"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Settings"
        let description = "The theme's name"
    }

    struct FirstNameKey: StorageKey {
        typealias Value = String

        let name = "first_name"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Settings"
        let description = "The person's first name"
    }

    struct LastNameKey: StorageKey {
        typealias Value = String

        let name = "last_name"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Settings"
        let description = "The person's last name"
    }

    struct GoalKey: StorageKey {
        typealias Value = Int

        let name = "daily_goal"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Settings"
        let description = "How many entries a day the person wants to write"
    }

    /// All entries in one text.
    struct NotesKey: StorageKey {
        typealias Value = String

        let name = "notes"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Journal"
        let description = "What the person wrote"
    }

    /// Another service, and readable by whoever holds the locked phone.
    struct PasswordKey: StorageKey {
        typealias Value = String

        let name = "password"
        let domain: StorageDomain = .keychain(service: "SecureStorageSample")
        let security: SecurityPolicy = .keychain(accessibility: .always, accessControl: nil)
        let owner = "Vault"
        let description = "The account's password"
        let availability: PlatformAvailability = .phoneOnly
    }

    struct ExpensesKey: StorageKey {
        typealias Value = [Expense]

        let name = "expenses.csv"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .none
        let serializer: Serializer<[Expense]> = .expenses
        let owner = "Expenses"
        let description = "What the person spent"
        let availability: PlatformAvailability = .phoneOnly
    }

    struct TeamNoteKey: StorageKey {
        typealias Value = String

        let name = "team.note"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .encrypted(.external(source: AccountMaterial.first, keyDerivation: .hkdf()))
        let owner = "Account"
        let description = "A note that the team shares"
        let availability: PlatformAvailability = .phoneOnly
    }
}

/// What version 1 registered.
struct Version1Catalog: StorageKeyCatalog {
    var allKeys: [AnyStorageKey] {
        [
            .key(Version1.ThemeNameKey()), .key(Version1.FirstNameKey()), .key(Version1.LastNameKey()), .key(Version1.GoalKey()),
            .key(Version1.NotesKey()), .key(Version1.PasswordKey()), .key(Version1.ExpensesKey()), .key(Version1.TeamNoteKey()),
        ]
    }
}
