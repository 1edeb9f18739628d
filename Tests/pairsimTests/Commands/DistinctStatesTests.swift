import Foundation
import Testing

@testable import PairsimTool

/// States are estimated closely, and what parts of a search have seen can be joined.
struct DistinctStatesTests {
    @Test(arguments: [0, 1, 100, 5_000, 30_000, 300_000], [UInt64(1), 1 << 32]) func statesAreEstimatedClosely(count: Int, spacing: UInt64)
    {
        var states = DistinctStates()
        for _ in 0..<2 { states.insert((0..<UInt64(count)).lazy.map { $0 &* spacing }) }
        // Three standard errors.
        #expect(abs(states.count - count) <= count * 35 / 1_000, "\(states.count)")
    }

    @Test func partsAreJoinedToTheWhole() {
        var (whole, one, other) = (DistinctStates(), DistinctStates(), DistinctStates())
        whole.insert(0..<20_000)
        one.insert(0..<15_000)
        other.insert(10_000..<20_000)
        one.formUnion(other)
        #expect(one == whole)
    }

    @Test func whatIsWrittenIsReadAgain() {
        var states = DistinctStates()
        states.insert(0..<1_000)
        #expect(DistinctStates(encoded: states.encoded) == states)
    }

    @Test(arguments: ["", "x", "AAAA", Data(repeating: 255, count: 1 << 13).base64EncodedString()]) func whatNobodyWroteIsRefused(
        text: String
    ) {
        #expect(DistinctStates(encoded: text) == nil)
    }
}
