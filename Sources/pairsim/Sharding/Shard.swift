/// One of several parts of the same work, each done by a machine of its own.
///
/// Shards count from 1, as in GitLab, Playwright and Jest. The runners that count from 0 are converted where they are read.
struct Shard: Hashable, Sendable {
    /// More machines than that do not share one list of scenarios, but somebody may have written a port or a year there.
    static let maximumCount = 10_000

    /// From 1 to `count`.
    let number: Int
    let count: Int
    /// Where that was read, as it stands there, such as `--shard 2/5` or `CI_NODE_INDEX=2, CI_NODE_TOTAL=5`.
    var origin = ""

    /// Such as `2/5`.
    var notation: String { "\(number)/\(count)" }
    var name: String { "shard \(number) of \(count)" }
    /// From 0.
    var index: Int { number - 1 }

    /// Whether both are the same part of the same number of parts, wherever that was read.
    func isSame(as other: Shard) -> Bool { number == other.number && count == other.count }

    /// - Parameter notation: `I/N`, such as `2/5`.
    init?(notation: String, origin: String) {
        let parts = notation.split(separator: "/", omittingEmptySubsequences: false).map { ArgumentParser.number(String($0)) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], count <= Self.maximumCount,
            (1...max(1, count)).contains(number),
            count > 0
        else { return nil }
        self.init(number: Int(number), count: Int(count), origin: origin)
    }

    init(number: Int, count: Int, origin: String = "") {
        self.number = number
        self.count = count
        self.origin = origin
    }
}

/// The runs of a search that are this shard's: of each `count` that follow each other, one.
///
/// Which one is drawn for each round: with a fixed remainder, a shard would only ever see every second world of two, or never a run that is made twice.
extension Shard {
    /// The number of the shard's run at `place`, from 0.
    func run(at place: Int) -> Int { place * count + offset(inRound: place) }

    /// How many of the runs `0..<total` are the shard's.
    func runCount(of total: Int) -> Int {
        let (rounds, rest) = total.quotientAndRemainder(dividingBy: count)
        return rounds + (offset(inRound: rounds) < rest ? 1 : 0)
    }

    private func offset(inRound round: Int) -> Int {
        Int((ShardHomes.mixed(UInt64(round)) &+ UInt64(index)) % UInt64(count))
    }
}
