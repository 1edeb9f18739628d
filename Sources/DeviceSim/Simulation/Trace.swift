/// What happened in a simulation, in order. Every report, picture and expectation reads this one record.
public struct Trace: Sendable {
    public private(set) var events: [TraceEvent] = []

    public init() {}

    public mutating func record(_ event: TraceEvent) {
        events.append(event)
    }
}
