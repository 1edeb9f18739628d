import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

/// Runs scenarios: one simulation each, on the calling thread. Any number of threads may run scenarios at once.
public enum ScenarioRunner {
    /// Runs one scenario to its end or to its first failure. With a step that crashes at every operation, these are many runs, until the step has no
    /// further operation; the trace is that of the last one.
    ///
    /// - Parameters:
    ///   - scenario: What to run.
    ///   - options: How to run it: the seed, the order, the app under test.
    ///   - catalogs: Those that an embedding test offers to scenarios, by the names that these use, beside those of the options.
    public static func run(
        _ scenario: Scenario, options: RunOptions = RunOptions(), catalogs: [String: any StorageKeyCatalog] = [:]
    ) -> ScenarioResult {
        options.watched { watched in
            runToItsEnd(scenario, watched, watched.catalogs.merging(catalogs) { $1 })
        } stalled: {
            result(of: scenario, seed: scenario.seed ?? options.seed, outcome: .didNotSettle(scenario.failure($0)), tally: Tally())
        }
    }

    private static func runToItsEnd(
        _ scenario: Scenario, _ options: RunOptions, _ catalogs: [String: any StorageKeyCatalog]
    ) -> ScenarioResult {
        let seed = scenario.seed ?? options.seed
        var folder = options.root.map { RunFolder(of: scenario.name, below: $0) }
        var tally = Tally()
        func result(_ outcome: ScenarioResult.Outcome) -> ScenarioResult {
            Self.result(of: scenario, seed: seed, outcome: outcome, tally: tally)
        }
        func makeRun(_ schedule: CrashSchedule) throws(RunFolder.Refusal) -> ScenarioRun {
            if tally.madeRuns == 0 { try folder?.prepare() } else { try folder?.prepareAgain() }
            let run = ScenarioRun(scenario, schedule: schedule, seed: seed, options: options, root: folder?.url, catalogs: catalogs)
            if tally.madeRuns == 0 { folder?.noteStartFolders() }
            tally.madeRuns += 1
            return run
        }
        defer { if tally.madeRuns > 0 { folder?.noteEnd() } }
        do {
            var progress = SweepProgress(limit: options.crashPointLimit)
            if scenario.sweepCount > 0 {
                let operations = try CrashSchedule.countOperations(of: scenario) { schedule throws(RunFolder.Refusal) in
                    let counting = try makeRun(schedule)
                    _ = counting.execute()
                    return counting.sweepOperations
                }
                progress.total = CrashSchedule.runCount(ofOperations: operations, of: scenario.sweepCount)
                if let excess = progress.excess(of: scenario, operations: operations) { return result(.cannotRun(excess)) }
                options.crashPointProgress?(progress)
            }
            var schedule = CrashSchedule(scenario)
            var crashed: Set<Int> = []
            while true {
                let run = try makeRun(schedule)
                let outcome = run.execute()
                tally.add(run)
                progress.done += 1
                crashed.formUnion(run.isSweepOver.indices.filter { !run.isSweepOver[$0] })
                guard case .passed = outcome, options.watch?.isGivenUp != true else { return result(outcome) }
                guard schedule.advance(run.isSweepOver) else {
                    return result(scenario.neverCrashes(besides: crashed, of: run.isSweepOver.count).map { .failed($0) } ?? outcome)
                }
                if let excess = progress.excess(of: scenario, operations: []) { return result(.cannotRun(excess)) }
                options.crashPointProgress?(progress)
            }
        } catch {
            return result(.cannotRun(ScenarioFailure(message: error.description)))
        }
    }

    // MARK: What came of it

    /// What the runs of one scenario come to.
    private struct Tally {
        /// With the one that only counts.
        var madeRuns = 0
        var runs = 0
        var steps = 0
        var duration = VirtualDuration.zero
        var trace = Trace()
        /// Those of the last run that no expectation has counted.
        var unobservedFailures: [UnobservedFailure] = []
        var story: RunStory?
        /// By the number of the fault, whether any run triggered it.
        var faults: [Int: (fault: UntriggeredFault, isTriggered: Bool)] = [:]

        mutating func add(_ run: ScenarioRun) {
            for (number, fault) in run.faults.enumerated() where fault.isTriggered || faults[number] == nil { faults[number] = fault }
            runs += 1
            steps += run.stepCount
            duration = VirtualDuration(microseconds: duration.microseconds + (run.simulation.now - .start).microseconds)
            trace = run.simulation.trace
            unobservedFailures = trace.unobservedFailures.filter { !run.countedFailures.contains($0) }
            story = run.story
        }
    }

    private static func result(of scenario: Scenario, seed: UInt64, outcome: ScenarioResult.Outcome, tally: Tally) -> ScenarioResult {
        var result = ScenarioResult(
            name: scenario.name, path: scenario.path, title: scenario.header.title, tags: scenario.header.tags,
            rules: scenario.header.rules, seed: seed, outcome: outcome.marked(of: scenario), runCount: max(1, tally.runs),
            stepCount: tally.steps,
            duration: tally.duration, trace: tally.trace,
            unobservedFailures: tally.unobservedFailures)
        result.story = tally.story
        result.canaryObjection = scenario.canaryObjection(to: outcome)
        let faults = tally.faults.sorted { $0.key < $1.key }.map(\.value)
        result.triggeredFaults = faults.filter(\.isTriggered).map(\.fault)
        // A canary that fails as it must has come to its last step.
        let isAsItMust = scenario.header.canary == outcome.status && result.canaryObjection == nil
        if outcome.status == 0 || isAsItMust { result.untriggeredFaults = faults.filter { !$0.isTriggered }.map(\.fault) }
        return result
    }
}
