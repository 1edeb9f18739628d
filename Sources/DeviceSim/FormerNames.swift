// Names that users may have written, and what they are called now.

/// The former name.
@available(*, deprecated, renamed: "SystemShims")
public typealias AppSystem = SystemShims
/// The former name.
@available(*, deprecated, renamed: "Violation")
public typealias Breach = Violation
/// The former name.
@available(*, deprecated, renamed: "Invariant")
public typealias Promise = Invariant
/// The former name.
@available(*, deprecated, renamed: "PointOfNoReturn")
public typealias Certainty = PointOfNoReturn
/// The former name.
@available(*, deprecated, renamed: "SearchSpace")
public typealias ExplorationWorld = SearchSpace
/// The former name.
@available(*, deprecated, renamed: "GeneratedRun")
public typealias RunDraw = GeneratedRun
/// The former name.
@available(*, deprecated, renamed: "ObservedOutcome")
public typealias StepOutcomeFound = ObservedOutcome
/// The former name.
@available(*, deprecated, renamed: "FaultKind")
public typealias Trouble = FaultKind

extension Violation {
    /// The former name.
    @available(*, deprecated, renamed: "invariant")
    public var promise: Invariant { invariant }
}

/// The former name.
@available(*, deprecated, renamed: "ViolationSignature")
public typealias BreachSignature = ViolationSignature

extension Explorer.Outcome {
    /// The former name.
    @available(*, deprecated, renamed: "violation")
    public var breach: Violation? { violation }
}

extension CheckedResult {
    /// The former name.
    @available(*, deprecated, renamed: "violation")
    public var breach: Violation? { violation }
}

extension FoundScenario {
    /// The former name.
    @available(*, deprecated, renamed: "violation")
    public var breach: Violation { violation }
}

extension GeneratedRun {
    /// The former name.
    @available(*, deprecated, renamed: "faultKinds")
    public var troubles: [FaultKind] { faultKinds }
}
