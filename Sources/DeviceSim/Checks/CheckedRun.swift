import LocalData

/// Runs a scenario and holds it to every ``Promise``: its steps may fail, but only for a reason; its expectations are passed over.
public enum CheckedRun {
    /// Runs the steps until a promise is broken, or to the end and the checks there.
    ///
    /// On the calling thread; any number of threads may run scenarios at once. Same scenario and options, same result.
    public static func run(_ scenario: Scenario, options: RunOptions = RunOptions()) -> CheckedResult {
        let run = ScenarioRun(
            scenario, schedule: CrashSchedule(scenario), seed: scenario.seed ?? options.seed, options: options, root: nil, catalogs: [:])
        defer { run.simulation.shutDown() }
        let keys = scenario.keys.indices.map { index in
            let reference = KeyReference(index: index, identifier: scenario.keys[index].identifier)
            return CheckedKey(scenario.keys[index], at: reference, binding: run.keys[reference])
        }
        var keeper = PromiseKeeper(keys: keys)
        var outcomes: [[StepOutcomeFound]] = []
        var states: [UInt64] = []
        var breach: Breach?
        do {
            try run.begin()
            for (index, step) in scenario.steps.enumerated() {
                if case .time(.settle(nil)) = step.action, let echo = try Settling.settle(run, step: index) {
                    breach = echo
                    break
                }
                let conclusions = try run.conclude(step)
                outcomes.append(conclusions.map(\.found))
                options.stopwatch.measure(.checks) {
                    breach = keeper.note(conclusions, step: index)
                    states.append(StateFingerprint(of: run, knowledge: keeper.fingerprint).value)
                }
                if breach != nil { break }
            }
            if breach == nil {
                breach = try options.stopwatch.measure(.checks) { try EndChecks(run: run, stepCount: scenario.steps.count).check(&keeper) }
            }
        } catch let error as SimulationError {
            breach = Breach(.progress, step: outcomes.count, explanation: [error.reason])
        } catch {
            breach = Breach(.progress, step: outcomes.count, explanation: [ErrorText.of(error)])
        }
        if !run.simulation.scheduler.escapes.isEmpty {
            breach = Breach(
                .determinism, step: outcomes.count,
                explanation: [
                    "work came in from outside the simulation's thread: \(Set(run.simulation.scheduler.escapes).sorted().joined(separator: ", "))"
                ])
        }
        return CheckedResult(
            breach: breach, outcomes: outcomes, trace: run.simulation.trace, branching: run.simulation.scheduler.branching,
            states: states, duration: run.simulation.now - .start)
    }
}

extension StepConclusion {
    fileprivate var found: StepOutcomeFound {
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
