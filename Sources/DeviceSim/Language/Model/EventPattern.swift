import DeviceSimCore

/// Which events of the trace are meant.
public struct EventPattern: Sendable, Hashable {
    /// What must have happened.
    public let kind: TraceEvent.Kind
    /// `nil`: on whichever device.
    public let device: DeviceID?
    /// Facts that the event must have, sorted by name. An integer matches a number, a string a text or an element of a list, a Bool a flag.
    public let facts: [Fact]

    /// A pattern for events of a kind, on any device unless one is named.
    public init(_ kind: TraceEvent.Kind, on device: DeviceID? = nil, facts: [Fact] = []) {
        self.kind = kind
        self.device = device
        self.facts = facts.sorted { $0.name < $1.name }
    }

    /// A fact that an event must have.
    public struct Fact: Sendable, Hashable {
        /// The name under which the trace has it.
        public let name: String
        /// What it must be.
        public let value: ScenarioValue

        /// A fact of that name and value.
        public init(_ name: String, _ value: ScenarioValue) {
            self.name = name
            self.value = value
        }
    }
}

extension EventPattern {
    /// Whether an event is one that the pattern is about.
    public func matches(_ event: TraceEvent) -> Bool {
        guard event.kind == kind, device == nil || event.device == device else { return false }
        return facts.allSatisfy { fact in
            switch (event[fact.name], fact.value) {
            case (.text(let text)?, .string(let wanted)): text == wanted
            case (.list(let list)?, .string(let wanted)): list.contains(wanted)
            case (.number(let number)?, .integer(let wanted)): Int64(number) == wanted
            case (.flag(let flag)?, .bool(let wanted)): flag == wanted
            default: false
            }
        }
    }
}
