import Testing

@testable import pairsim

/// States are counted exactly at first, and estimated closely from then on.
struct DistinctStatesTests {
    @Test func fewAreCountedExactly() {
        var states = DistinctStates()
        for round in 0..<3 { states.insert((0..<1_000).map { UInt64($0 * 7 + round % 2) }) }
        #expect(states.count == Set((0..<2).flatMap { round in (0..<1_000).map { $0 * 7 + round } }).count)
        #expect(!states.isEstimate)
    }

    @Test(arguments: [UInt64(1), 1 << 32]) func manyAreEstimatedClosely(spacing: UInt64) {
        var states = DistinctStates(exactLimit: 1_000)
        let count = 300_000
        for _ in 0..<2 { states.insert((0..<UInt64(count)).lazy.map { $0 &* spacing }) }
        #expect(states.isEstimate)
        #expect(abs(states.count - count) < count / 100, "\(states.count)")
    }

    /// What was counted exactly goes on counting.
    @Test func nothingIsForgottenOnTheWay() {
        var states = DistinctStates(exactLimit: 10)
        states.insert(0..<11)
        #expect(states.isEstimate && states.count == 11)
        states.insert(0..<11)
        #expect(states.count == 11)
    }
}
