/// A migration without its static type, as keys carry it.
public struct AnyStorageMigration: Sendable {
    public let base: any StorageMigration

    public init(_ migration: some StorageMigration) {
        base = migration
    }
}
