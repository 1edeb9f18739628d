/// One thing that happened. Carries names, counts and sizes; never a stored value.
public struct TraceEvent: Sendable, Hashable {
    public let time: VirtualTime
    /// The device it happened on; `nil` for the link and the simulation itself.
    public let device: DeviceID?
    /// Which run of the app it happened in, counted from 1 on each device; `nil` outside the app.
    public let process: Int?
    public let kind: Kind
    /// Facts, in the order in which a person reads them.
    public let facts: [Fact]

    public init(time: VirtualTime, device: DeviceID?, process: Int?, kind: Kind, facts: [Fact] = []) {
        self.time = time
        self.device = device
        self.process = process
        self.kind = kind
        self.facts = facts
    }

    /// A named fact.
    public struct Fact: Sendable, Hashable {
        public let name: String
        public let value: Value

        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    public enum Value: Sendable, Hashable {
        case text(String)
        case number(Int)
        case flag(Bool)
        case list([String])
    }
}

extension TraceEvent {
    /// The fact of that name, if there is one.
    public subscript(name: String) -> Value? {
        facts.first { $0.name == name }?.value
    }
}
