import DeviceSim
import Testing

@testable import DeviceSimSearch

/// From which step on a failure was certain, and how that is said.
@Suite struct PointOfNoReturnTests {
    private let steps = ["phone set theme \"a\"", "watch remove theme"]

    private func sentence(_ failures: [Int]) throws -> String {
        let text = "# A.\n\nkey theme: String\n    security  none\n\n\(steps.joined(separator: "\n"))\n"
        let scenario = try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": text])).scenarios.first)
        return PointOfNoReturn(failures: failures, count: 20).sentence(scenario.steps)
    }

    @Test func itIsTheFirstStepAfterWhichAllContinuationsFail() throws {
        #expect(PointOfNoReturn(failures: [0, 3, 20], count: 20).isCertainAfter == 2)
        #expect(
            try sentence([0, 3, 20])
                == "The failure is certain from step 2 on (watch remove theme): 20 of 20 random continuations fail; before it 3 of 20 did")
    }

    /// One beginning by chance does not count, when a longer one leaves a way out.
    @Test func aLongerBeginningThatEscapesIsNotCertain() throws {
        #expect(PointOfNoReturn(failures: [20, 19, 20], count: 20).isCertainAfter == 2)
        #expect(PointOfNoReturn(failures: [20, 20, 19], count: 20).isCertainAfter == nil)
        #expect(
            try sentence([20, 20, 19])
                == "What comes later can cover the failure up: where random steps follow the last one, 19 of 20 runs fail"
        )
    }

    @Test func itMayBeCertainFromTheBeginning() throws {
        #expect(PointOfNoReturn(failures: [20, 20, 20], count: 20).isCertainAfter == 0)
        #expect(try sentence([20, 20, 20]) == "The failure is certain from the beginning: 20 of 20 random runs fail")
    }

    /// Against the table of Newcombe ("Two-Sided Confidence Intervals for the Single Proportion", 1998) where it has them, and the bounds that it must keep.
    @Test(arguments: [
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718), (29, 29, 0.8830, 1.0),
    ])
    func theIntervalIsWilsons(failures: Int, count: Int, low: Double, high: Double) {
        let interval = PointOfNoReturn(failures: [failures], count: count).interval(after: 0)
        #expect(abs(interval.lowerBound - low) < 0.0001 && abs(interval.upperBound - high) < 0.0001, "\(interval)")
    }

    @Test func ofWhatWasNotTriedNothingIsSaid() {
        #expect(PointOfNoReturn(failures: [0], count: 0).interval(after: 0) == 0...1)
        #expect(PointOfNoReturn(failures: [3], count: 20).interval(after: 1) == 0...1)
    }

    @Test func theLargestJumpIsTheStepWithWhichItGrowsMost() throws {
        #expect(PointOfNoReturn(failures: [0, 3, 20, 20], count: 20).largestJump == 2)
        #expect(PointOfNoReturn(failures: [0, 10, 20], count: 20).largestJump == 1)
        #expect(PointOfNoReturn(failures: [20, 20, 19], count: 20).largestJump == nil)
        let scenario = try #require(
            ScenarioCompiler.compile(
                path: "a", files: .memory(["a": "# A.\n\nkey theme: String\n    security  none\n\n\(steps.joined(separator: "\n"))\n"])
            ).scenarios.first)
        #expect(
            PointOfNoReturn(failures: [0, 3, 20], count: 20).sentenceOfJump(scenario.steps)
                == "The probability of failing grows most with step 2 (watch remove theme): from 5–36 % to 84–100 %, with 95 % confidence")
    }

    /// A jump whose intervals overlap may be chance: nothing is said of it, also where it is the largest.
    @Test(arguments: [([0, 4, 4], false), ([10, 17, 17], false), ([0, 10, 10], true), ([2, 16, 20], true), ([20, 20, 20], false)])
    func aJumpThatChanceMayHaveMadeIsNotTold(failures: [Int], isTold: Bool) throws {
        let text = "# A.\n\nkey theme: String\n    security  none\n\n\(steps.joined(separator: "\n"))\n"
        let scenario = try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": text])).scenarios.first)
        let measured = PointOfNoReturn(failures: failures, count: 20)
        #expect(
            (measured.sentenceOfJump(scenario.steps) != nil) == isTold, "\(measured.interval(after: 0)), \(measured.interval(after: 1))")
    }
}
