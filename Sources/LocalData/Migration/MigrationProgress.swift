/// How far a ``MigrationSweep`` is, after each key.
public struct MigrationProgress: Sendable {
    /// How many keys are done with, this one included.
    public let completed: Int
    /// How many keys the sweep has.
    public let total: Int
    /// What became of the key that was done with last.
    public let outcome: MigrationOutcome
}
