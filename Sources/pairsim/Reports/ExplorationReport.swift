import DeviceSim

/// What came of a search: of all of it, or of one shard.
struct ExplorationReport: Sendable {
    /// What decides which runs a search draws. Only parts of one search can be joined.
    struct Search: Hashable, Sendable {
        let seed: UInt64
        /// What it was over: `built-in`, or the names of scenarios.
        let over: [String]
        let strategies: [String]
        let steps: Int
    }

    let search: Search
    /// How many runs were made.
    var runs: Int
    var failingRuns: Int
    /// How many states were told apart, estimated where there were many; joined shards may have seen the same ones.
    var states: Int
    var seconds: Double
    /// Of each kind one, in the order of the runs.
    var found: [FoundFailure]
    var status: ExitStatus
    var shard: Shard?
    var version = HelpText.versionNumber
}

/// One kind of failure that a search found, by its smallest run.
struct FoundFailure: Sendable, Hashable {
    let invariant: Invariant
    /// What tells it from other failures of the same invariant; often empty.
    let detail: String
    let explanation: [String]
    /// The run that it was found by.
    let run: Int
    /// The command that makes this run again.
    let replay: String
    /// The scenario that fails for the same reason; `nil` where it could not be made.
    var small: Small?

    struct Small: Sendable, Hashable {
        let text: String
        let slug: String
        let steps: Int
        /// Whether an ordinary run of it fails.
        let isConfirmed: Bool
    }

    var signature: ViolationSignature { ViolationSignature(invariant: invariant, detail: detail) }

    /// Whether this one is the better to keep of the same failure: it has a scenario, one that fails by itself, a shorter one, was met sooner.
    func isBetter(than other: FoundFailure) -> Bool {
        func rank(_ failure: FoundFailure) -> (Int, Int, Int, Int, Int) {
            guard let small = failure.small else { return (1, 1, 0, 0, failure.run) }
            return (0, small.isConfirmed ? 0 : 1, small.steps, small.text.utf8.count, failure.run)
        }
        return rank(self) < rank(other)
    }
}

extension FoundFailure {
    /// The failure as a person reads it.
    func lines(style: Style) -> [String] {
        var lines = [
            style.paint("run \(run)", .bold) + ": " + style.paint(invariant.rawValue, .boldRed) + ": " + SafeText.line(invariant.sentence)
        ]
        lines += explanation.map { "  " + SafeText.line($0) }
        if let small {
            lines.append("")
            lines += small.text.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + SafeText.line(String($0)) }
            if !small.isConfirmed { lines.append("  an ordinary run of this scenario does not fail; the exploration does") }
        }
        return lines
    }

    /// - Parameter program: How the user calls the tool.
    func replayLine(style: Style, program: String) -> String {
        "  \(style.paint("replay", .bold))    \(SafeText.line(program + replay.dropFirst("pairsim".count)))"
    }
}

extension Invariant {
    /// What a run that breaks it adds to the exit status.
    var status: ExitStatus {
        switch self {
        case .determinism: .notDeterministic
        case .progress: .didNotSettle
        default: .failed
        }
    }
}
