import DeviceSimCore
import DeviceSimLanguage

/// What to keep of a run beside its trace.
package struct StoryRequest: Sendable, Hashable {
    /// Whether the values of plain keys are told, and what an app sends by itself. Values of secrets never are.
    package var showsValues = false
    /// Whether steps are told with the values that the scenario writes, and failures with what was found, as a terminal shows them. Those of secrets never are.
    package var showsWrittenValues = false
    /// Whether the devices are looked at after each step and each instant.
    package var takesSnapshots = true
    /// How many looks at most. What comes after is looked at after steps only, up to twice as many.
    var snapshotLimit = 2_000

    /// How many events come before the first look.
    package var firstEvent = 0

    package init(showsValues: Bool = false, showsWrittenValues: Bool? = nil, takesSnapshots: Bool = true, firstEvent: Int = 0) {
        self.showsValues = showsValues
        self.showsWrittenValues = showsWrittenValues ?? showsValues
        self.takesSnapshots = takesSnapshots
        self.firstEvent = firstEvent
    }
}

/// A run as it can be told: its steps, what each event comes of, and what the devices were like on the way.
package struct RunStory: Sendable {
    /// As the run was named.
    package let name: String
    package let path: String
    package let title: String
    package let seed: UInt64
    package let order: ReadyOrder
    /// The scenario's keys, in its order.
    package let keys: [String]
    package let devices: [DeviceID]
    /// All of the scenario's steps, also those that did not run.
    package let steps: [Step]
    /// In the order in which they were taken; the first is of the start state.
    package let snapshots: [RunSnapshot]
    /// Whether there were more than could be kept.
    package let isCut: Bool
    package let trace: Trace
    /// Of each event, in its order.
    package let causes: [EventCause]

    /// One step of the scenario.
    package struct Step: Sendable, Hashable {
        /// From 1, as the trace counts them.
        package let number: Int
        package let path: String
        package let line: Int
        /// As written, without what it says of secrets.
        package let text: String
        /// The comment above its group.
        package let phase: String?
        package let isExpectation: Bool
        package var outcome = Outcome.notRun
        /// The failure, if it failed.
        package var message: String?
        /// What was expected and found, if it failed by that; without what is said of secrets.
        package var expected: String?
        package var actual: String?
        /// How many events there were before it, and after it.
        package var events = 0..<0
        package var begin = VirtualTime.start
        package var end = VirtualTime.start
    }

    /// What came of a step.
    package enum Outcome: String, Sendable {
        case passed, failed, notRun
    }

    /// The step that an event happened in, counted from 0; `nil` before the first one.
    package func step(ofEvent number: Int) -> Int? { steps.firstIndex { $0.events.contains(number) } }

    /// The first look at the devices after an event, by its place among ``snapshots``.
    package func snapshot(afterEvent number: Int) -> Int? { snapshots.firstIndex { $0.eventCount > number } }

    /// The last look at the devices within a step, by its place among ``snapshots``; `nil` for a step that did not run.
    package func snapshot(afterStep number: Int) -> Int? {
        guard steps.indices.contains(number), steps[number].outcome != .notRun else { return nil }
        let end = steps[number].events.upperBound
        return snapshots.lastIndex { $0.eventCount <= end && $0.time <= steps[number].end }
    }
}

/// Keeps what a story is made of while the run goes on.
///
/// Confined to the thread of the run.
final class Storyteller {
    private let request: StoryRequest
    private let scenario: Scenario
    private let simulation: Simulation
    private let inspector: RunInspector
    private var steps: [RunStory.Step]
    private var snapshots: [RunSnapshot] = []
    private var isCut = false
    private var current: Int?
    private let written: TextMask
    /// The names of keys: a secret's value may be called as one, and that tells nothing. `nil` where there are no secrets.
    private let names: Set<String>?

    init(_ run: ScenarioRun, _ request: StoryRequest) {
        self.request = request
        scenario = run.scenario
        written = TextMask(run.scenario, showsValues: true)
        names = written.hidesNothing ? nil : Set(run.scenario.keys.flatMap { [$0.identifier, $0.name] })
        simulation = run.simulation
        inspector = RunInspector(run, showsValues: request.showsValues)
        let mask = TextMask(scenario, showsValues: request.showsWrittenValues)
        steps = run.scenario.steps.enumerated().map { index, step in
            var isExpectation = false
            if case .expect = step.action { isExpectation = true }
            return .init(
                number: index + 1, path: step.range.path, line: step.range.line, text: mask.text(of: step), phase: step.phase,
                isExpectation: isExpectation)
        }
    }

    /// An app makes names of entries, files and actions, and may make them of a value.
    private func withoutSecrets(_ text: String) -> String { names?.contains(text) == true ? text : written.message(text) }

    func begins() {
        guard request.takesSnapshots else { return }
        look()
        // The scheduler is the simulation's, which the storyteller keeps: a strong reference would be a circle.
        simulation.scheduler.onQuiet = { [weak self] in self?.lookAgain() }
    }

    func begins(step: Int) {
        current = step
        steps[step].begin = simulation.now
        let count = simulation.recorder.eventCount
        steps[step].events = count..<count
    }

    func ends(step: Int, failure: ScenarioFailure? = nil) {
        current = nil
        steps[step].outcome = failure == nil ? .passed : .failed
        if let failure {
            // Made of all steps of the scenario.
            let mask = TextMask(scenario, showsValues: request.showsWrittenValues)
            steps[step].message = mask.message(failure.message)
            steps[step].expected = failure.expected.map { mask.text($0, of: scenario.steps[step].action) }
            steps[step].actual = failure.actual.map { mask.text($0, of: scenario.steps[step].action) }
        }
        steps[step].end = simulation.now
        steps[step].events = steps[step].events.lowerBound..<simulation.recorder.eventCount
        if request.takesSnapshots { look(limit: 2 * request.snapshotLimit) }
    }

    /// The step that runs failed, and the run with it.
    func fails(_ failure: ScenarioFailure) {
        simulation.scheduler.onQuiet = nil
        if let current { ends(step: current, failure: failure) }
    }

    func story(order: ReadyOrder, seed: UInt64) -> RunStory {
        simulation.scheduler.onQuiet = nil
        let trace = names == nil ? simulation.trace : simulation.trace.replacingTexts(withoutSecrets)
        return RunStory(
            name: scenario.name, path: scenario.path, title: scenario.header.title, seed: seed, order: order,
            keys: scenario.keys.map(\.identifier), devices: simulation.devices.map(\.id), steps: steps, snapshots: snapshots, isCut: isCut,
            trace: trace, causes: EventCause.causes(in: trace))
    }

    /// Time has come to a rest: what happened since the last look?
    private func lookAgain() {
        guard snapshots.last?.eventCount != simulation.recorder.eventCount else { return }
        look()
    }

    private func look(limit: Int? = nil) {
        guard simulation.recorder.eventCount >= request.firstEvent else { return }
        guard snapshots.count < limit ?? request.snapshotLimit else { return isCut = true }
        let snapshot = names == nil ? inspector.snapshot() : inspector.snapshot().replacingNames(withoutSecrets)
        // The same instant, looked at twice.
        if let last = snapshots.last, last.eventCount == snapshot.eventCount, last.time == snapshot.time { snapshots.removeLast() }
        snapshots.append(snapshot)
    }
}
