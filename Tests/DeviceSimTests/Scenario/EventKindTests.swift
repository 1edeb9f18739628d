import DeviceSim
import Testing

@testable import DeviceSimRunner

/// An expectation about a kind of event that never happens would always hold, or never. ``DeterminismTests`` asks the same of facts.
@Suite struct EventKindTests {
    /// What only happens where no scenario goes: a received file that cannot be handed over.
    private static let rare = ["session.error code", "session.error reason"]

    @Test func everyKindHappensInAScenario() throws {
        var unseen = Set(TraceEvent.Kind.allCases)
        // What the simulated frameworks log no scenario has: these are run without them.
        var facts = Set(TraceEvent.Kind.allCases.filter { $0 != .log }.flatMap { kind in kind.facts.keys.map { "\(kind.rawValue) \($0)" } })
        for path in try ScenarioFolder.files() {
            for scenario in try ScenarioFolder.scenarios(at: path) where scenario.sweepingSteps.isEmpty {
                for event in ScenarioRunner.run(scenario).trace.events {
                    unseen.remove(event.kind)
                    let isInPlace = event.device.map(event.kind.place.contains) ?? true
                    #expect(isInPlace, "\(path): \(event.kind.rawValue) on \(event.device.map { "\($0)" } ?? "")")
                    for fact in event.facts { facts.remove("\(event.kind.rawValue) \(fact.name)") }
                }
            }
        }
        #expect(unseen.isEmpty, "no scenario shows \(unseen.map(\.rawValue).sorted().joined(separator: ", "))")
        #expect(facts.sorted() == Self.rare, "facts that no scenario shows")
    }
}
