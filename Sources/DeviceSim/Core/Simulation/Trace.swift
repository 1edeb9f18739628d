/// What happened in a simulation, in order. Every report, picture and expectation reads this one record.
public struct Trace: Sendable {
    /// What happened, in order.
    public private(set) var events: [TraceEvent] = []

    /// A trace without events.
    public init() {}

    /// Appends what happened.
    public mutating func record(_ event: TraceEvent) {
        events.append(event)
    }
}
