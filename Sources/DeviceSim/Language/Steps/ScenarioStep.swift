import DeviceSimCore

/// One step of a scenario, with where it stands in the file.
public struct ScenarioStep: Sendable {
    /// What happens, or must hold.
    public let action: Action
    /// Where the file says it.
    public let range: SourceRange
    /// The step as written, without indentation and comment.
    public var source: String { written ?? action.notation }
    /// ``source``; `nil` for a step that stands in no file.
    private let written: String?
    /// The comment above the group of steps it belongs to, joined to one line; `nil` where there is none.
    public let phase: String?
    /// The lines of its block, such as each event of `expect in order`.
    public let block: [Line]
    /// Of a step of an included file the places that include it, innermost first.
    package private(set) var includedFrom: [SourceRange] = []

    /// A line of a step's block.
    public struct Line: Sendable, Hashable {
        /// Where the file has it.
        public let range: SourceRange
        /// As written, without indentation and comment.
        public let source: String
    }

    /// A step with its place in the file.
    public init(_ action: Action, range: SourceRange, source: String, phase: String? = nil, block: [Line] = []) {
        self.action = action
        self.block = block
        self.range = range
        written = source
        self.phase = phase
    }

    /// The same step of a file that is included.
    func included(from places: [SourceRange]) -> ScenarioStep {
        var step = self
        step.includedFrom = places
        return step
    }

    /// A step that stands in no file.
    package static func drawn(_ action: Action, phase: String? = nil) -> ScenarioStep { ScenarioStep(drawn: action, phase: phase) }

    private init(drawn action: Action, phase: String?) {
        self.action = action
        block = []
        range = SourceRange(path: "", line: 0, column: 0, length: 1)
        written = nil
        self.phase = phase
    }

    /// The same place in the file, with another action.
    package func doing(_ action: Action) -> ScenarioStep { ScenarioStep(self, action) }

    private init(_ step: ScenarioStep, _ action: Action) {
        self.action = action
        (block, range, written, phase, includedFrom) = (step.block, step.range, step.written, step.phase, step.includedFrom)
    }

    /// The kinds of steps.
    public enum Action: Sendable, Hashable {
        /// Something happens to a device.
        case device(DeviceStep)
        /// Something happens between the devices.
        case link(LinkStep)
        /// App code uses the session.
        case session(SessionStep)
        /// App code transfers something in the background.
        case transfer(TransferStep)
        /// App code uses LocalData.
        case data(DataStep)
        /// Something goes wrong.
        case fault(FaultStep)
        /// Something must hold.
        case expect(Expectation)
        /// Time passes, or something is begun at one instant.
        case time(TimeStep)
        /// Started one after the other without letting any run in between, then awaited together.
        case together([ScenarioStep])
    }
}

extension ScenarioStep: Hashable {
    /// Equal if they do the same, wherever they are written.
    public static func == (lhs: ScenarioStep, rhs: ScenarioStep) -> Bool { lhs.action == rhs.action }

    public func hash(into hasher: inout Hasher) { hasher.combine(action) }
}

/// What must come of a step that runs code of the app.
public enum StepOutcome: Sendable, Hashable {
    /// It must succeed.
    case succeeds
    /// It must fail with this error.
    case fails(ScenarioErrorName)
    /// The app crashes just before its n-th storage operation within the step (1-based). A step with fewer is a failure.
    case crashes(atOperation: Int)
    /// The device loses power just before that operation.
    case losesPower(atOperation: Int)
    /// The scenario runs once for each storage operation of the step, with a crash just before that, and once more with a crash right after the step.
    case crashesAtEveryOperation
    /// Likewise with a power loss.
    case losesPowerAtEveryOperation
    /// The task that the step runs in is cancelled just before its n-th storage operation (1-based), as SwiftUI cancels that of a view which goes. The app goes
    /// on; the step succeeds all the same, or fails with `CancellationError`. A step with fewer operations is a failure.
    case isCancelled(atOperation: Int)
    /// The scenario runs once for each storage operation of the step, with its task cancelled just before that, and once more without.
    case isCancelledAtEveryOperation
}

extension StepOutcome {
    /// Whether it stands for many runs of the scenario.
    public var isSweeping: Bool {
        switch self {
        case .crashesAtEveryOperation, .losesPowerAtEveryOperation, .isCancelledAtEveryOperation: true
        case .succeeds, .fails, .crashes, .losesPower, .isCancelled: false
        }
    }

    /// Whether something befalls the step before it ends.
    package var isFault: Bool {
        switch self {
        case .succeeds, .fails: false
        case .crashes, .losesPower, .isCancelled, .crashesAtEveryOperation, .losesPowerAtEveryOperation, .isCancelledAtEveryOperation: true
        }
    }

    /// Whether the process of the step ends with it: nobody is told what came of it.
    package var endsProcess: Bool {
        switch self {
        case .crashes, .losesPower, .crashesAtEveryOperation, .losesPowerAtEveryOperation: true
        case .succeeds, .fails, .isCancelled, .isCancelledAtEveryOperation: false
        }
    }

    /// The outcome in one of these runs: what befalls the step comes just before operation `number`.
    public func pinned(to number: Int) -> StepOutcome {
        switch self {
        case .isCancelledAtEveryOperation: .isCancelled(atOperation: number)
        case .crashesAtEveryOperation: .crashes(atOperation: number)
        case .losesPowerAtEveryOperation: .losesPower(atOperation: number)
        default: self
        }
    }
}

extension ScenarioStep {
    /// What must come of a step that runs code of the app; `nil` for any other.
    package var outcome: StepOutcome? { action.outcome }
}

extension ScenarioStep.Action {
    /// What must come of a step that runs code of the app; `nil` for any other.
    package var outcome: StepOutcome? {
        switch self {
        case .device(let step): step.outcome
        case .session(let step): step.outcome
        case .transfer(let step): step.outcome
        case .data(let step): step.outcome
        case .link, .fault, .expect, .time, .together: nil
        }
    }

    /// As a scenario file writes it, in canonical layout; read back, it gives an equal step. One line, or a line and its indented block.
    public var notation: String {
        switch self {
        case .device(let step): step.wording.line(on: step.device, outcome: step.outcome)
        case .link(let step): step.wording.line()
        case .session(let step): step.wording.line(on: step.device, outcome: step.outcome)
        case .transfer(let step): step.wording.line(on: step.device, outcome: step.outcome)
        case .data(let step): step.wording.line(on: step.device, step.part.wording, outcome: step.outcome)
        case .fault(let step): step.wording.line(on: step.device)
        case .expect(let expectation): expectation.notation
        case .time(let step): step.wording.line()
        case .together(let steps):
            ([TimeStep.Forms.together.filled().line()] + steps.map { "    " + $0.action.notation }).joined(separator: "\n")
        }
    }
}

extension ScenarioStep.Action {
    /// The kind of line that says it; `nil` for an expectation, which is no step.
    package var form: Form? {
        switch self {
        case .device(let step): step.wording.form
        case .link(let step): step.wording.form
        case .session(let step): step.wording.form
        case .transfer(let step): step.wording.form
        case .data(let step): step.wording.form
        case .fault(let step): step.wording.form
        case .time(let step): step.wording.form
        case .together: TimeStep.Forms.together
        case .expect: nil
        }
    }
}

extension Int {
    var bytesNotation: String { self == 1 ? "1 byte" : "\(self) bytes" }
}
