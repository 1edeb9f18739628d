import DeviceSimCore

/// One rule of how WatchConnectivity behaves, as far as that is known in public: what scenarios and tests prove, and what the simulation does about it.
///
/// The table is the only place that tells so; lists, the fidelity page and a test of coverage read it.
public struct SessionRule: Sendable, Hashable {
    /// As scenarios and tests name it: the 40 of `W40`.
    public let number: Int
    /// What holds on real devices, as sure as its evidence is.
    public let sentence: String
    /// Where that is known from, or what is not known of it. Never empty.
    public let evidence: [Evidence]
    /// What the simulation makes of the rule.
    public let standing: Standing

    /// What the simulation does about a rule.
    public enum Standing: Sendable, Hashable {
        /// As the rule's sentence says.
        case simulated
        /// Simulated in part, or more plainly than it is; how.
        case simplified(String)
        /// Not simulated; why.
        case leftOut(String)
    }

    init(_ number: Int, _ sentence: String, _ evidence: Evidence..., but simplification: String? = nil, without reason: String? = nil) {
        self.number = number
        self.sentence = sentence
        self.evidence = evidence
        standing = reason.map { .leftOut($0) } ?? simplification.map { .simplified($0) } ?? .simulated
    }

    /// `W40`
    public var name: String { "W\(number)" }

    /// The settings of the simulation that belong to the rule, sorted by name.
    public var knobs: [Knobs.Descriptor] { Knobs.table.filter { $0.rule == name } }

    /// The rule of that number, such as `W48`; `nil` where there is none.
    public init?(named name: String) {
        guard let rule = Self.byName[name] else { return nil }
        self = rule
    }

    private static let byName = Dictionary(table.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

extension SessionRule.Standing {
    /// In one word.
    public var word: String {
        switch self {
        case .simulated: "simulated"
        case .simplified: "simplified"
        case .leftOut: "left out"
        }
    }

    /// How, or why; `nil` where a rule is simulated as it stands.
    public var remark: String? {
        switch self {
        case .simulated: nil
        case .simplified(let how): how
        case .leftOut(let why): why
        }
    }
}
