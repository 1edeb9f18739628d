import DeviceSimCore

/// One run that a scenario file asks for: everything included, substituted, typed and checked. Compiled once, run as often as one likes.
public struct Scenario: Sendable, Hashable {
    /// The file as it was named by the user, with `[row]` appended where a table of examples made several runs of it.
    public let name: String
    /// The file that it is written in, as the user named it.
    public let path: String
    /// What the comment block at the head of the file says.
    public let header: ScenarioHeader
    /// The row of the table of examples, as written, but for what gives secrets their values; `nil` without a table.
    public package(set) var row: String?
    /// Where the row stands in the file, from 1; `nil` without a table.
    package var rowLine: Int?
    /// Sorted by identifier.
    public let keys: [ScenarioKey]
    /// The catalogs of an embedding test that the file names, in that order.
    public let catalogs: [String]
    /// What the first step finds.
    public let start: StartState
    /// How what is not known of real devices is set.
    public let knobs: Knobs
    /// The seed that the file names. A caller may set another.
    public var seed: UInt64?
    /// The order of ready work that the file names. A caller may set another.
    public var order: ReadyOrder?
    /// What happens, and what must come of it, in order.
    public let steps: [ScenarioStep]

    /// A scenario put together by code, such as one that a search draws.
    public init(
        name: String, path: String, header: ScenarioHeader, row: String? = nil, keys: [ScenarioKey] = [], catalogs: [String] = [],
        start: StartState = StartState(), knobs: Knobs = Knobs(), seed: UInt64? = nil, order: ReadyOrder? = nil,
        steps: [ScenarioStep] = []
    ) {
        self.name = name
        self.path = path
        self.header = header
        self.row = row
        self.keys = keys
        self.catalogs = catalogs
        self.start = start
        self.knobs = knobs
        self.seed = seed
        self.order = order
        self.steps = steps
    }

    /// The key that a step speaks of.
    public subscript(key: KeyReference) -> ScenarioKey { keys[key.index] }
}
