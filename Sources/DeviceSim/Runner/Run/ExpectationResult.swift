import DeviceSimCore
import DeviceSimLanguage

/// What was found when somebody looked whether an expectation holds.
enum ExpectationResult {
    case holds
    /// It does not, and that is the difference.
    case fails(StepFailure)
    /// Nobody can tell, and why: a name that the app does not know, a value that cannot be read. It neither holds nor does it not, so that `never` fails of it as well.
    case untold(StepFailure)

    var isHolding: Bool {
        if case .holds = self { true } else { false }
    }

    /// - Parameters:
    ///   - expected: In the notation of scenario files.
    ///   - actual: Likewise, so that the line can be pasted.
    static func check(
        _ holds: Bool, _ message: @autoclosure () -> String, expected: @autoclosure () -> String? = nil,
        actual: @autoclosure () -> String? = nil
    ) -> ExpectationResult {
        holds ? .holds : .fails(StepFailure(message(), expected: expected(), actual: actual()))
    }

    /// Ends the step where it does not hold.
    func require() throws {
        switch self {
        case .holds: break
        case .fails(var failure):
            failure.isFinding = true
            throw failure
        // Whether the step was tried is known to who looked.
        case .untold(let failure): throw failure
        }
    }

    /// What `never` makes of it at one instant; `nil` where it does not hold, as it must be.
    /// - Parameters:
    ///   - passed: How long the step has gone on.
    ///   - span: How long it must not hold.
    func objection(after passed: VirtualDuration, of span: VirtualDuration) -> ExpectationResult? {
        switch self {
        case .fails: return nil
        case .holds: return .check(false, "held \(passed.readable) after the step began, and must not for \(span)")
        case .untold(var failure):
            failure.message = "whether it held \(passed.readable) after the step began cannot be told: \(failure.message)"
            // It names what `expect` asks for, and here nothing is expected.
            failure.expected = nil
            return .untold(failure)
        }
    }
}
