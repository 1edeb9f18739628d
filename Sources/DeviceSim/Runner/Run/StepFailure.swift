import DeviceSimCore
import DeviceSimLanguage
import Foundation

/// Why a step of a scenario did not do what it says.
struct StepFailure: Error {
    var message: String
    /// In the notation of scenario files.
    var expected: String?
    var actual: String?
    /// Of a step that failed and should not have: the error's name, as behind `fails`.
    var error: String?
    /// The line of the step's block that is at fault, from 0; `nil` for the step as a whole.
    var blockLine: Int?
    /// Whether the step was carried out, and this came of it.
    var isFinding = false
    /// Whether nothing was tried, whoever says so: the app has no such action, or something else ended it.
    private(set) var isOfNothingTried = false
    /// Whether nobody could be asked, since the app does not run just now.
    private(set) var isOfAppThatWaits = false

    init(_ message: String, expected: String? = nil, actual: String? = nil) {
        self.message = message
        self.expected = expected
        self.actual = actual
    }

    /// An app that does not run just now, and may yet.
    static func ofAppThatWaits(_ message: String) -> StepFailure {
        var failure = StepFailure(message)
        failure.isOfAppThatWaits = true
        return failure
    }

    /// A step of which nothing was tried.
    static func untried(_ message: String) -> StepFailure {
        var failure = StepFailure(message)
        failure.isOfNothingTried = true
        return failure
    }

    /// A step that failed and should not have.
    static func unexpected(_ error: any Error) -> StepFailure {
        let name = ErrorText.name(of: error)
        // Who comes from an app of their own has waited for it without knowing.
        let remark =
            name == "sessionNotActivated"
            ? ". A session is activated some time after the launch: let that pass with `wait 1s` or `settle`" : ""
        var failure = StepFailure("failed with \(name): \(ErrorText.of(error))\(remark)")
        failure.error = name
        failure.isOfNothingTried = error is AppActionError || ScenarioErrorName(error) == .storage(.notRegistered)
        return failure
    }

    /// What came of a step after it was over, where no line speaks of it.
    static func late(_ error: any Error, label: String) -> StepFailure {
        let name = ErrorText.name(of: error)
        var failure = StepFailure(
            "failed later with \(name): \(ErrorText.of(error)). Write `fails \(name)`, or a label (`\(label)`) and what is expected of it")
        failure.isFinding = true
        return failure
    }

    /// What is said of a step by who carried it out.
    static func finding(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch var failure as StepFailure {
            failure.isFinding = !failure.isOfNothingTried
            throw failure
        }
    }
}
