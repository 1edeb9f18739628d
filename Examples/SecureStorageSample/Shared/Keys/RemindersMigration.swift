import Foundation
import LocalData

/// Brings over what version 1 wrote into `UserDefaults` by itself. Copies, reads back, and then deletes, so that it may be interrupted anywhere and run again.
struct RemindersMigration: StorageMigration {
    static let legacyName = "reminder_times"

    let destinationKey = StorageKeys.RemindersKey()

    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        UserDefaults.standard.stringArray(forKey: Self.legacyName) != nil
    }

    func migrate(
        using router: StorageRouter, context: MigrationContext
    ) async throws -> MigrationResult {
        guard let times = UserDefaults.standard.stringArray(forKey: Self.legacyName) else {
            return MigrationResult(success: true)
        }
        if try await !router.exists(destinationKey) {
            try await router.set(times, for: destinationKey)
        }
        _ = try await router.get(destinationKey)
        UserDefaults.standard.removeObject(forKey: Self.legacyName)
        return MigrationResult(success: true, migratedCount: 1)
    }
}
