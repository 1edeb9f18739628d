import Foundation
import LocalData

/// What the app shares with its widget: an App Group, which is a keychain access group too.
let sampleGroup = "group.com.example.securestorage"

enum Theme: String, Codable, Sendable, CaseIterable {
    case system, light, dark
}

struct Profile: Codable, Sendable, Equatable {
    var firstName = ""
    var lastName = ""
}

extension StorageKeys {
    /// A small setting: plain in the app's preferences, and on the other device after each change.
    struct ThemeKey: StorageKey {
        typealias Value = Theme

        let name = "theme"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Settings"
        let description = "The colour theme that the person chose"
        let syncPolicy: SyncPolicy = .automaticSmall

        var migration: AnyStorageMigration? {
            AnyStorageMigration(SimpleLegacyMigration(destinationKey: self, sourceKey: .key(Version1.ThemeNameKey())))
        }
    }

    /// Sealed in a suite of its own. It goes to the watch when the person says so, not before.
    struct ProfileKey: StorageKey {
        typealias Value = Profile

        let name = "profile"
        let domain: StorageDomain = .userDefaults(suite: "com.example.securestorage.profile")
        let security: SecurityPolicy = .encrypted(.aes256(keyDerivation: .hkdf()))
        let serializer: Serializer<Profile> = .plist
        let owner = "Settings"
        let description = "Who uses the app"
        let availability: PlatformAvailability = .phoneWithWatchSync
        let syncPolicy: SyncPolicy = .manual

        var migration: AnyStorageMigration? {
            AnyStorageMigration(
                AggregatingMigration(
                    destinationKey: self,
                    sourceKeys: [.key(Version1.FirstNameKey()), .key(Version1.LastNameKey())]
                ) { sources in
                    Profile(
                        firstName: try sources.value(of: Version1.FirstNameKey()) ?? "",
                        lastName: try sources.value(of: Version1.LastNameKey()) ?? "")
                })
        }
    }

    /// Preferences that the widget reads too. Version 2.1 brought the widget, so the value moves there with that version.
    struct GoalKey: StorageKey {
        typealias Value = Int

        let name = "goal"
        let domain: StorageDomain = .appGroupUserDefaults(identifier: sampleGroup)
        let security: SecurityPolicy = .none
        let owner = "Widget"
        let description = "How many entries a day the person wants to write"
        let syncPolicy: SyncPolicy = .automaticSmall

        var migration: AnyStorageMigration? {
            AnyStorageMigration(
                ConditionalMigration(
                    when: .appVersion(atLeast: "2.1"),
                    SimpleLegacyMigration(
                        destinationKey: self, sourceKey: .key(Version1.GoalKey()))))
        }
    }

    /// Version 1 kept these without LocalData. What becomes of them is code of the app's own.
    struct RemindersKey: StorageKey {
        typealias Value = [String]

        let name = "reminders"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let owner = "Settings"
        let description = "When the person wants to be reminded"

        var migration: AnyStorageMigration? { AnyStorageMigration(RemindersMigration()) }
    }

    /// Means something on the wrist only.
    struct HapticsKey: StorageKey {
        typealias Value = Bool

        let name = "haptics"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Settings"
        let description = "Whether the watch taps the wrist when an entry arrives"
        let availability: PlatformAvailability = .watchOnly
    }
}
