/// Deals files to shards: each shard gets nearly as many as any other, and a file that is added or taken away moves few others.
///
/// Every file has its own order of preference among the shards, and every shard one among the files, both from a hash of the file's name (rendezvous hashing;
/// Thaler and Ravishankar 1998). A shard that is full keeps the files that suit it best, and the others go on to their next choice (deferred acceptance; Gale and
/// Shapley 1962). The result does not depend on the order of the files, and a newcomer displaces one file, which may displace another, until a shard has room.
/// Dealing in turns would move half of all files; the hash alone would leave some shards empty and others twice as full.
enum ShardHomes {
    /// The index of each file's shard, from 0.
    ///
    /// - Parameter names: What identifies the files on every machine. Equal names are dealt in the order of the list.
    static func deal(_ names: [String], count: Int) -> [Int] {
        let hashes = names.map { TraceFingerprint(of: Array($0.utf8)).value }
        let room = (names.count + count - 1) / max(1, count)
        var homes = [Int](repeating: 0, count: names.count)
        var last = [Rank?](repeating: nil, count: names.count)
        var members = [[Int]](repeating: [], count: count)
        var homeless = Array(names.indices.reversed())
        while let file = homeless.popLast() {
            guard let choice = best(hashes[file], below: last[file], count: count) else { break }
            last[file] = choice
            homes[file] = choice.shard
            members[choice.shard].append(file)
            guard members[choice.shard].count > room else { continue }
            let worst = members[choice.shard].indices.min { place, other in
                let (one, two) = (members[choice.shard][place], members[choice.shard][other])
                let (score, otherScore) = (last[one]?.score ?? 0, last[two]?.score ?? 0)
                return score != otherScore ? score < otherScore : names[one] != names[two] ? names[one] > names[two] : one > two
            }
            if let worst { homeless.append(members[choice.shard].remove(at: worst)) }
        }
        return homes
    }

    /// How much a file and a shard want each other, and the shard.
    private struct Rank: Comparable {
        let score: UInt64
        let shard: Int

        static func < (lhs: Rank, rhs: Rank) -> Bool { (lhs.score, lhs.shard) < (rhs.score, rhs.shard) }
    }

    private static func best(_ hash: UInt64, below limit: Rank?, count: Int) -> Rank? {
        var best: Rank?
        for shard in 0..<count {
            let rank = Rank(score: mixed(hash ^ mixed(UInt64(shard))), shard: shard)
            if let limit, rank >= limit { continue }
            if let known = best, rank < known { continue }
            best = rank
        }
        return best
    }

    /// A number that looks drawn, the same for the same number everywhere (the finalizer of SplitMix64).
    static func mixed(_ number: UInt64) -> UInt64 {
        var value = number &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
