/// One rule of how WatchConnectivity behaves, as far as that is known in public: what scenarios and tests prove, and what the simulation does about it.
///
/// The table is the only place that tells so; lists, the fidelity page and a test of coverage read it.
public struct SessionRule: Sendable, Hashable {
    /// As scenarios and tests name it: the 40 of `W40`.
    public let number: Int
    /// What holds on real devices.
    public let sentence: String
    /// Where that is known from. Never empty.
    public let evidence: [Evidence]
    public let standing: Standing

    /// How a rule is known. None of them was checked on real hardware.
    public enum Evidence: String, Sendable, Hashable, CaseIterable {
        /// Apple's documentation, sample code, or comments of the public headers.
        case documented
        /// Developers have published that they saw it.
        case observed
        /// Not published, or disputed: the simulation has a default, and a knob where it matters.
        case open
    }

    /// What the simulation does about a rule.
    public enum Standing: Sendable, Hashable {
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

    public init?(named name: String) {
        guard let rule = Self.byName[name] else { return nil }
        self = rule
    }

    private static let byName = Dictionary(table.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

extension SessionRule.Evidence {
    /// In words, for a person.
    public var phrase: String {
        switch self {
        case .documented: "documented by Apple"
        case .observed: "observed by developers"
        case .open: "not known"
        }
    }
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
