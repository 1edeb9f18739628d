import DeviceSimCore

/// What came of running one scenario.
public struct ScenarioResult: Sendable {
    /// The file as it was named by the user, with `[row]` appended where a table of examples made several runs of it.
    public let name: String
    /// The file, as the user named it.
    public let path: String
    /// The header's first sentence.
    public let title: String
    /// What the scenario can be selected by.
    public let tags: [String]
    /// The rules that the scenario covers.
    public let rules: [String]
    /// The seed that the run was made with.
    public let seed: UInt64
    /// Whether it passed, and why not.
    public let outcome: Outcome
    /// How many runs it took: one, or with steps that crash at every operation one for each point.
    public let runCount: Int
    /// How many steps ran, in all runs.
    public let stepCount: Int
    /// How much virtual time passed, in all runs.
    public let duration: VirtualDuration
    /// Of the last run, which is the one that failed, if one did.
    public let trace: Trace
    /// The failures that no code of the apps was told of, without those that an expectation of the scenario has counted.
    public let unobservedFailures: [UnobservedFailure]
    /// Of a scenario that passed, or of a canary that failed as it must: the faults that its steps set and that were triggered in none of its runs.
    public package(set) var untriggeredFaults: [UntriggeredFault] = []
    /// The faults that were triggered in some of its runs.
    package var triggeredFaults: [UntriggeredFault] = []
    /// The last run as it can be told, where ``RunOptions/story`` asked for it.
    package var story: RunStory?
    /// Of a canary that ended with its status: why that is not what it is there for; `nil` where it is.
    package var canaryObjection: String?

    /// What can come of a run.
    public enum Outcome: Sendable {
        /// Everything held.
        case passed
        /// An expectation did not hold, or an operation failed that was not expected to.
        case failed(ScenarioFailure)
        /// Work went on without an end, or waited for what can never come.
        case didNotSettle(ScenarioFailure)
        /// Work came in from outside the simulation's thread, or a second run differed.
        case notDeterministic(ScenarioFailure)
        /// The scenario could not be run here, such as for a root folder that cannot be written.
        case cannotRun(ScenarioFailure)
    }

    /// A result put together by code.
    public init(
        name: String, path: String, title: String, tags: [String], rules: [String], seed: UInt64, outcome: Outcome, runCount: Int = 1,
        stepCount: Int, duration: VirtualDuration, trace: Trace, unobservedFailures: [UnobservedFailure] = []
    ) {
        self.name = name
        self.path = path
        self.title = title
        self.tags = tags
        self.rules = rules
        self.seed = seed
        self.outcome = outcome
        self.runCount = runCount
        self.stepCount = stepCount
        self.duration = duration
        self.trace = trace
        self.unobservedFailures = unobservedFailures
    }
}

/// Why a scenario did not pass, with all that a report needs to show it.
public struct ScenarioFailure: Sendable, Hashable {
    /// In one sentence.
    public package(set) var message: String
    /// Of a scenario with steps that crash at every operation: these steps as one writes them to have the failing run alone.
    public package(set) var pins: [String]
    /// The file of the step at fault where it is an included one, as the include reached it; `nil` for the scenario's own file.
    public let path: String?
    /// 1-based line and column of the step at fault, and the length of the words to underline; `nil` where no step is.
    public let line: Int?
    /// From 1; `nil` where no place in a line is meant.
    public let column: Int?
    /// In characters; `nil` where no place in a line is meant.
    public let length: Int?
    /// The step as written, and the phase (the comment or header above it) it belongs to.
    public package(set) var source: String?
    /// The name of the phase that failed; `nil` where it has none.
    public package(set) var phase: String?
    /// What was expected and what was found, in the notation of scenario files so that the actual line can be pasted.
    public package(set) var expected: String?
    /// What was found, as a scenario file would write it.
    public package(set) var actual: String?
    /// The last events, rendered, oldest first.
    public package(set) var lastEvents: [String]
    /// Whether the step at fault was carried out, and this came of it; otherwise it could not be tried at all, such as in an app that does not run.
    var wasTried = true
    /// Of a step that failed and should not have: the error's name, as behind `fails`.
    package var error: String?

    /// A failure with what is known of it.
    public init(
        message: String, pins: [String] = [], path: String? = nil, line: Int? = nil, column: Int? = nil, length: Int? = nil,
        source: String? = nil,
        phase: String? = nil, expected: String? = nil, actual: String? = nil, lastEvents: [String] = []
    ) {
        self.message = message
        self.pins = pins
        self.path = path
        self.line = line
        self.column = column
        self.length = length
        self.source = source
        self.phase = phase
        self.expected = expected
        self.actual = actual
        self.lastEvents = lastEvents
    }
}
