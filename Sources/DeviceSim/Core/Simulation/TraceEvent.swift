/// One thing that happened. Carries names, counts and sizes; never a stored value.
public struct TraceEvent: Sendable, Hashable {
    /// When it happened.
    public let time: VirtualTime
    /// The device it happened on; `nil` for the link and the simulation itself.
    public let device: DeviceID?
    /// Which run of the app it happened in, counted from 1 on each device; `nil` outside the app.
    public let process: Int?
    /// What happened.
    public let kind: Kind
    /// Facts, in the order in which a person reads them.
    public let facts: [Fact]

    /// An event with its facts, in the order in which they are shown.
    public init(time: VirtualTime, device: DeviceID?, process: Int?, kind: Kind, facts: [Fact] = []) {
        self.time = time
        self.device = device
        self.process = process
        self.kind = kind
        self.facts = facts
    }

    /// A named fact.
    public struct Fact: Sendable, Hashable {
        /// What the fact is about, such as `key`. Stable, like the kinds.
        public let name: String
        /// What the fact says. Never a stored value.
        public let value: Value

        /// A fact of that name.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// What a fact can say.
    public enum Value: Sendable, Hashable {
        /// A text, shown in quotation marks where it needs them.
        case text(String)
        /// A whole number.
        case number(Int)
        /// `true` or `false`.
        case flag(Bool)
        /// Texts, in an order that says something or sorted.
        case list([String])
    }
}

extension TraceEvent {
    /// The fact of that name, if there is one.
    public subscript(name: String) -> Value? {
        facts.first { $0.name == name }?.value
    }
}
