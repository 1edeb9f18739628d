import Foundation
import LocalData

/// Migrations as one should not write them.
struct CarelessMigration: StorageMigration {
    enum Flaw: Sendable {
        /// Believes that what was stored can be read, and deletes the source.
        case noReadBack
        /// Deletes the source, then stores the value.
        case deletesFirst
        /// Never deletes the source.
        case leavesSource
    }

    let destinationKey: CrashKey
    let source: CrashKey
    let flaw: Flaw

    var sourceKeys: [AnyStorageKey] { [.key(source)] }

    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.exists(source)
    }

    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        let value = try await router.get(source)
        switch flaw {
        case .noReadBack:
            try await router.set(value, for: destinationKey)
            try await router.remove(source)
        case .deletesFirst:
            try await router.remove(source)
            try await router.set(value, for: destinationKey)
        case .leavesSource:
            if try await !router.exists(destinationKey) { try await router.set(value, for: destinationKey) }
        }
        return MigrationResult(success: true, migratedCount: 1)
    }
}
