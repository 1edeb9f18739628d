import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import DeviceSimRunner

/// The same scenario and seed give the same trace, byte for byte; and what a scenario says holds in whatever order ready work runs; an expectation can speak of
/// every fact of its trace.
@Suite struct DeterminismTests {
    @Test(arguments: try ScenarioFolder.files()) func tracesAreEqualAndOrderDoesNotMatter(_ path: String) throws {
        // One that crashes twice at every operation is thousands of runs, and takes longer than a hundred others: `pairsim run` makes them.
        for scenario in try ScenarioFolder.scenarios(at: path) where scenario.sweepingSteps.count < 2 {
            let first = ScenarioRunner.run(scenario)
            #expect(first.endsAsStated(by: scenario), "\(scenario.name): \(first.outcome)")
            #expect(first.untriggeredFaults.isEmpty, "\(scenario.name): a fault that no operation comes to, so that it shows nothing")
            let unknown = Set(
                first.trace.events.flatMap { event in event.facts.filter { !event.kind.has($0) }.map { "\(event.kind.rawValue) \($0)" } })
            #expect(unknown.isEmpty, "\(scenario.name): facts that no expectation can speak of: \(unknown.sorted())")
            // One that crashes at every operation is hundreds of runs. `Scripts/check-archive` has it, and all others, run under more orders by what a release
            // build makes of it.
            guard scenario.sweepingSteps.isEmpty else { continue }
            // To look into a run, step by step, changes nothing of it either.
            var options = RunOptions()
            options.story = StoryRequest()
            let second = ScenarioRunner.run(scenario, options: options)
            #expect(first.trace.json() == second.trace.json(), "\(scenario.name): two runs differ, of which one was looked into")
            try Self.requireCausesComeFirst(in: second, of: scenario)
            // One file in four, whichever: `Scripts/check-archive` runs all of them under five more orders.
            guard path.utf8.reduce(0, { $0 + Int($1) }).isMultiple(of: 4) else { continue }
            options.story = nil
            options.order = .seeded(1)
            let result = ScenarioRunner.run(scenario, options: options)
            #expect(result.endsAsStated(by: scenario), "\(scenario.name) under another order: \(result.outcome)")
        }
    }

    private static func requireCausesComeFirst(in result: ScenarioResult, of scenario: Scenario) throws {
        let story = try #require(result.story)
        #expect(story.trace.triggers.count == story.trace.events.count)
        for (number, cause) in story.causes.enumerated() {
            #expect((cause.trigger ?? -1) < number && (cause.carried ?? -1) < number, "event \(number) of \(scenario.name)")
        }
    }

    @Test func anotherSeedGivesAnotherTraceWhereSomethingIsDrawn() throws {
        let path = try #require(ScenarioFolder.files().first { $0.hasSuffix("sync/chosen-out-of-range.scenario") })
        let scenario = try #require(ScenarioFolder.scenarios(at: path).first)
        var options = RunOptions()
        options.order = .seeded(1)
        let orders = Set(
            (UInt64(1)...8).map { seed in
                options.order = .seeded(seed)
                return ScenarioRunner.run(scenario, options: options).trace.json()
            })
        #expect(orders.count > 1, "a seeded order must reorder something")
    }
}

/// The scenarios of the package.
enum ScenarioFolder {
    static func files() throws -> [String] {
        let root = repository.appendingPathComponent("Scenarios")
        return try FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { $0.hasSuffix(".scenario") }.sorted().map { root.appendingPathComponent($0).path }
    }

    static func scenarios(at path: String) throws -> [Scenario] {
        let compilation = ScenarioCompiler.compile(path: path)
        #expect(compilation.diagnostics.isEmpty, "\(path): \(compilation.diagnostics)")
        return compilation.scenarios
    }
}

extension ScenarioResult {
    /// Whether it passed; of a canary, whether it failed with its status.
    fileprivate func endsAsStated(by scenario: Scenario) -> Bool {
        let status =
            switch outcome {
            case .passed: 0
            case .failed: 1
            case .cannotRun: 3
            case .notDeterministic: 5
            case .didNotSettle: 6
            }
        return status == scenario.header.canary ?? 0
    }
}

extension TraceEvent.Kind {
    /// Whether the table has the fact, and that it can be so.
    fileprivate func has(_ fact: TraceEvent.Fact) -> Bool {
        switch (fact.value, facts[fact.name]) {
        case (.text, .text?), (.number, .number?), (.flag, .flag?), (.flag, .flagOrWord?), (.list, .list?): true
        case (.text(let text), .word(let words)?), (.text(let text), .flagOrWord(let words)?): words.contains(text)
        default: false
        }
    }
}
