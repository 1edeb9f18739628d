import DeviceSim
import DeviceSimLanguage
import DeviceSimObservation
import Foundation
import Testing

@testable import DeviceSimSearch

/// What a search did not try is proposed: each proposal is a scenario, and does what it is there for.
@Suite struct CoverageGapsTests {
    private static let request = CoverageRequest { RulesAtWork.rules(in: $0) }
    /// Nothing was tried.
    private static let gaps = CoverageGaps(of: SearchCoverage(), rules: RulesAtWork.told, request: request)

    @Test func everyProposalCompiles() {
        for gap in Self.gaps.gaps {
            #expect(gap.proposal.scenario != nil, "\(gap.slug)\n\(gap.proposal.text)")
        }
    }

    /// In canonical layout, as `pairsim fmt --check` wants it.
    @Test func everyProposalIsLaidOut() throws {
        for gap in Self.gaps.gaps {
            let source = try SourceText(path: "gap", bytes: Array(gap.proposal.text.utf8))
            #expect(try ScenarioFormatter.format(source).get() == gap.proposal.text)
        }
    }

    @Test func namesOfFilesAreUnique() {
        #expect(Set(Self.gaps.gaps.map(\.slug)).count == Self.gaps.gaps.count)
    }

    /// A proposal for something of the trace, a knob or a check comes to it when it is run.
    @Test func proposalsComeToWhatTheyAreFor() throws {
        for gap in Self.gaps.gaps {
            let topic: SearchCoverage.Topic
            switch gap.topic {
            case .rules: topic = .rules
            case .knobs: topic = .knobs
            case .events: topic = .events
            // Those are of searches over files, of runs that are made twice, of apps that promise something, and of runs that another build makes too.
            case .checks where ["app", "determinism", "expectation", "sameness"].contains(gap.name): continue
            case .checks: topic = .checks
            case .steps, .situations, .faultKinds: continue
            }
            let coverage = Self.coverage(of: try #require(gap.proposal.scenario))
            #expect(coverage.count(of: topic, named: gap.name) > 0, "\(gap.topic) \(gap.name)\n\(gap.proposal.text)")
        }
    }

    @Test func proposedFaultsAreOfTheirKind() throws {
        for kind in FaultKind.allCases where ![.duplicates, .unknowns].contains(kind) {
            let scenario = try #require(ProposedScenario(title: "Fault", lines: kind.exampleLines).scenario)
            let isShown = scenario.steps.contains { step in
                if kind == .cancellation, case .isCancelled? = step.outcome { return true }
                return step.action.traits.drawing.faultKinds.contains(kind)
            }
            #expect(isShown, "\(kind)")
        }
    }

    /// Each kind of step is made in each situation that is counted for it; every eleventh of the situations is tried.
    @Test func proposedStepsAreMadeInTheirSituation() throws {
        for (number, gap) in Self.gaps.gaps.filter({ $0.topic == .situations }).enumerated() where number.isMultiple(of: 11) {
            let scenario = try #require(gap.proposal.scenario)
            let coverage = try #require(CheckedRun.covered(scenario).coverage)
            #expect(coverage.count(of: gap.name, in: gap.situation ?? "") > 0, "\(gap.name): \(gap.situation ?? "")\n\(gap.proposal.text)")
        }
        for gap in Self.gaps.gaps where gap.topic == .steps {
            let scenario = try #require(gap.proposal.scenario)
            let coverage = try #require(CheckedRun.covered(scenario).coverage)
            #expect(!coverage.situations(of: gap.name).isEmpty, "\(gap.name)\n\(gap.proposal.text)")
        }
    }

    /// The days pass as ordinary scenarios, so that what is proposed of them does.
    @Test func daysPass() throws {
        for day in ProposedDays.all {
            let scenario = try #require(
                ProposedScenario(title: "Day", lines: day.split(separator: "\n").map(String.init)).scenario, "\(day)")
            if case .passed = ScenarioRunner.run(scenario).outcome { continue }
            Issue.record("\(day): \(ScenarioRunner.run(scenario).outcome)")
        }
    }

    /// As a file that is saved: `pairsim run` passes it, also where what it tries fails. Of the situations every third is tried.
    @Test func everyProposalPasses() throws {
        for (number, gap) in Self.gaps.gaps.enumerated() where gap.topic != .situations || number.isMultiple(of: 3) {
            let outcome = ScenarioRunner.run(try #require(gap.proposal.scenario)).outcome
            guard case .passed = outcome else {
                Issue.record("\(gap.slug): \(outcome)\n\(gap.proposal.text)")
                continue
            }
        }
    }

    @Test func totalsAreOfAllThereIs() {
        let totals = Dictionary(Self.gaps.totals.map { ($0.topic, $0) }, uniquingKeysWith: { first, _ in first })
        #expect(Self.gaps.totals.map(\.topic) == CoverageGaps.Topic.allCases)
        #expect(Self.gaps.totals.allSatisfy { $0.tried == 0 })
        #expect(Self.gaps.gaps.count == Self.gaps.totals.reduce(0) { $0 + $1.count })
        #expect(totals[.knobs]?.count == Knobs.table.count)
        #expect(totals[.events]?.count == TraceEvent.Kind.allCases.count)
        #expect(totals[.checks]?.count == Invariant.allCases.count)
        #expect(totals[.faultKinds]?.count == FaultKind.allCases.count)
    }

    /// What was tried is a gap no more.
    @Test func whatWasTriedIsNoGap() throws {
        let day = ProposedScenario(title: "Day", lines: ["knob context.suppressEqual false", "phone set theme \"dark\"", "settle"])
        let coverage = Self.coverage(of: try #require(day.scenario))
        let gaps = CoverageGaps(of: coverage, rules: RulesAtWork.told, request: Self.request)
        func isOpen(_ topic: CoverageGaps.Topic, _ name: String) -> Bool { gaps.gaps.contains { $0.topic == topic && $0.name == name } }
        #expect(!isOpen(.knobs, "context.suppressEqual") && isOpen(.knobs, "context.duplicates"))
        #expect(!isOpen(.events, "context.delivered") && isOpen(.events, "file.delivered"))
        #expect(!isOpen(.rules, "W44") && isOpen(.rules, "W122"))
        #expect(!isOpen(.steps, "DEVICE set KEY VALUE") && isOpen(.steps, "DEVICE remove KEY"))
        #expect(!isOpen(.checks, "convergence") && isOpen(.checks, "rotation"))
    }

    private static func coverage(of scenario: Scenario) -> SearchCoverage {
        var coverage = CheckedRun.covered(scenario).coverage ?? SearchCoverage()
        let draw = GeneratedRun(index: 0, scenario: scenario, faultKinds: [], strategy: .fifo)
        coverage.noteRun(draw, ScenarioRunner.run(scenario).trace, request)
        return coverage
    }
}
