import DeviceSim
import Testing

/// An expectation about a kind of event that never happens would always hold, or never.
@Suite struct EventKindTests {
    @Test func everyKindHappensInAScenario() throws {
        var unseen = Set(TraceEvent.Kind.allCases)
        for path in try ScenarioFolder.files() {
            for scenario in try ScenarioFolder.scenarios(at: path) where !unseen.isEmpty {
                for event in ScenarioRunner.run(scenario).trace.events { unseen.remove(event.kind) }
            }
        }
        #expect(unseen.isEmpty, "no scenario shows \(unseen.map(\.rawValue).sorted().joined(separator: ", "))")
    }
}
