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
        #expect(try sentence([20, 20, 19]) == "The failure is not certain after the last step: 19 of 20 random continuations fail")
    }

    @Test func itMayBeCertainFromTheBeginning() throws {
        #expect(PointOfNoReturn(failures: [20, 20, 20], count: 20).isCertainAfter == 0)
        #expect(try sentence([20, 20, 20]) == "The failure is certain from the beginning: 20 of 20 random runs fail")
    }
}
