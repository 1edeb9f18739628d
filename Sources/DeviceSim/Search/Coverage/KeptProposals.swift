import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Synchronization

/// Scenarios that try a kind of step in a situation, made once each in a process: some are run to see what comes of their step. May be used from any thread.
enum KeptProposals {
    private struct Place: Hashable {
        let kind: String
        let situation: StepSituation?
    }

    private static let made = Mutex<[Place: ProposedScenario]>([:])

    static func scenario(_ step: StepProposal, in situation: StepSituation?) -> ProposedScenario {
        let place = Place(kind: step.kind, situation: situation)
        if let kept = made.withLock({ $0[place] }) { return kept }
        let scenario = step.scenario(in: situation)
        made.withLock { $0[place] = scenario }
        return scenario
    }
}

/// What each of ``ProposedDays`` comes to, counted when the first thing is asked for.
struct DaysCovered {
    let request: CoverageRequest
    private var shown: [(lines: [String], coverage: SearchCoverage)]?

    init(request: CoverageRequest) { self.request = request }

    /// The shortest day that comes to it; of two as short the first.
    mutating func shortest(_ topic: SearchCoverage.Topic, _ name: String) -> [String]? {
        let shown = self.shown ?? Self.days.map { ($0.lines, coverage(of: $0)) }
        self.shown = shown
        return shown.filter { $0.coverage.count(of: topic, named: name) > 0 }.min { $0.lines.count < $1.lines.count }?.lines
    }

    private func coverage(of day: Day) -> SearchCoverage {
        var coverage = day.coverage
        let draw = GeneratedRun(index: 0, scenario: day.scenario, faultKinds: [], strategy: .fifo)
        coverage.noteRun(draw, day.trace, request)
        return coverage
    }

    private struct Day: Sendable {
        let lines: [String]
        let scenario: Scenario
        /// What the run exercised, the rules of its trace not yet among it.
        let coverage: SearchCoverage
        let trace: Trace
    }

    /// Each day run, once in a process.
    private static let days: [Day] = ProposedDays.all.compactMap { day in
        let lines = day.split(separator: "\n").map(String.init)
        guard let scenario = ProposedScenario(title: "A day", lines: lines).scenario else { return nil }
        let coverage = CheckedRun.covered(scenario).coverage ?? SearchCoverage()
        return Day(lines: lines, scenario: scenario, coverage: coverage, trace: ScenarioRunner.run(scenario).trace)
    }
}
