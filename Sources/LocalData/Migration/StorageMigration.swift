/// A way to bring a key's value from where earlier versions of the app left it.
///
/// Attach one to a key with ``StorageKey/migration``. It runs alone among all operations on the key: when ``StorageRouter/get(_:)`` finds nothing, in
/// the sweep of ``StorageRouter/registerCatalog(_:migrateImmediately:)``, and by ``StorageRouter/forceMigration(for:)``. It may use the router, also for
/// the key itself; what it sets counts as migrated (``ChangeOrigin/migration``), and the keys that it reads need not be registered.
public protocol StorageMigration: Sendable {
    /// The key that carries the migration.
    associatedtype DestinationKey: StorageKey

    /// Where values are brought to: the key that carries the migration, usually `self`.
    var destinationKey: DestinationKey { get }
    /// The places that this migration brings values from. ``StorageRouter/remove(_:)`` clears them too, so that a removed value does not come back.
    /// What a registered key has there, or is yet to get from there, stays; the removal then leaves a durable mark.
    ///
    /// Defaults to none. A removal then leaves a durable mark instead, and only ``StorageRouter/forceMigration(for:)`` runs the migration again.
    var sourceKeys: [AnyStorageKey] { get }
    /// Whether there is anything to do. Runs before every ``migrate(using:context:)``; must write nothing.
    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool
    /// Does it: copy, read back, then delete the source. Must converge when it is run again after a crash at any point.
    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult
}

extension StorageMigration {
    public var sourceKeys: [AnyStorageKey] { [] }
}
