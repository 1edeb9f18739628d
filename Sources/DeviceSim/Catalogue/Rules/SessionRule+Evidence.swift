extension SessionRule {
    /// One thing that is known of a rule, or that is not, with where it stands.
    public struct Evidence: Sendable, Hashable {
        /// How good the evidence is.
        public let kind: Kind
        /// What says so, by its title; of what is inferred, what it follows from. `nil` where nobody says anything.
        public let source: String?
        /// What it says, where the rule's own sentence does not; of what is not known, what that is.
        public let says: String?
        /// Whether this project has looked at the source. Otherwise a review of November 2026 has reported it, and nobody found it again.
        public private(set) var isRead = true

        /// How sure one may be. None of it was checked on real hardware.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// Apple's documentation, sample code, sessions, or comments of the public headers.
            case documented
            /// Developers have published that they saw it.
            case observed
            /// It follows from what is documented or observed, and nobody says it.
            case inferred
            /// Not published: the simulation has a default, and a knob where it matters.
            case open
            /// What is published contradicts itself: each version is given. The simulation has a knob where it matters.
            case disputed
        }

        /// - Parameters:
        ///   - source: The title of a page, a session, a header or a sample of Apple's.
        ///   - says: What it says, where the rule's sentence says more, or something else.
        static func documented(_ source: String, says: String? = nil) -> Self { Self(kind: .documented, source: source, says: says) }

        /// - Parameter source: A project and its issue, an article, a report to Apple.
        static func observed(_ source: String, says: String? = nil) -> Self { Self(kind: .observed, source: source, says: says) }

        /// Several have published it, and which is not kept.
        static let seen = Self(kind: .observed, source: "several developers, titles not kept", says: nil)

        /// - Parameters:
        ///   - source: What it follows from.
        ///   - says: What follows, if it is not the whole sentence.
        static func inferred(_ source: String, says: String? = nil) -> Self { Self(kind: .inferred, source: source, says: says) }

        /// The same, of a source that was not found, or not looked at.
        func notRead() -> Self {
            var copy = self
            copy.isRead = false
            return copy
        }

        /// - Parameter what: What nobody says.
        static func open(_ what: String) -> Self { Self(kind: .open, source: nil, says: what) }

        /// One of at least two versions.
        static func disputed(_ source: String, says: String) -> Self { Self(kind: .disputed, source: source, says: says) }
    }

    /// What the rule is, in the order of the kinds; each once.
    public var kinds: [Evidence.Kind] { Evidence.Kind.allCases.filter { kind in evidence.contains { $0.kind == kind } } }

    /// What is known of it, a phrase for each kind: `documented by Apple (WCSession.h, `isReachable`)`.
    public var citations: [String] {
        kinds.map { kind in
            let details = evidence.filter { $0.kind == kind }.map(\.phrase)
            return kind == .open
                ? "\(kind.phrase): \(details.joined(separator: "; "))" : "\(kind.phrase) (\(details.joined(separator: "; ")))"
        }
    }
}

extension SessionRule.Evidence {
    /// Source and what it says, for a person.
    public var phrase: String {
        [source.map { isRead ? $0 : "\($0), by a review, not read" }, says].compactMap { $0 }.joined(separator: ": ")
    }
}

extension SessionRule.Evidence.Kind {
    /// In words, for a person.
    public var phrase: String {
        switch self {
        case .documented: "documented by Apple"
        case .observed: "observed by developers"
        case .inferred: "inferred"
        case .open: "not known"
        case .disputed: "disputed"
        }
    }
}
