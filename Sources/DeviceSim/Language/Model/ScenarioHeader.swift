/// What the comment at the head of a scenario file says of it.
public struct ScenarioHeader: Sendable, Hashable {
    /// The first sentence.
    public var title = ""
    /// The rest of it, without the lines that are read.
    public var details = ""
    /// `# Rules: W41 W42`
    public var rules: [String] = []
    /// `# Tags: sync relaunch`
    public var tags: [String] = []
    /// `# Canary: 1`: the scenario must end with this exit status of `pairsim`, one of 1, 5, 6.
    public var canary: Int?

    /// A header that says nothing.
    public init() {}
}
