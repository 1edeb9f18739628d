import DeviceSimCore
import DeviceSimLanguage

/// A invariant that was not kept, in words.
public struct Violation: Sendable, Hashable {
    /// What was not kept.
    public let invariant: Invariant
    /// What the scenario calls the key; `nil` where no key is concerned.
    public let key: String?
    /// The device on which it showed; `nil` where it is about both.
    public let device: DeviceID?
    /// The step at which it showed (from 0), or the number of steps if it showed at the end.
    public let step: Int
    /// What happened and why it contradicts the invariant, one sentence each: which write, which delivery, which state. Values only as the scenario names them.
    public let explanation: [String]
    /// What a scenario can expect at that place, and this one does not do; `nil` where the step itself fails.
    public let expectation: Expectation?
    /// Which catalogs LocalData refused in the run, a sentence each. An app has none of such a catalog's keys, so that nothing is understood without it.
    public private(set) var refusedCatalogs: [String] = []
    /// All that is to be said of it: what was refused first, then the explanation.
    public var sentences: [String] { refusedCatalogs + explanation }
    /// Whether the run was given up, since code of an app did not come to its end. Such a run is not tried again to make it small.
    public private(set) var isStall = false

    /// A run that was given up.
    package init(_ run: StalledRun) {
        let what = run.kind == .blocked ? "code is blocked and waits for ever" : "code goes on without an end"
        self.init(
            .progress, step: run.step ?? 0,
            explanation: [what + (run.stack.first.map { ", at \($0)" } ?? "")] + run.message.split(separator: "\n").map(String.init))
        isStall = true
    }

    /// A violation found by a check.
    public init(
        _ invariant: Invariant, key: String? = nil, device: DeviceID? = nil, step: Int, explanation: [String],
        expectation: Expectation? = nil
    ) {
        self.invariant = invariant
        self.key = key
        self.device = device
        self.step = step
        self.explanation = explanation
        self.expectation = expectation
    }

    /// The same with what is expected of the widget's reading, if it showed there.
    func inWidget(_ isInWidget: Bool) -> Violation {
        guard isInWidget, let expectation, case .value(let device, let key, let condition) = expectation.condition else { return self }
        return Violation(
            invariant, key: self.key, device: self.device, step: step, explanation: explanation,
            expectation: Expectation(.widgetValue(device, key, condition), timing: expectation.timing))
    }

    /// The same, in a run in which LocalData refused these catalogs.
    func besides(refusedCatalogs: [String]) -> Violation {
        var violation = self
        violation.refusedCatalogs = refusedCatalogs
        return violation
    }

    /// What makes two violations the same failure, so that a shrinker does not slip from one to another.
    public var signature: ViolationSignature { ViolationSignature(invariant: invariant, detail: detail) }

    /// What tells failures of one invariant apart without naming keys, devices, or values, which a shrinker may change. Of files that fail as they are written, which one.
    private var detail: String {
        guard [.explanation, .progress, .app, .expectation, .sameness].contains(invariant) else { return "" }
        return explanation.first ?? ""
    }
}

/// See ``Violation/signature``.
public struct ViolationSignature: Sendable, Hashable, Comparable {
    /// What was not kept.
    public let invariant: Invariant
    /// What tells this failure from others that break the same.
    public let detail: String

    /// A signature of these parts.
    public init(invariant: Invariant, detail: String) {
        self.invariant = invariant
        self.detail = detail
    }

    public static func < (lhs: ViolationSignature, rhs: ViolationSignature) -> Bool {
        (lhs.invariant.rawValue, lhs.detail) < (rhs.invariant.rawValue, rhs.detail)
    }
}
