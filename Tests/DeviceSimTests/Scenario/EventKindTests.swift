import DeviceSim
import Testing

@testable import DeviceSimRunner

/// An expectation about a kind of event that never happens would always hold, or never. ``DeterminismTests`` asks the same of facts.
@Suite struct EventKindTests {
    @Test func everyKindHappensInAScenario() throws {
        var unseen = Set(TraceEvent.Kind.allCases)
        for path in try ScenarioFolder.files() {
            for scenario in try ScenarioFolder.scenarios(at: path) where !unseen.isEmpty && scenario.sweepingSteps.isEmpty {
                for event in ScenarioRunner.run(scenario).trace.events { unseen.remove(event.kind) }
            }
        }
        #expect(unseen.isEmpty, "no scenario shows \(unseen.map(\.rawValue).sorted().joined(separator: ", "))")
    }
}
