/// What an ``AggregatingMigration`` does where only some of its sources hold a value.
public enum MissingSources: String, Sendable, Hashable, CaseIterable {
    /// The value is made of those that are there; the others are `nil`.
    case allowed
    /// It waits for all of them: nothing is moved, and an absent destination is `notFound`.
    case awaited
}
