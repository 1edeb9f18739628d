/// Which of the ready jobs runs next.
public enum ReadyOrder: Sendable, Hashable {
    /// In the order in which they became ready.
    case firstInFirstOut
    /// Any of them, drawn from a generator of this seed: a random walk.
    case seeded(UInt64)
    /// The one of the highest priority: priorities are drawn from the seed, and `depth - 1` times in a run that of whoever is about to run becomes
    /// the lowest. Finds an ordering mistake that needs `depth` things in a certain order with a probability that a random walk does not reach
    /// (Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of ExpectationResult Bugs", 2010). What the threads are there, are here
    /// chains of work in which each piece made the next one ready.
    case priorities(seed: UInt64, depth: Int)
    /// At the n-th moment at which more than one is ready, the one at the n-th of these places (0 is the first that became ready); 0 after the last.
    case choices([Int])
}

extension ReadyOrder: CustomStringConvertible {
    /// As ``init(_:)`` reads it.
    public var description: String {
        switch self {
        case .firstInFirstOut: "fifo"
        case .seeded(let seed): "random:\(seed)"
        case .priorities(let seed, let depth): "pct:\(seed):\(depth)"
        case .choices(let places): "choices:" + places.map(String.init).joined(separator: ",")
        }
    }
}

extension ReadyOrder: LosslessStringConvertible {
    /// `fifo`, `random:SEED`, `pct:SEED:DEPTH`, `choices:0,2,1`; also a bare number, of which 0 is `fifo` and any other is `random`.
    public init?(_ text: String) {
        if let number = UInt64(text) {
            self = number == 0 ? .firstInFirstOut : .seeded(number)
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("fifo"?, 1): self = .firstInFirstOut
        case ("random"?, 2):
            guard let seed = UInt64(parts[1]) else { return nil }
            self = .seeded(seed)
        case ("pct"?, 3):
            guard let seed = UInt64(parts[1]), let depth = Int(parts[2]), (1...Self.maximumDepth).contains(depth) else { return nil }
            self = .priorities(seed: seed, depth: depth)
        case ("choices"?, 2):
            let places = parts[1].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            guard places.allSatisfy({ $0.map { $0 >= 0 } ?? false }) else { return nil }
            self = .choices(places.compactMap { $0 })
        default: return nil
        }
    }

    /// Deeper bugs than this have not been heard of; a limit keeps a mistyped number from becoming memory.
    public static let maximumDepth = 64
}
