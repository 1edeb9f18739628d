import Foundation
import LocalData

/// What is wrong with a ``CarelessMigration``.
package enum CarelessMigrationFlaw: Sendable {
    /// Believes that what was stored can be read, and deletes the source.
    case noReadBack
    /// Deletes the source, then stores the value.
    case deletesFirst
    /// Never deletes the source.
    case leavesSource
}

/// Migrations as one should not write them.
package struct CarelessMigration<Key: StorageKey>: StorageMigration {
    package let destinationKey: Key
    private let source: Key
    private let flaw: CarelessMigrationFlaw

    package init(destinationKey: Key, source: Key, flaw: CarelessMigrationFlaw) {
        self.destinationKey = destinationKey
        self.source = source
        self.flaw = flaw
    }

    package var sourceKeys: [AnyStorageKey] { [.key(source)] }

    package func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.exists(source)
    }

    package func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
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
