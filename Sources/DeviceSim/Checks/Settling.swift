/// Lets a run come to rest, and notices early that it does not.
enum Settling {
    /// How many contexts may be sent while nobody does anything: an answer to each of the counterpart's, and one of its own for each of launch,
    /// activation, reachability and state of the counterpart, on both devices.
    static let contextAllowance = 24

    /// - Returns: The breach of ``Promise/quiet``, if more are sent.
    /// - Throws: ``SimulationError``, as ``Simulation/settle(limit:)`` does.
    static func settle(_ run: ScenarioRun, step: Int) throws -> Breach? {
        let simulation = run.simulation
        let deadline = simulation.now + .seconds(24 * 3600)
        var seen = simulation.trace.events.count
        var count = 0
        try simulation.runReady()
        while true {
            let events = simulation.trace.events
            count += events[seen...].count { $0.kind == .contextSent }
            seen = events.count
            guard count <= contextAllowance else {
                return Breach(
                    .quiet, step: step, explanation: ["more than \(contextAllowance) contexts were sent while nothing else happened"],
                    expectation: Expectation(
                        .event(EventPattern(.contextSent), .atMost(contextAllowance)), timing: .throughout(.seconds(10))))
            }
            guard let next = simulation.scheduler.nextTimer else { return nil }
            guard next <= deadline else { throw SimulationError.didNotSettle(after: .seconds(24 * 3600)) }
            try simulation.advance(to: next)
        }
    }
}
