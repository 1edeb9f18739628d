import DeviceSimCore
import DeviceSimLanguage

/// What came of a run under all checks.
public struct CheckedResult: Sendable {
    /// The first invariant that was broken; `nil`: none was.
    public let violation: Violation?
    /// What came of each step, of those that ran; several for a block.
    public let outcomes: [[ObservedOutcome]]
    /// Everything that happened in the run.
    public let trace: Trace
    /// How many pieces of work there were to choose from, each time there was more than one, under ``ReadyOrder/choices(_:)``.
    public let branching: [Int]
    /// Tells the states apart that the run passed through, one for each step.
    public let states: [UInt64]
    /// Virtual time at the end.
    public let duration: VirtualDuration
    /// What the run exercised, where that was asked for.
    package internal(set) var coverage: SearchCoverage?
    /// Of how many keys the checks could say what at the end, where that was asked for.
    package internal(set) var fates: [KeyFate: Int] = [:]
    /// Whether it was held against what another build makes of it; `nil` where there is none, or the run had broken something already.
    package internal(set) var comparison: RunComparison?

    /// The same, with that in the place of what it broke.
    func breaking(_ violation: Violation?, _ comparison: RunComparison) -> CheckedResult {
        CheckedResult(
            violation: violation, outcomes: outcomes, trace: trace, branching: branching, states: states, duration: duration,
            coverage: coverage, fates: fates, comparison: comparison)
    }
}

/// What came of a step, as a scenario can say it.
public enum ObservedOutcome: Sendable, Hashable {
    /// The step did what it says.
    case succeeded
    /// `nil` for an error that scenarios have no name for.
    case failed(ScenarioErrorName?)
    /// Its task was cancelled on the way. It did what it says all the same, or ended with `CancellationError`.
    case cancelled
    /// The process ended before the step did.
    case ended
    /// It could not be done, and changed nothing.
    case impossible
}
