import Foundation

/// How many different states a search has seen, in memory that stays the same however long it takes: exact at first, estimated from then on.
///
/// The estimate is linear counting (Whang et al., "A Linear-Time Probabilistic Counting Algorithm for Database Applications", 1990): each state sets one
/// of 2^25 bits, and what is still clear tells how many there were. With ten million states the standard error is below a thousandth.
struct DistinctStates {
    /// Up to so many are kept and counted.
    private let exactLimit: Int
    private static let bitCount = 1 << 25

    private var exact: Set<UInt64> = []
    /// Empty while the count is exact.
    private var words: [UInt64] = []
    private var setBits = 0

    init(exactLimit: Int = 1 << 18) {
        self.exactLimit = exactLimit
    }

    var isEstimate: Bool { !words.isEmpty }

    var count: Int {
        guard isEstimate else { return exact.count }
        let bits = Double(Self.bitCount)
        return Int((-bits * log(max(1, bits - Double(setBits)) / bits)).rounded())
    }

    mutating func insert(_ states: some Sequence<UInt64>) {
        for state in states {
            if isEstimate {
                mark(state)
            } else if exact.insert(state).inserted, exact.count > exactLimit {
                words = [UInt64](repeating: 0, count: Self.bitCount / 64)
                for known in exact { mark(known) }
                exact = []
            }
        }
    }

    private mutating func mark(_ state: UInt64) {
        // Mixed (Steele et al., SplitMix64): the bits of a fingerprint need not be spread evenly.
        var mixed = state &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        let bit = Int((mixed ^ (mixed >> 31)) & UInt64(Self.bitCount - 1))
        let mask: UInt64 = 1 << (bit & 63)
        if words[bit >> 6] & mask == 0 {
            words[bit >> 6] |= mask
            setBits += 1
        }
    }
}
