/// The outcome of one migration.
public struct MigrationResult: Sendable {
    public let success: Bool
    /// How many values were moved.
    public let migratedCount: Int
    public let errors: [MigrationError]
    /// Facts for a report, such as the source's name. Never values.
    public let metadata: [String: String]

    public init(success: Bool, migratedCount: Int = 0, errors: [MigrationError] = [], metadata: [String: String] = [:]) {
        self.success = success
        self.migratedCount = migratedCount
        self.errors = errors
        self.metadata = metadata
    }
}
