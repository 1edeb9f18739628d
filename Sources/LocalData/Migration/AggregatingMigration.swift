import Foundation

/// Makes one value of those of several keys, of whatever types.
///
/// ```swift
/// AggregatingMigration(destinationKey: self, sourceKeys: [.key(FirstNameKey()), .key(LastNameKey())]) { sources in
///     Name(first: try sources.value(of: FirstNameKey()) ?? "", last: try sources.value(of: LastNameKey()) ?? "")
/// }
/// ```
///
/// All sources are read before anything is written. They are deleted, all of them, after the new value has been read back and compared and a durable
/// mark says that it is complete: a crash between the deletions is finished by deleting the rest, never by making the value again of what is left.
public struct AggregatingMigration<DestinationKey: StorageKey>: StorageMigration {
    public let destinationKey: DestinationKey
    public let sourceKeys: [AnyStorageKey]
    /// What it does where only some sources hold a value.
    public let missing: MissingSources
    private let combine: @Sendable (MigrationSources) throws -> DestinationKey.Value

    /// - Parameters:
    ///   - destinationKey: The key that carries the migration.
    ///   - sourceKeys: The keys as earlier versions of the app declared them, at different places. They need not be in a catalog.
    ///   - missing: What to do where only some sources hold a value.
    ///   - combine: Makes the value, and the same each time: after a crash it may run again. Where the sources contradict each other in a way that
    ///     only the app can resolve, throw ``MigrationSources/conflict()``; then nothing is changed.
    public init(
        destinationKey: DestinationKey, sourceKeys: [AnyStorageKey], missing: MissingSources = .allowed,
        combine: @escaping @Sendable (MigrationSources) throws -> DestinationKey.Value
    ) {
        self.destinationKey = destinationKey
        self.sourceKeys = sourceKeys
        self.missing = missing
        self.combine = combine
    }

    public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.holdsLegacyValue(sourceKeys, for: destinationKey, context: context)
    }

    public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        try await router.transfer(from: sourceKeys, to: destinationKey, missing: missing, context: context) { try combine($0) }
    }
}

extension AggregatingMigration: PlannedMigration {
    func clearableSources(in context: MigrationContext) -> [AnyStorageKey] { sourceKeys }

    /// Of several values, of which the counterpart's older app sent one, nothing is made.
    func converted(_ sources: MigrationSources, in context: MigrationContext) throws -> Data? { nil }

    func plannedState(using router: StorageRouter, context: MigrationContext) async throws -> MigrationStep.State {
        try await router.plannedTransfer(from: sourceKeys, to: destinationKey, missing: missing, context: context)
    }
}
