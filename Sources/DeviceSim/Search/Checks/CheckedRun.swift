import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// Runs a scenario and holds it to every ``Invariant``: its steps may fail, but only for a reason; its expectations are passed over.
public enum CheckedRun {
    /// Runs the steps until an invariant is broken, or to the end and the checks there.
    ///
    /// On the calling thread; any number of threads may run scenarios at once. Same scenario and options, same result.
    public static func run(_ scenario: Scenario, options: RunOptions = RunOptions()) -> CheckedResult {
        run(scenario, options: options, extent: nil)
    }

    /// The same, and what it exercised.
    package static func covered(_ scenario: Scenario, options: RunOptions = RunOptions()) -> CheckedResult {
        run(scenario, options: options, extent: nil, isCounting: true)
    }

    /// - Parameter extent: Where the run is given up, as one that keeps its invariants.
    /// - Parameters:
    ///   - isCounting: Whether to count what the run exercises.
    ///   - probe: Who guides the run, and looks at it between the steps.
    static func run(
        _ scenario: Scenario, options: RunOptions, extent: RunExtent?, isCounting: Bool = false, probe: (any CheckedRunProbe)? = nil
    ) -> CheckedResult {
        options.watched { watched in
            runToItsEnd(scenario, watched, extent, isCounting: isCounting, probe)
        } stalled: {
            CheckedResult(violation: Violation($0), outcomes: [], trace: Trace(), branching: [], states: [], duration: .zero)
        }
    }

    private static func runToItsEnd(
        _ scenario: Scenario, _ options: RunOptions, _ extent: RunExtent?, isCounting: Bool, _ probe: (any CheckedRunProbe)?
    ) -> CheckedResult {
        let run = ScenarioRun(
            scenario, schedule: CrashSchedule(scenario), seed: scenario.seed ?? options.seed, options: options, root: nil,
            catalogs: options.catalogs)
        defer { run.simulation.shutDown() }
        let recorder = isCounting ? CoverageRecorder() : nil
        probe?.isMade(run)
        var execution = CheckedExecution(scenario, run: run, options: options, extent: extent, recorder: recorder, probe: probe)
        let ending = execution.carryOut()
        probe?.isOver(run)
        let violation =
            run.violationOfDeterminism(at: execution.outcomes.count) ?? run.blockage(at: execution.outcomes.count) ?? ending.violation
        let trace = run.simulation.trace
        return CheckedResult(
            violation: violation?.besides(refusedCatalogs: trace.refusedCatalogs), outcomes: execution.outcomes, trace: trace,
            branching: run.simulation.scheduler.branching, states: execution.states,
            duration: run.simulation.now - .start, coverage: recorder?.coverage,
            fates: isCounting ? execution.fates : [:])
    }
}

/// Looks at a checked run as it goes on, on the thread of that run. Who made the run uses it before and after; never again behind a run that was given up,
/// whose thread may still have it.
protocol CheckedRunProbe: AnyObject, Sendable {
    /// The run was made, and nothing has happened in it.
    func isMade(_ run: ScenarioRun)
    /// The step of that number begins, from 0; behind the last one, the checks of the end.
    func begins(step: Int, of run: ScenarioRun)
    /// What came of that step, or of what the checks of the end asked for.
    func told(_ observations: [StepObservation], at step: Int)
    /// What the app on that device says of itself at the end. Asked for only where somebody listens.
    func told(_ answer: String, by device: DeviceID)
    /// Whether somebody listens to that.
    var asksApps: Bool { get }
    /// The apps were asked what changes nothing, and are about to be asked for work.
    func takesStock(of run: ScenarioRun)
    /// The run has ended, and is about to be cleared away.
    func isOver(_ run: ScenarioRun)
}

extension CheckedRunProbe {
    var asksApps: Bool { false }
    func told(_ observations: [StepObservation], at step: Int) {}
    func told(_ answer: String, by device: DeviceID) {}
    func takesStock(of run: ScenarioRun) {}
}

/// How a checked run ended.
private enum Ending {
    /// All was carried out, and every invariant held.
    case kept
    /// An invariant was broken.
    case violated(Violation)
    /// The run became longer than it may.
    case givenUp

    var violation: Violation? {
        if case .violated(let violation) = self { violation } else { nil }
    }
}

/// One run under all checks, as it goes on.
private struct CheckedExecution {
    let scenario: Scenario
    let run: ScenarioRun
    let options: RunOptions
    let extent: RunExtent?
    private let probe: (any CheckedRunProbe)?
    private let switchedOn: Set<Int>
    private let recorder: CoverageRecorder?
    private var checker: InvariantChecker
    private var monitor = QuiescenceMonitor()
    private var observing = ObservationCheck()
    private var planned = RotationPlanCheck()
    private var wholes = WholeValueCheck()
    private var leavesChoicesOut = false
    private var ownChanges = OwnChanges()
    private(set) var outcomes: [[ObservedOutcome]] = []
    private(set) var states: [UInt64] = []

    /// What can be said of the keys now.
    var fates: [KeyFate: Int] { checker.fates }

    init(
        _ scenario: Scenario, run: ScenarioRun, options: RunOptions, extent: RunExtent?, recorder: CoverageRecorder?,
        probe: (any CheckedRunProbe)?
    ) {
        self.recorder = recorder
        self.scenario = scenario
        self.run = run
        self.options = options
        self.extent = extent
        self.probe = probe
        let chosen = RunGenerator.switchedOn(in: scenario.steps, of: scenario).map { scenario.keys[$0.index].name }
        // One name has one policy, whichever of its keys the choice names.
        switchedOn = Set(scenario.keys.indices.filter { chosen.contains(scenario.keys[$0].name) })
        checker = Self.checker(of: run, scenario, switchedOn: switchedOn)
        checker.recorder = recorder
        monitor.recorder = recorder
    }

    private static func checker(of run: ScenarioRun, _ scenario: Scenario, switchedOn: Set<Int>) -> InvariantChecker {
        let keys = scenario.keys.indices.map { index in
            let reference = KeyReference(index: index, identifier: scenario.keys[index].identifier)
            return CheckedKey(
                scenario.keys[index], at: reference, binding: run.keys[reference], among: scenario.keys,
                isSwitchedOn: switchedOn.contains(index), ignoringCase: scenario.knobs.diskIgnoresCase)
        }
        let untold = UntoldKeys.among(scenario.keys, in: scenario)
        var checker = InvariantChecker(keys: keys, untold: Set(untold.keys), knobs: scenario.knobs, start: scenario.start)
        checker.made = MadeValues(of: scenario.keys, untold: untold, deviceCount: checker.devices.count)
        checker.refused = RefusedCatalogs(scenario)
        // What becomes of a choice when another version of the app has the name is not followed here.
        let chosen = Set(
            scenario.steps.compactMap { step -> String? in
                guard case .data(let data) = step.action, case .overrideSync(let key, let policy?) = data.action, policy != .never else {
                    return nil
                }
                return scenario.keys[key.index].name
            })
        for key in keys where key.syncPolicy == .never && !key.isSwitchedOn && chosen.contains(key.name) { checker.spoil(key) }
        checker.valuesBesideKeys = scenario.steps.flatMap(\.action.valuesBesideKeys)
        return checker
    }

    mutating func carryOut() -> Ending {
        do {
            if let ending = try start() { return ending }
            for (index, step) in scenario.steps.enumerated() {
                run.watch?.begins(step: index)
                probe?.begins(step: index, of: run)
                if let ending = try carryOut(step.action, index) { return ending }
            }
            probe?.begins(step: scenario.steps.count, of: run)
            let violation = try options.stopwatch.measure(.checks) {
                lookAtOwnChanges(beside: [])
                return try EndChecks(run: run, stepCount: scenario.steps.count, probe: probe).check(&checker, &monitor)
            }
            return violation.map { .violated($0) } ?? .kept
        } catch let error as SimulationError {
            return .violated(Violation(.progress, step: outcomes.count, explanation: [error.reason]))
        } catch {
            return .violated(Violation(.progress, step: outcomes.count, explanation: [ErrorText.of(error)]))
        }
    }

    /// - Returns: How the run ended; `nil`: it goes on.
    private mutating func start() throws -> Ending? {
        var ending: Ending?
        let hasBegun = try run.begin {
            guard case .feedbackLoop(let violation) = try monitor.pass(run, step: 0) else { return true }
            // The apps do not come to rest after they were launched.
            ending = .violated(violation)
            return false
        }
        guard hasBegun else { return ending }
        monitor.disturb(run)
        // Whether code of an app's own heeds what LocalData is told about its sync nobody knows: it is told nothing.
        if !switchedOn.isEmpty, run.hasOwnStorage {
            checker = Self.checker(of: run, scenario, switchedOn: [])
            checker.recorder = recorder
            leavesChoicesOut = true
        }
        lookAtTrace()
        return nil
    }

    private mutating func lookAtTrace() {
        checker.refused.look(at: run)
        checker.notePutOff(in: run)
        monitor.isUnheard = !checker.devices.allSatisfy(checker.refused.isComplete)
    }

    private mutating func lookAtOwnChanges(beside observations: [StepObservation]) {
        let news = ownChanges.news(in: run, beside: observations, checker.keys)
        checker.noteOwnChanges(news, among: scenario.keys)
    }

    /// - Returns: How the run ended; `nil`: it goes on.
    private mutating func carryOut(_ action: ScenarioStep.Action, _ index: Int) throws -> Ending? {
        var observations: [StepObservation]
        let places = recorder?.places(of: action, in: run)
        let looking = ReadOnlyCheck(before: action, in: run)
        let unchanged = try UnchangedValuesCheck.before(action, in: run, checker)
        if let deadline = action.deadline(in: run) {
            switch try monitor.pass(run, until: deadline, step: index, extent: extent) {
            case .done: break
            case .feedbackLoop(let violation): return .violated(violation)
            case .budgetExceeded: return .givenUp
            }
            run.stepCount += 1
            observations = [StepObservation(action: action, result: .done)]
            observations[0].notePowerLosses(in: run)
            if case .time(.settle) = action, run.isInWorkingOrder {
                // A watch that nobody wears may have what no other device has heard of.
                checker.made.noteRest(checker.keys, versions: checker.versions)
                if checker.devices.count == 2 { checker.noteRest() } else { checker.noteExchange(with: run.simulation.activeWatch.id) }
            }
        } else {
            if !action.isExpectation { monitor.disturb(run) }
            if leavesChoicesOut, action.choosesSync {
                observations = [StepObservation(action: action, result: .impossible("the app keeps its values by code of its own"))]
            } else {
                observations = try action.isDeclared(in: run, keys: scenario.keys) ? run.observe(action) : [.undeclared(action)]
            }
        }
        outcomes.append(observations.map(\.outcome))
        probe?.told(observations, at: index)
        if let places { recorder?.made(places, observations) }
        let violation = options.stopwatch.measure(.checks) {
            lookAtTrace()
            lookAtOwnChanges(beside: observations)
            let violation = checker.note(observations, step: index, at: run.simulation.now)
            states.append(StateFingerprint(of: run, knowledge: InvariantChecker.fingerprint(of: checker.histories)).value)
            return violation
        }
        if let violation = violation ?? looking?.check(checker, in: run, step: index) { return .violated(violation) }
        if let violation = try unchanged?.check(observations, checker, in: run, step: index)
            ?? wholes.check(
                observations, in: run, checker, step: index)
        {
            return .violated(violation)
        }
        if case .time(.settle(limit: nil)) = action, let violation = try RestCheck(run: run, step: index).check(&checker) {
            return .violated(violation)
        }
        observing.note(observations, checker.keys)
        if observations.count == 1, let violation = try lookedAt(observations[0], index) { return .violated(violation) }
        // The expectation stands behind the step. Behind the last one the checks of the end look.
        if index + 1 < scenario.steps.count,
            let violation = AppInvariantCheck(run: run, step: index + 1, recorder: recorder).check(isAtRest: false)
        {
            return .violated(violation)
        }
        if let extent, extent < RunExtent(of: run) { return .givenUp }
        return nil
    }

    /// What the device shows after a step that was alone.
    private mutating func lookedAt(_ observation: StepObservation, _ index: Int) throws -> Violation? {
        if let violation = planned.check(observation, in: run, checker, step: index) { return violation }
        return try RetirementCheck.check(observation, in: run, checker, step: index) ?? RotationCheck.check(
            observation, in: run, checker, step: index)
            ?? SyncStatusCheck.check(observation, in: run, checker, step: index)
            ?? observing.check(observation, in: run, checker, step: index)
    }
}

extension ScenarioRun {
    /// Code of an app that waits for what can never come: what it did after that says nothing.
    fileprivate func blockage(at step: Int) -> Violation? {
        let blockages = simulation.scheduler.blockageReport
        return blockages.isEmpty ? nil : Violation(.progress, step: step, explanation: blockages)
    }

    /// Work that came in from outside the simulation's thread, whatever else was found.
    fileprivate func violationOfDeterminism(at step: Int) -> Violation? {
        guard !simulation.scheduler.escapes.isEmpty else { return nil }
        return Violation(
            .determinism, step: step,
            explanation: ["work came in from outside the simulation's thread: \(simulation.scheduler.escapeReport.joined(separator: ", "))"]
        )
    }
}

extension ScenarioStep.Action {
    /// Of a step that lets time pass: until when, `.some(nil)` until nothing is left to happen.
    fileprivate func deadline(in run: ScenarioRun) -> VirtualTime?? {
        switch self {
        case .time(.settle(limit: nil)): .some(nil)
        case .time(.wait(let span)): run.simulation.now + span
        default: nil
        }
    }
}

extension ScenarioStep.Action {
    fileprivate var choosesSync: Bool {
        switch self {
        case .together(let steps): return steps.contains { $0.action.choosesSync }
        case .data(let data):
            if case .overrideSync = data.action { return true }
            return data.action == .clearOverrides
        default: return false
        }
    }

    /// Whether code of the app's version can do that: it has no key that only another version declares.
    fileprivate func isDeclared(in run: ScenarioRun, keys: [ScenarioKey]) -> Bool {
        switch self {
        case .together(let steps): return steps.allSatisfy { $0.action.isDeclared(in: run, keys: keys) }
        case .data(let data):
            if case .plant = data.action { return true }
            if case .register(let catalog) = data.action {
                guard let version = run.simulation.device(data.device).flatMap({ AppVersion($0.appVersion) }) else { return true }
                return run.keys.catalog(catalog, in: version) != nil
            }
            guard let key = data.action.key.map({ keys[$0.index] }), key.isCurrent,
                let version = run.simulation.device(data.device).flatMap({ AppVersion($0.appVersion) })
            else { return true }
            return key.exists(in: version)
        default: return true
        }
    }
}

extension StepObservation {
    fileprivate static func undeclared(_ action: ScenarioStep.Action) -> StepObservation {
        StepObservation(action: action, result: .impossible("the app's version does not declare the key, or has no such catalog"))
    }

    fileprivate var outcome: ObservedOutcome {
        switch result {
        case .done: conditions.wasCancelled ? .cancelled : .succeeded
        case .failed(is CancellationError) where conditions.wasCancelled: .cancelled
        case .failed(let error): .failed(ScenarioErrorName(error))
        case .ended: .ended
        case .impossible: .impossible
        }
    }
}

extension SimulationError {
    /// Without times and numbers, so that the same failure in two runs reads the same.
    fileprivate var reason: String {
        switch self {
        case .deadlock(_, let operation): "'\(operation.split(separator: " ").first ?? "")' waits for ever"
        case .livelock, .unrest: "work goes on without an end"
        case .didNotSettle: "something is still scheduled after two days"
        case .impossible(_, let reason): reason
        }
    }
}
