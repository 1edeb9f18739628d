/// A way to bring a key's value from where earlier versions of the app left it.
public protocol StorageMigration: Sendable {
    associatedtype DestinationKey: StorageKey

    var destinationKey: DestinationKey { get }
    /// Whether there is anything to do. Runs before every ``migrate(using:context:)``; must write nothing.
    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool
    /// Does it: copy, read back, then delete the source. Must converge when it is run again after a crash at any point.
    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult
}
