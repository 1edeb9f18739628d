import Foundation

/// Moves the value of one legacy key to its new key: another name, domain, security or serializer.
///
/// The value is opened by the source's policy, secured by the destination's, read back and compared; only then is the source deleted. A value that the
/// destination has already is never overwritten, and a source that is the destination's own file, reached under another name, is not deleted: such a value
/// is given the destination's form where it lies. A source with a ``StorageKey/migration`` of its own is first filled by that, so chains of versions work.
public struct SimpleLegacyMigration<DestinationKey: StorageKey>: StorageMigration {
    public let destinationKey: DestinationKey
    /// The key as the earlier version of the app declared it.
    public let sourceKey: AnyStorageKey

    /// - Parameter destinationKey: The key that carries the migration.
    /// - Parameter sourceKey: The key as the earlier version of the app declared it. It need not be in a catalog. Its values must be of the
    ///   destination's type, or serialized in a way that the destination's serializer reads.
    public init(destinationKey: DestinationKey, sourceKey: AnyStorageKey) {
        self.destinationKey = destinationKey
        self.sourceKey = sourceKey
    }

    public var sourceKeys: [AnyStorageKey] { [sourceKey] }

    public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.holdsLegacyValue(sourceKeys, for: destinationKey, context: context)
    }

    public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        try await router.transfer(from: sourceKeys, to: destinationKey, isConverting: true, context: context) { sources in
            try sources.converted(sourceKey.base, to: destinationKey)
        }
    }
}

extension SimpleLegacyMigration: PlannedMigration {
    func clearableSources(in context: MigrationContext) -> [AnyStorageKey] { sourceKeys }

    func converted(_ sources: MigrationSources, in context: MigrationContext) throws -> Data? {
        try sources.converted(sourceKey.base, to: destinationKey).map { try destinationKey.encoded($0, width: sources.integerBitWidth) }
    }

    func plannedState(using router: StorageRouter, context: MigrationContext) async throws -> MigrationStep.State {
        try await router.plannedTransfer(from: sourceKeys, to: destinationKey, isConverting: true, context: context)
    }
}
