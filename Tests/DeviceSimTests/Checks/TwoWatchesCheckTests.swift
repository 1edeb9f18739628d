import DeviceSim
import DeviceSimLanguage
import Specimens
import Testing

@testable import DeviceSimSearch

/// A phone with two watches under the checks of a search.
@Suite struct TwoWatchesCheckTests {
    private static let world = """
        # Two watches.

        start second watch

        key note: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
        key slip: String
            security  none


        """

    private func scenario(_ steps: [String]) throws -> Scenario {
        let source = Self.world + steps.joined(separator: "\n") + "\n"
        return try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": source])).scenarios.first, "\(steps)")
    }

    private static let inTurns = ["phone switches to watch2", "settle", "phone switches to watch", "settle"]

    @Test func whatIsInOrderIsNotCalledBroken() throws {
        let steps = ["phone set note \"a\"", "settle", "phone switches to watch2", "watch2 set note \"b\"", "watch remove note", "settle"]
        let violation = try CheckedRun.run(scenario(steps + Self.inTurns + Self.inTurns)).violation
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// An app that does not activate its session again speaks to no second watch.
    @Test func aSessionThatStaysDeadIsFound() throws {
        let options = try #require(Specimen.careless.first { $0.name.contains("P18") }).bad
        let violation = try CheckedRun.run(scenario(["phone switches to watch2", "settle"]), options: options).violation
        #expect(violation?.invariant == .progress && violation?.device == .phone, "\(violation?.explanation ?? [])")
        let isDeclared = ["phone app does not implement didDeactivate", "phone switches to watch2", "settle"]
        #expect(try CheckedRun.run(scenario(isDeclared)).violation == nil)
    }

    /// Each of three devices has a history of its own of what does not sync.
    @Test func whatDoesNotSyncIsEachDevicesOwn() throws {
        let scenario = try scenario([
            "watch set slip \"a\"", "watch2 set slip \"b\"", "watch get slip", "watch2 get slip", "phone get slip",
        ])
        let violation = CheckedRun.run(scenario).violation
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// Some runs of the built-in world have a second watch, which is put on and takes part, and every one ends with all three having met.
    @Test func secondWatchesAreDrawn() throws {
        let generator = try RunGenerator(world: #require(SearchSpace.builtIn), seed: 1, maximumSteps: 24, strategies: [.fifo])
        let runs = (0..<200).map { generator.draw($0).scenario }.filter { $0.start.watch2 != nil }
        #expect(runs.count > 5)
        for run in runs {
            let switches = run.steps.compactMap { step in
                if case .link(.switchWatch(let watch)) = step.action { watch } else { nil }
            }
            #expect(switches.suffix(3) == [.watch2, .watch, .watch2])
            #expect(UntoldKeys.among(run.keys, in: run).values.allSatisfy { $0 != .secondWatch })
        }
        #expect(runs.contains { $0.steps.contains { $0.action.device == .watch2 } })
    }

    /// Where an app begins anew, or a watch comes late, which of three devices knows of what is more than the checks tell.
    @Test(arguments: ["watch uninstall", "watch2 unpair", "phone backup as b\nphone restore from b"])
    func whereDevicesForgetNothingIsHeldAgainstThem(_ step: String) throws {
        let scenario = try scenario([step])
        #expect(Set(UntoldKeys.among(scenario.keys, in: scenario).values) == [.secondWatch])
    }
}
