import DeviceSim
import Testing

/// An expectation about a kind of event that never happens, or about a fact that no event has, would always hold, or never.
@Suite struct EventKindTests {
    @Test func everyKindHappensInAScenario() throws {
        var unseen = Set(TraceEvent.Kind.allCases)
        var unknown: Set<String> = []
        for path in try ScenarioFolder.files() {
            for scenario in try ScenarioFolder.scenarios(at: path) where !unseen.isEmpty {
                for event in ScenarioRunner.run(scenario).trace.events {
                    unseen.remove(event.kind)
                    for fact in event.facts where !TraceEvent.Fact.names.contains(fact.name) { unknown.insert(fact.name) }
                }
            }
        }
        #expect(unknown.isEmpty, "facts that scenario files cannot speak of: \(unknown.sorted())")
        #expect(unseen.isEmpty, "no scenario shows \(unseen.map(\.rawValue).sorted().joined(separator: ", "))")
    }
}
