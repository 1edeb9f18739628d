/// A run with all that a picture of it needs.
struct ToldRun: Sendable {
    let story: RunStory
    /// What another order or seed did; `nil` where none was tried.
    var nearest: NearestRun?
    /// The number of the first event that is told: a run with very many is told from there on.
    let firstEvent: Int

    /// How many events of a run are told, the last ones.
    static let eventLimit = 2_000
    /// How many runs of an invocation are told.
    static let runLimit = 20
}

/// The run that passes and is nearest to one that does not: the same scenario under another order, or else another seed.
struct NearestRun: Sendable {
    /// How many were tried.
    let tried: Int
    let order: ReadyOrder
    let seed: UInt64
    /// The first event that differs, by its number; `nil` where none was found, or there is no run that passes.
    var event: Int?
    var here = ""
    var there = ""
    let isFound: Bool

    var text: String {
        guard isFound else { return "None of \(tried) other orders and seeds passes: the failure does not hang on the order of work." }
        let how = "seed \(seed), order \(order)"
        guard let event else { return "It passes under \(how), with the same events." }
        return "It passes under \(how). Event \(event) is the first that differs."
    }
}

/// Makes a run again to tell it: the same seed and order give the same run.
struct RunTeller: Sendable {
    let engine: ScenarioEngine
    let showsValues: Bool
    /// Whether somebody wants the command to end: then no other run is tried.
    var isOver: @Sendable () -> Bool = { false }

    /// The events of all runs that are tried beside one: a run of that many is not looked for another of.
    private static let eventBudget = 20_000

    /// - Parameter comparing: Whether the run failed, so that one is looked for that does not.
    func tell(_ scenario: Scenario, _ options: RunOptions, comparing: Bool) -> ToldRun? {
        var options = options
        // What is kept of the failing run stays as it is.
        options.root = nil
        options.crashPointProgress = nil
        options.watch = nil
        options.story = StoryRequest(showsValues: showsValues, takesSnapshots: false)
        guard let first = engine.run(scenario, options).story else { return nil }
        let begin = max(0, first.trace.events.count - ToldRun.eventLimit)
        options.story = StoryRequest(showsValues: showsValues, showsWrittenValues: true, firstEvent: begin)
        guard let story = engine.run(scenario, options).story else { return nil }
        options.story = nil
        return ToldRun(story: story, nearest: comparing ? nearest(scenario, options, story) : nil, firstEvent: begin)
    }

    /// Tries a few orders, and then seeds: the first that passes.
    private func nearest(_ scenario: Scenario, _ options: RunOptions, _ story: RunStory) -> NearestRun? {
        let orders = [ReadyOrder.firstInFirstOut] + (1...8).map { .seeded($0) } + (1...4).map { .priorities(seed: $0, depth: 3) }
        var tries = orders.filter { $0 != story.order }.map { (order: $0, seed: story.seed) }
        tries += (1...3).map { (order: story.order, seed: story.seed &+ $0) }
        let events = max(1, story.trace.events.count)
        tries = Array(tries.prefix(Self.eventBudget / events))
        for (index, attempt) in tries.enumerated() {
            guard !isOver() else { return nil }
            var options = options
            options.order = attempt.order
            options.seed = attempt.seed
            var scenario = scenario
            scenario.seed = attempt.seed
            let result = engine.run(scenario, options)
            guard case .passed = result.outcome else { continue }
            var found = NearestRun(tried: index + 1, order: attempt.order, seed: attempt.seed, isFound: true)
            found.compare(story.trace.events, result.trace.events)
            return found
        }
        return tries.isEmpty ? nil : NearestRun(tried: tries.count, order: story.order, seed: story.seed, isFound: false)
    }
}

extension NearestRun {
    /// Finds the first event that differs in anything but its time.
    fileprivate mutating func compare(_ mine: [TraceEvent], _ other: [TraceEvent]) {
        let count = zip(mine, other).prefix { $0.isLike($1) }.count
        guard count < mine.count || count < other.count else { return }
        event = min(count, mine.count - 1)
        here = count < mine.count ? TraceEvent.log(of: [mine[count]])[0] : "the end of the run"
        there = count < other.count ? TraceEvent.log(of: [other[count]])[0] : "the end of the run"
    }
}

extension TraceEvent {
    fileprivate func isLike(_ other: TraceEvent) -> Bool {
        kind == other.kind && device == other.device && process == other.process && facts == other.facts
    }
}
