/// One run of a scenario with every place that a person can stand at: the start, each instant at which something happened, the end of each step.
///
/// Made by running the scenario once; a place costs nothing more.
struct Timeline: Sendable {
    let scenario: Scenario
    let result: ScenarioResult
    let story: RunStory
    /// How it came about: the tried steps, of a branch.
    let name: String
    /// Of each step the place at its end; `nil` for one that did not run.
    private let ends: [Int?]

    init?(_ scenario: Scenario, name: String, result: ScenarioResult) {
        guard let story = result.story, !story.snapshots.isEmpty else { return nil }
        self.scenario = scenario
        self.name = name
        self.result = result
        self.story = story
        ends = story.steps.indices.map { story.snapshot(afterStep: $0) }
    }

    var places: Range<Int> { story.snapshots.indices }
    var last: Int { story.snapshots.count - 1 }

    /// How many steps are over at a place.
    func doneSteps(at place: Int) -> Int {
        ends.prefix { $0.map { $0 <= place } ?? false }.count
    }

    /// The place at which so many steps are over; the last one where fewer ran.
    func place(afterSteps count: Int) -> Int {
        guard count > 0 else { return 0 }
        return ends.indices.contains(count - 1) ? ends[count - 1] ?? last : last
    }

    /// Whether a step has begun at the place and is not over.
    func isWithinStep(at place: Int) -> Bool {
        let done = doneSteps(at: place)
        let before = self.place(afterSteps: done)
        return place > before
    }

    /// The step that is next at a place, or under way; `nil` at the end.
    func nextStep(at place: Int) -> RunStory.Step? {
        let done = doneSteps(at: place)
        return story.steps.indices.contains(done) && story.steps[done].outcome != .notRun ? story.steps[done] : nil
    }

    /// The failed step, if one failed.
    var failure: (step: RunStory.Step, failure: ScenarioFailure)? {
        guard let failure = result.outcome.failure, let step = story.steps.last(where: { $0.outcome == .failed }) else { return nil }
        return (step, failure)
    }

    /// The events between two places.
    func events(from first: Int, through second: Int) -> Range<Int> {
        let (low, high) = (min(first, second), max(first, second))
        return story.snapshots[low].eventCount..<max(story.snapshots[low].eventCount, story.snapshots[high].eventCount)
    }

    /// When it is at a place, since the first step.
    func time(at place: Int) -> VirtualDuration { story.snapshots[place].time - story.snapshots[0].time }
}

extension ScenarioResult.Outcome {
    /// In one word.
    var word: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .didNotSettle: "did not settle"
        case .notDeterministic: "not deterministic"
        case .cannotRun: "cannot run"
        }
    }
}
