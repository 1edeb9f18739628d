import DeviceSimCore
import DeviceSimLanguage

/// A promise that was not kept, in words.
public struct Breach: Sendable, Hashable {
    /// What was not kept.
    public let promise: Promise
    /// What the scenario calls the key; `nil` where no key is concerned.
    public let key: String?
    /// The device on which it showed; `nil` where it is about both.
    public let device: DeviceID?
    /// The step at which it showed (from 0), or the number of steps if it showed at the end.
    public let step: Int
    /// What happened and why it contradicts the promise, one sentence each: which write, which delivery, which state. Values only as the scenario names them.
    public let explanation: [String]
    /// What a scenario can expect at that place, and this one does not do; `nil` where the step itself fails.
    public let expectation: Expectation?

    /// A violation found by a check.
    public init(
        _ promise: Promise, key: String? = nil, device: DeviceID? = nil, step: Int, explanation: [String], expectation: Expectation? = nil
    ) {
        self.promise = promise
        self.key = key
        self.device = device
        self.step = step
        self.explanation = explanation
        self.expectation = expectation
    }

    /// The same with what is expected of the widget's reading, if it showed there.
    func inWidget(_ isInWidget: Bool) -> Breach {
        guard isInWidget, let expectation, case .value(let device, let key, let condition) = expectation.condition else { return self }
        return Breach(
            promise, key: self.key, device: self.device, step: step, explanation: explanation,
            expectation: Expectation(.widgetValue(device, key, condition), timing: expectation.timing))
    }

    /// What makes two breaches the same failure, so that a shrinker does not slip from one to another.
    public var signature: BreachSignature { BreachSignature(promise: promise, detail: detail) }

    /// What tells failures of one promise apart without naming keys, devices, or values, which a shrinker may change.
    private var detail: String {
        guard promise == .explanation || promise == .progress else { return "" }
        return explanation.first ?? ""
    }
}

/// See ``Breach/signature``.
public struct BreachSignature: Sendable, Hashable, Comparable {
    /// What was not kept.
    public let promise: Promise
    /// What tells this failure from others that break the same.
    public let detail: String

    /// A signature of these parts.
    public init(promise: Promise, detail: String) {
        self.promise = promise
        self.detail = detail
    }

    public static func < (lhs: BreachSignature, rhs: BreachSignature) -> Bool {
        (lhs.promise.rawValue, lhs.detail) < (rhs.promise.rawValue, rhs.detail)
    }
}
