import Foundation

/// Moves the value of one key to another key of another type, or in another form.
///
/// ```swift
/// var migration: AnyStorageMigration? {
///     AnyStorageMigration(
///         TransformingMigration(destinationKey: self, sourceKey: AgeInYearsKey()) { age in BirthYear(yearsAgo: age) })
/// }
/// ```
///
/// The order is that of ``SimpleLegacyMigration``. A transformation that throws loses nothing: the source stays, the read fails with `wrongType`, and
/// the migration with ``MigrationError/transformFailed(key:reason:)``.
public struct TransformingMigration<SourceKey: StorageKey, DestinationKey: StorageKey>: StorageMigration {
    public let destinationKey: DestinationKey
    /// The key as the earlier version of the app declared it.
    public let sourceKey: SourceKey
    private let transform: @Sendable (SourceKey.Value) throws -> DestinationKey.Value

    /// - Parameters:
    ///   - destinationKey: The key that carries the migration.
    ///   - sourceKey: The key as the earlier version of the app declared it. It need not be in a catalog.
    ///   - transform: Makes the new value of the old one, and the same each time: after a crash it may run again. Of an error that it throws only the
    ///     type is reported, since its text might contain the value.
    public init(
        destinationKey: DestinationKey, sourceKey: SourceKey,
        transform: @escaping @Sendable (SourceKey.Value) throws -> DestinationKey.Value
    ) {
        self.destinationKey = destinationKey
        self.sourceKey = sourceKey
        self.transform = transform
    }

    public var sourceKeys: [AnyStorageKey] { [.key(sourceKey)] }

    public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.holdsLegacyValue(sourceKeys, for: destinationKey, context: context)
    }

    public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        try await router.transfer(from: sourceKeys, to: destinationKey, context: context) { sources in
            guard let value = try sources.value(of: sourceKey) else { return nil }
            return try transform(value)
        }
    }
}

extension TransformingMigration: PlannedMigration {
    func clearableSources(in context: MigrationContext) -> [AnyStorageKey] { sourceKeys }

    func converted(_ sources: MigrationSources, in context: MigrationContext) throws -> Data? {
        try sources.value(of: sourceKey).map { try destinationKey.encoded(transform($0), width: sources.integerBitWidth) }
    }

    func plannedState(using router: StorageRouter, context: MigrationContext) async throws -> MigrationStep.State {
        try await router.plannedTransfer(from: sourceKeys, to: destinationKey, context: context)
    }
}
