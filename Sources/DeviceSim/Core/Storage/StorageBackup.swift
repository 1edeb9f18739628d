import Foundation
import LocalData

/// What a backup holds of a device's storage: containers without caches and what is excluded, preferences, and the keychain.
///
/// Source: *Files* and *Keychain accessibility* of the specification of data protection.
struct StorageBackup: Sendable {
    /// A file or a directory, by its place in the app's container (`group` is `nil`) or a group's.
    struct Entry: Sendable, Hashable {
        let group: String?
        let path: [String]
        /// `nil` for a directory.
        let file: File?
    }

    struct File: Sendable, Hashable {
        let data: Data
        let protection: FileProtection
        let extendedAttributes: [String: Data]
    }

    struct Suite: Sendable {
        let place: SimulatedPreferences.Place
        let values: [String: PropertyListValue]
    }

    /// Parents before what is in them.
    var entries: [Entry] = []
    var suites: [Suite] = []
    /// All items. Which of them come back depends on where to.
    var keychain: [SimulatedKeychain.Stored] = []

    /// Without files.
    var settingsAlone: StorageBackup {
        var backup = self
        backup.entries = []
        return backup
    }
}
