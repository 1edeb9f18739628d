import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// Runs a scenario and holds it to every ``Invariant``: its steps may fail, but only for a reason; its expectations are passed over.
public enum CheckedRun {
    /// Runs the steps until a invariant is broken, or to the end and the checks there.
    ///
    /// On the calling thread; any number of threads may run scenarios at once. Same scenario and options, same result.
    public static func run(_ scenario: Scenario, options: RunOptions = RunOptions()) -> CheckedResult {
        run(scenario, options: options, extent: nil)
    }

    /// - Parameter extent: Where the run is given up, as one that keeps its invariants.
    static func run(_ scenario: Scenario, options: RunOptions, extent: RunExtent?) -> CheckedResult {
        let run = ScenarioRun(
            scenario, schedule: CrashSchedule(scenario), seed: scenario.seed ?? options.seed, options: options, root: nil, catalogs: [:])
        defer { run.simulation.shutDown() }
        let keys = scenario.keys.indices.map { index in
            let reference = KeyReference(index: index, identifier: scenario.keys[index].identifier)
            return CheckedKey(scenario.keys[index], at: reference, binding: run.keys[reference], among: scenario.keys)
        }
        var keeper = InvariantChecker(keys: keys, knobs: scenario.knobs)
        var outcomes: [[ObservedOutcome]] = []
        var states: [UInt64] = []
        var violation: Violation?
        var isOver = false
        do {
            var settling = QuiescenceMonitor()
            try run.begin {
                if case .feedbackLoop(let echo) = try settling.pass(run, step: 0) { throw EchoAtStart(violation: echo) }
            }
            settling.disturb(run)
            for (index, step) in scenario.steps.enumerated() {
                let observations: [StepObservation]
                if let deadline = step.action.deadline(in: run) {
                    switch try settling.pass(run, until: deadline, step: index, extent: extent) {
                    case .done: break
                    case .feedbackLoop(let echo): violation = echo
                    case .budgetExceeded: isOver = true
                    }
                    if violation != nil || isOver { break }
                    run.stepCount += 1
                    observations = [StepObservation(action: step.action, result: .done)]
                    if case .time(.settle) = step.action, run.isInWorkingOrder { keeper.noteRest() }
                } else {
                    if !step.action.isExpectation { settling.disturb(run) }
                    observations = try run.observe(step)
                }
                outcomes.append(observations.map(\.outcome))
                options.stopwatch.measure(.checks) {
                    violation = keeper.note(observations, step: index, at: run.simulation.now)
                    states.append(StateFingerprint(of: run, knowledge: keeper.fingerprint).value)
                }
                if let extent, extent < RunExtent(of: run) { isOver = true }
                if violation != nil || isOver { break }
            }
            if violation == nil, !isOver {
                violation = try options.stopwatch.measure(.checks) {
                    try EndChecks(run: run, stepCount: scenario.steps.count).check(&keeper, &settling)
                }
            }
        } catch let error as EchoAtStart {
            violation = error.violation
        } catch let error as SimulationError {
            violation = Violation(.progress, step: outcomes.count, explanation: [error.reason])
        } catch {
            violation = Violation(.progress, step: outcomes.count, explanation: [ErrorText.of(error)])
        }
        if !run.simulation.scheduler.escapes.isEmpty {
            violation = Violation(
                .determinism, step: outcomes.count,
                explanation: [
                    "work came in from outside the simulation's thread: \(run.simulation.scheduler.escapeReport.joined(separator: ", "))"
                ])
        }
        return CheckedResult(
            violation: violation, outcomes: outcomes, trace: run.simulation.trace, branching: run.simulation.scheduler.branching,
            states: states, duration: run.simulation.now - .start)
    }
}

/// The apps do not come to rest after they were launched.
private struct EchoAtStart: Error {
    let violation: Violation
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

extension StepObservation {
    fileprivate var outcome: ObservedOutcome {
        switch result {
        case .done: .succeeded
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
        case .didNotSettle: "something is still scheduled after a day"
        case .impossible(_, let reason): reason
        }
    }
}
