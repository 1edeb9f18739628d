import Foundation

/// What LocalData's own kinds of migration can say beyond ``StorageMigration``.
protocol PlannedMigration: StorageMigration {
    /// The state of an absent or present destination. Writes nothing. Runs in the key's turn.
    func plannedState(using router: StorageRouter, context: MigrationContext) async throws -> MigrationStep.State
    /// The sources that a removal of the destination clears. Where there are none, it leaves a mark.
    func clearableSources(in context: MigrationContext) -> [AnyStorageKey]
    /// What the migration makes of values that lie nowhere, such as those that the counterpart's older app sent, as the destination serializes it;
    /// `nil` where it makes nothing of them.
    func converted(_ sources: MigrationSources, in context: MigrationContext) throws -> Data?
}
