import Foundation
import Testing

@testable import LocalData

@Suite struct SyncMergeTests {
    static func entry(_ counter: UInt64, _ device: String, _ value: String?, settled: Bool = false, reduced: Bool = false) -> SyncEntry {
        SyncEntry(
            stamp: SyncStamp(counter: counter, device: device), value: value.map { Data($0.utf8) }, isSettled: settled, isReduced: reduced)
    }

    /// Whatever was forgotten lies at or below the floor. Counters of a later lineage begin anew, and come after all of an earlier one.
    @Test(
        arguments: [
            (0, 0, "phone", true), (0, 5, "phone", true), (5, 4, "phone", false), (5, 5, "phone", false), (5, 6, "phone", true),
            (5, 1, "^00000000000000aa.phone", true), (0, 1, "^00000000000000aa.phone", true), (5, 9, "^00000000000000aa.phone", true),
        ] as [(UInt64, UInt64, String, Bool)])
    func whatComesAfterAForgottenRemoval(floor: UInt64, counter: UInt64, device: String, isAbove: Bool) {
        #expect(SyncStamp(counter: counter, device: device).isAbove(floor) == isAbove)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let local: SyncEntry?
        let incoming: SyncEntry
        let decision: SyncMerge.Decision
    }

    static let cases = [
        Case(testDescription: "absence loses", local: nil, incoming: entry(0, "watch", "a"), decision: .apply),
        Case(
            testDescription: "a deletion reaches a device without the value", local: nil, incoming: entry(2, "watch", nil), decision: .apply
        ),
        Case(
            testDescription: "a forgotten deletion is not remembered again", local: nil, incoming: entry(2, "watch", nil, settled: true),
            decision: .equal),
        Case(
            testDescription: "higher counter wins", local: entry(1, "watch", "a"), incoming: entry(2, "phone", "b"), decision: .apply),
        Case(testDescription: "lower counter loses", local: entry(3, "phone", "a"), incoming: entry(2, "watch", "b"), decision: .keep),
        Case(
            testDescription: "the device decides between equal counters", local: entry(2, "phone", "a"), incoming: entry(2, "watch", "b"),
            decision: .apply),
        Case(testDescription: "equal", local: entry(2, "phone", "a"), incoming: entry(2, "phone", "a"), decision: .equal),
        Case(
            testDescription: "a settled deletion is the same deletion", local: entry(2, "phone", nil),
            incoming: entry(2, "phone", nil, settled: true), decision: .equal),
        Case(testDescription: "a later deletion wins", local: entry(2, "watch", "a"), incoming: entry(3, "phone", nil), decision: .apply),
        Case(
            testDescription: "a value beats a deletion of the same stamp", local: entry(2, "phone", nil), incoming: entry(2, "phone", "a"),
            decision: .apply),
        Case(
            testDescription: "a found value loses against any stamp", local: entry(0, "watch", "a"), incoming: entry(1, "phone", "b"),
            decision: .apply),
        Case(
            testDescription: "a smaller form does not replace its full value", local: entry(2, "phone", "full"),
            incoming: entry(2, "phone", "f", reduced: true), decision: .keep),
        Case(
            testDescription: "a full value replaces its smaller form", local: entry(2, "phone", "f", reduced: true),
            incoming: entry(2, "phone", "full"), decision: .apply),
    ]

    @Test(arguments: cases) func decides(_ example: Case) {
        #expect(SyncMerge.decide(local: example.local, incoming: example.incoming) == example.decision)
    }

    @Test func sameStampWithTwoContentsHasOneWinner() {
        let one = Self.entry(4, "phone", "one")
        let two = Self.entry(4, "phone", "two")
        #expect(SyncMerge.merged(one, two) == SyncMerge.merged(two, one))
    }

    /// Commutative, associative, idempotent: on every pair and triple of a pool that has every kind of tie.
    @Test func isASemilattice() throws {
        var pool: [SyncEntry] = []
        for counter in UInt64(0)...2 {
            for device in ["phone", "watch"] {
                for value in [nil, "a", "b"] as [String?] { pool.append(Self.entry(counter, device, value)) }
                pool.append(Self.entry(counter, device, "a", reduced: true))
            }
        }
        for one in pool {
            #expect(SyncMerge.merged(one, one) == one)
            for two in pool {
                #expect(SyncMerge.merged(one, two) == SyncMerge.merged(two, one))
                for three in pool {
                    let left = try #require(SyncMerge.merged(SyncMerge.merged(one, two), three))
                    let right = SyncMerge.merged(one, try #require(SyncMerge.merged(two, three)))
                    if left != right { Issue.record("not associative: \(one) \(two) \(three)") }
                }
            }
        }
    }
}
