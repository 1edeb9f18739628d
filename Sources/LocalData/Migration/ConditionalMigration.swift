import Foundation

/// Runs another migration where a condition holds: from a version of the app on, on one kind of device, on a system, or by a predicate of one's own.
///
/// Where it does not hold, the key is as if it had no migration: the old value stays where it is, untouched, and an absent new one is `notFound`. A
/// removal then leaves a durable mark instead of clearing the old value, which is still somebody's; only ``StorageRouter/forceMigration(for:)`` runs
/// the migration after that.
public struct ConditionalMigration<Wrapped: StorageMigration>: StorageMigration {
    /// What must hold. Asked anew at each attempt.
    public let condition: MigrationCondition
    /// What runs where the condition holds.
    public let wrapped: Wrapped

    /// A migration that waits for a condition, such as `.appVersion(atLeast: "2.0")`.
    public init(when condition: MigrationCondition, _ wrapped: Wrapped) {
        self.condition = condition
        self.wrapped = wrapped
    }

    public var destinationKey: Wrapped.DestinationKey { wrapped.destinationKey }
    public var sourceKeys: [AnyStorageKey] { wrapped.sourceKeys }

    public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        guard condition.isMet(in: context) else { return false }
        return try await wrapped.shouldMigrate(using: router, context: context)
    }

    public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        guard condition.isMet(in: context) else { return MigrationResult(success: true) }
        return try await wrapped.migrate(using: router, context: context)
    }
}

extension ConditionalMigration: PlannedMigration {
    func converted(_ sources: MigrationSources, in context: MigrationContext) throws -> Data? {
        guard condition.isMet(in: context) else { return nil }
        return try (wrapped as? any PlannedMigration)?.converted(sources, in: context)
    }

    func plannedState(using router: StorageRouter, context: MigrationContext) async throws -> MigrationStep.State {
        guard condition.isMet(in: context) else { return .waiting(for: condition.description) }
        return try await router.plannedState(of: wrapped, context: context)
    }

    func clearableSources(in context: MigrationContext) -> [AnyStorageKey] {
        guard condition.isMet(in: context) else { return [] }
        return (wrapped as? any PlannedMigration)?.clearableSources(in: context) ?? sourceKeys
    }
}
