/// What `pairsim` tells the shell: one number for each reason.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case passed = 0
    case failed = 1
    case unparsable = 2
    case cannotRun = 3
    case nothingSelected = 4
    case notDeterministic = 5
    case didNotSettle = 6
    case usage = 64
    case bug = 70
    case interrupted = 130

    /// As `--help` lists it.
    var meaning: String {
        switch self {
        case .passed: "everything passed"
        case .failed: "an expectation failed (fmt --check: another layout; observe: a rule contradicted)"
        case .unparsable: "a scenario does not parse"
        case .cannotRun: "cannot run: a file, a folder or a permission"
        case .nothingSelected: "nothing selected"
        case .notDeterministic: "not deterministic: two equal runs differed"
        case .didNotSettle: "did not settle"
        case .usage: "wrong usage of the command line"
        case .bug: "a bug of pairsim, or a trap in code of an app of your own"
        case .interrupted: "interrupted"
        }
    }

    /// The same as a part of a sentence about one run.
    var phrase: String {
        switch self {
        case .passed: "passed"
        case .failed: "an expectation failed"
        case .unparsable: "does not parse"
        case .cannotRun: "cannot run"
        case .nothingSelected: "nothing selected"
        case .notDeterministic: "not deterministic"
        case .didNotSettle: "did not settle"
        case .usage: "wrong usage"
        case .bug: "a bug of pairsim"
        case .interrupted: "interrupted"
        }
    }

    /// When several reasons occur in one invocation, the first of these is the status: what keeps the result from being complete comes
    /// before what is wrong in it, and what makes a result worthless (no determinism) before what it says.
    static let precedence: [ExitStatus] = [
        .interrupted, .bug, .usage, .cannotRun, .unparsable, .notDeterministic, .didNotSettle, .failed, .nothingSelected, .passed,
    ]

    static func foremost(_ statuses: some Sequence<ExitStatus>) -> ExitStatus {
        let occurred = Set(statuses)
        return precedence.first(where: occurred.contains) ?? .passed
    }
}
