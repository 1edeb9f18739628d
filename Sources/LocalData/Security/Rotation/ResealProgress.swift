/// How far a ``ResealSweep`` is, after each value.
public struct ResealProgress: Sendable {
    /// How many values are done with, this one included.
    public let completed: Int
    /// How many values the sweep looks at.
    public let total: Int
    /// What became of the value that was done with last.
    public let outcome: ResealOutcome
}
