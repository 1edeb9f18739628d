/// The outcome of one migration.
public struct MigrationResult: Sendable {
    /// Whether the migration did what it was to do. Having nothing to do is a success.
    public let success: Bool
    /// How many values were moved.
    public let migratedCount: Int
    /// What went wrong; empty after a success.
    public let errors: [MigrationError]
    /// Facts for a report, such as the source's name. Never values.
    public let metadata: [String: String]

    /// What a migration of an app's own returns from ``StorageMigration/migrate(using:context:)``.
    public init(success: Bool, migratedCount: Int = 0, errors: [MigrationError] = [], metadata: [String: String] = [:]) {
        self.success = success
        self.migratedCount = migratedCount
        self.errors = errors
        self.metadata = metadata
    }
}
