import Foundation

/// Why a step of a scenario did not do what it says.
struct StepFailure: Error {
    var message: String
    /// In the notation of scenario files.
    var expected: String?
    var actual: String?
    /// The line of the step's block that is at fault, from 0; `nil` for the step as a whole.
    var blockLine: Int?

    init(_ message: String, expected: String? = nil, actual: String? = nil) {
        self.message = message
        self.expected = expected
        self.actual = actual
    }
}
