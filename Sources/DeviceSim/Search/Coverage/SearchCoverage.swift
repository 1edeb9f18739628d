import DeviceSimCatalogue
import DeviceSimCore
import DeviceSimLanguage

/// What a search has exercised, counted: it can be added up over runs, shards and sessions, in any order.
package struct SearchCoverage: Sendable, Hashable {
    /// What is counted by name.
    package enum Topic: String, Sendable, Hashable, CaseIterable {
        /// Rules of the session of which a line of the trace says that they came into play: in how many runs.
        case rules
        /// Knobs with another setting than the default: in how many runs.
        case knobs
        /// Kinds of fault that were on: in how many runs.
        case faultKinds
        /// Kinds of events: in how many runs.
        case events
        /// Invariants: how often something was held against one.
        case checks
        /// Invariants: how often one held by an allowance only, or a limit was nearly reached.
        case near
    }

    /// How many runs were counted.
    package private(set) var runs = 0
    private var counts: [Topic: [String: Int]] = [:]
    /// How often each kind of step was made in each situation, by names.
    private var steps: [String: [String: Int]] = [:]

    package init() {}

    /// - Parameter counts: What ``names(of:)`` tells, with ``count(of:named:)``.
    package init(runs: Int, counts: [Topic: [String: Int]], steps: [String: [String: Int]]) {
        (self.runs, self.counts, self.steps) = (runs, counts, steps)
    }

    /// What was met of a topic, sorted.
    package func names(of topic: Topic) -> [String] { (counts[topic] ?? [:]).filter { $0.value > 0 }.keys.sorted() }

    package func count(of topic: Topic, named name: String) -> Int { counts[topic]?[name] ?? 0 }

    /// The kinds of steps that were made, sorted.
    package var stepKinds: [String] { steps.keys.sorted() }

    /// The situations in which a kind of step was made, sorted.
    package func situations(of kind: String) -> [String] { (steps[kind] ?? [:]).keys.sorted() }

    package func count(of kind: String, in situation: String) -> Int { steps[kind]?[situation] ?? 0 }

    mutating func note(_ topic: Topic, _ name: String, times: Int = 1) { counts[topic, default: [:]][name, default: 0] += times }

    mutating func note(step kind: String, in situation: StepSituation) {
        steps[kind, default: [:]][situation.name, default: 0] += 1
    }

    /// Takes what another part of the search has exercised.
    package mutating func add(_ other: SearchCoverage) {
        runs = Self.sum(runs, other.runs)
        for (topic, names) in other.counts { counts[topic, default: [:]].merge(names, uniquingKeysWith: Self.sum) }
        for (kind, situations) in other.steps { steps[kind, default: [:]].merge(situations, uniquingKeysWith: Self.sum) }
    }

    /// A report that somebody changed may say any number.
    private static func sum(_ one: Int, _ other: Int) -> Int {
        let (sum, isTooMuch) = one.addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }

    /// Counts a run: what it was drawn with, and what its trace tells.
    mutating func noteRun(_ draw: GeneratedRun, _ trace: Trace, _ request: CoverageRequest) {
        runs += 1
        let plain = Knobs()
        for knob in Knobs.table where draw.scenario.knobs[knob] != plain[knob] { note(.knobs, knob.name) }
        for kind in draw.faultKinds { note(.faultKinds, kind.rawValue) }
        for kind in Set(trace.events.map(\.kind)) { note(.events, kind.rawValue) }
        for rule in Set(request.rules(trace)) { note(.rules, rule.name) }
    }
}

/// That a search is to count what it exercises.
package struct CoverageRequest: Sendable {
    /// The rules of the session that a trace shows at work. What judges traces lies above the search.
    package let rules: @Sendable (Trace) -> [SessionRule]

    package init(rules: @escaping @Sendable (Trace) -> [SessionRule]) { self.rules = rules }
}
