import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Lets time pass in a run, and notices early that it does not come to rest.
struct QuiescenceMonitor {
    /// How many contexts may be sent while nobody does anything: an answer to each of the counterpart's, and one of its own for each of launch,
    /// activation, reachability and state of the counterpart, on both devices.
    static let contextAllowance = 24

    /// How much work may be done meanwhile: far more than two apps with a few keys need.
    private static let workAllowance = 300_000

    /// Whether an app does not know what it is sent, since its catalog is refused: then the other sends it again whenever that comes within reach.
    var isUnheard = false
    /// Counts what is looked at, where that was asked for.
    var recorder: CoverageRecorder?
    /// How many contexts were sent since somebody did something.
    private var count = 0
    /// How often an app was told since then that the counterpart came within reach or left it.
    private var reachabilityChanges = 0
    /// Whether what came since then could not be stored: the counterpart then sends it again whenever it comes within reach, and is told so again.
    private var wasDeferred = false
    /// How many of the contexts something else explains.
    private var explained: Int { isUnheard || wasDeferred ? reachabilityChanges : 0 }
    /// How much of the trace was looked at.
    private var seen = 0
    /// In microseconds. What was sent over a link goes on to take as long as that took then.
    private var longestLatency: Int64 = 0

    enum Outcome {
        case done
        /// The violation of ``Invariant/quiet``.
        case feedbackLoop(Violation)
        /// The run has become longer than it may.
        case budgetExceeded
    }

    /// Somebody did something.
    mutating func disturb(_ run: ScenarioRun) {
        longestLatency = max(longestLatency, run.simulation.network.latency.microseconds)
        (count, reachabilityChanges, wasDeferred) = (0, 0, false)
        seen = run.simulation.trace.events.count
    }

    /// Longer than anything that a knob may delay, which is a day at most. What crosses a link that takes longer than usual has as much more, and so has an app that
    /// is to answer so late.
    private static let limit = VirtualDuration.seconds(48 * 3600)

    /// As long as a hundred things take that cross the link one after the other.
    private var crossings: VirtualDuration {
        .milliseconds(min(longestLatency, VirtualDuration.seconds(30 * 86_400).microseconds) / 10)
    }

    /// - Parameters:
    ///   - deadline: How long to let time pass; `nil`: until nothing is left to happen.
    /// - Throws: ``SimulationError``, as ``Simulation/settle(limit:)`` does.
    mutating func pass(_ run: ScenarioRun, until deadline: VirtualTime? = nil, step: Int, extent: RunExtent? = nil) throws -> Outcome {
        let simulation = run.simulation
        longestLatency = max(longestLatency, simulation.network.latency.microseconds)
        let longestReply = run.scenario.steps.compactMap(\.action.replyDelay).max() ?? .zero
        let limit = deadline ?? simulation.now + Self.limit + crossings + longestReply
        let (begin, work) = (simulation.now, simulation.scheduler.executedCount)
        try simulation.runReady()
        defer { tell(simulation.scheduler.executedCount - work) }
        while true {
            guard simulation.scheduler.executedCount - work <= Self.workAllowance else {
                throw SimulationError.unrest(from: begin, to: simulation.now, limit: Self.workAllowance)
            }
            let events = simulation.trace.events
            if seen < events.count {
                count += events[seen...].count { $0.kind == .contextSent }
                reachabilityChanges += events[seen...].count { $0.kind == .reachabilityChanged }
                wasDeferred = wasDeferred || events[seen...].contains { $0.kind == .putOff }
            }
            seen = events.count
            guard count <= Self.contextAllowance + explained else { return .feedbackLoop(violation(at: step)) }
            if let extent, extent < RunExtent(of: run) { return .budgetExceeded }
            let hasTimers = deadline == nil ? simulation.scheduler.hasPendingTimer : true
            guard hasTimers, let next = simulation.scheduler.nextTimer, deadline == nil || next <= limit else {
                if let deadline { try simulation.advance(to: deadline) }
                return .done
            }
            guard next <= limit else { throw SimulationError.didNotSettle(after: Self.limit, agenda: simulation.scheduler.agenda) }
            try simulation.advance(to: next)
        }
    }

    /// Of two limits, whether there was something to hold against them, and whether it came to more than half of one.
    private func tell(_ work: Int) {
        guard let recorder else { return }
        if work > 0 { recorder.looked(.progress) }
        if work > Self.workAllowance / 2 { recorder.wasNear(.progress) }
        if count > 0 { recorder.looked(.quiet) }
        if count > (Self.contextAllowance + explained) / 2 { recorder.wasNear(.quiet) }
    }

    private func violation(at step: Int) -> Violation {
        Violation(
            .quiet, step: step, explanation: ["more than \(Self.contextAllowance) contexts were sent while nothing else happened"],
            expectation: Expectation(.event(EventPattern(.contextSent), .atMost(Self.contextAllowance)), timing: .throughout(.seconds(10))))
    }
}

extension ScenarioStep.Action {
    /// How late the app is to answer from now on.
    fileprivate var replyDelay: VirtualDuration? { if case .session = self { span } else { nil } }
}

/// How far a run has gone: what it costs to make it.
struct RunExtent: Sendable {
    var events: Int
    var time: VirtualTime

    init(events: Int, time: VirtualTime) {
        self.events = events
        self.time = time
    }

    init(of run: ScenarioRun) {
        self.init(events: run.simulation.trace.events.count, time: run.simulation.now)
    }

    /// Whether the other one is further, in either way.
    static func < (lhs: RunExtent, rhs: RunExtent) -> Bool { lhs.events < rhs.events || lhs.time < rhs.time }
}
