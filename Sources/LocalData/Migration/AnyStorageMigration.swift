/// A migration without its static type, as keys carry it.
public struct AnyStorageMigration: Sendable {
    /// The migration itself. Open it with a generic function.
    public let base: any StorageMigration

    /// Wraps a migration, as a key's ``StorageKey/migration`` returns it.
    public init(_ migration: some StorageMigration) {
        base = migration
    }
}
