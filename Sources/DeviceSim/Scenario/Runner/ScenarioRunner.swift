import Foundation
import LocalData

/// Runs scenarios: one simulation each, on the calling thread. Any number of threads may run scenarios at once.
public enum ScenarioRunner {
    /// Runs one scenario to its end or to its first failure. With a step that crashes at every operation, these are many runs, until the step has no
    /// further operation; the trace is that of the last one.
    ///
    /// - Parameter catalogs: Those that an embedding test offers to scenarios, by the names that these use.
    public static func run(
        _ scenario: Scenario, options: RunOptions = RunOptions(), catalogs: [String: any StorageKeyCatalog] = [:]
    ) -> ScenarioResult {
        let seed = scenario.seed ?? options.seed
        var schedule = CrashSchedule(scenario)
        var tally = Tally()
        while true {
            let folder: URL?
            do {
                folder = try options.root.map { root in
                    let folder = RunFolder(of: scenario.name, below: root)
                    try folder.prepare()
                    return folder.url
                }
            } catch {
                return result(of: scenario, seed: seed, outcome: .cannotRun(ScenarioFailure(message: "\(error)")), tally: tally)
            }
            let run = ScenarioRun(scenario, schedule: schedule, seed: seed, options: options, root: folder, catalogs: catalogs)
            let outcome = run.execute()
            tally.add(run)
            guard case .passed = outcome, schedule.advance(run.isSweepOver) else {
                return result(of: scenario, seed: seed, outcome: outcome, tally: tally)
            }
        }
    }

    /// What the runs of one scenario come to.
    private struct Tally {
        var runs = 0
        var steps = 0
        var duration = VirtualDuration.zero
        var trace = Trace()

        mutating func add(_ run: ScenarioRun) {
            runs += 1
            steps += run.stepCount
            duration = VirtualDuration(microseconds: duration.microseconds + (run.simulation.now - .start).microseconds)
            trace = run.simulation.trace
        }
    }

    private static func result(of scenario: Scenario, seed: UInt64, outcome: ScenarioResult.Outcome, tally: Tally) -> ScenarioResult {
        ScenarioResult(
            name: scenario.name, path: scenario.path, title: scenario.header.title, tags: scenario.header.tags,
            rules: scenario.header.rules, seed: seed, outcome: outcome, runCount: max(1, tally.runs), stepCount: tally.steps,
            duration: tally.duration, trace: tally.trace,
            unobservedFailures: scenario.expectsUnobservedFailures ? [] : tally.trace.unobservedFailures)
    }
}
