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

    /// Before each watch was worn since the last change, nobody can expect that they agree: `nil`, and after that they must.
    @Test(arguments: [
        ["settle"], ["phone switches to watch2", "settle"],
        ["settle", "phone switches to watch2", "settle", "watch2 remove note", "settle"],
    ])
    func whoHasNotMetNeedNotAgree(_ last: [String]) throws {
        let violation = try CheckedRun.run(scenario(["phone set note \"a\""] + last)).violation
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// Of three that have all met, one lacks a value.
    @Test func aWatchThatMissesAValueIsFound() throws {
        func app(_ name: String) throws -> @Sendable (DeviceID, AppBehaviour) -> any SimulatedApp {
            try #require(Specimen.careless.first { $0.name.contains(name) }?.bad.makeConfiguredApp)
        }
        // What an update dropped matters to no version that there is here.
        let (careless, careful) = (try app("in the foreground only"), try app("what an update dropped"))
        var options = RunOptions()
        options.makeConfiguredApp = { $0 == .watch2 ? careless($0, $1) : careful($0, $1) }
        let steps = ["watch2 background", "phone set note \"a\"", "settle"] + Self.inTurns + Self.inTurns
        let violation = try CheckedRun.run(scenario(steps), options: options).violation
        #expect(violation?.invariant == .convergence && violation?.key == "note", "\(violation?.explanation ?? [])")
    }

    /// A migration that is for watches runs on both of them.
    @Test func bothWatchesMigrate() throws {
        let key = """
            key badge: String
                domain    fileSystem documents
                security  none
                migrates  from oldBadge
                migrates  when device watch
            key oldBadge: String
                security  none
                until     0.9

            """
        let violation = try CheckedRun.run(scenario([key, "watch2 plant oldBadge \"a\"", "watch2 relaunch", "watch2 get badge"])).violation
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// A value that cannot travel is on one of three, and nothing is said of the others.
    @Test func whatIsTooLargeIsWhereItWasSet() throws {
        let steps = ["watch set note repeat(\"a\", 100001)", "settle"] + Self.inTurns + Self.inTurns
        let violation = try CheckedRun.run(scenario(steps)).violation
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
        }
        // Of some nobody tells which of three devices knows of what: an app is installed anew there, or a device restored. All else is held against them.
        let untold = runs.filter { run in UntoldKeys.among(run.keys, in: run).values.contains(.secondWatch) }
        #expect(!untold.isEmpty && untold.count * 3 < runs.count, "\(untold.count) of \(runs.count)")
        #expect(runs.contains { $0.steps.contains { $0.action.device == .watch2 } })
    }

    /// Where an app begins anew, or a watch comes late, which of three devices knows of what is more than the checks tell.
    @Test(arguments: ["watch uninstall", "watch2 unpair", "phone backup as b\nphone restore from b"])
    func whereDevicesForgetNothingIsHeldAgainstThem(_ step: String) throws {
        let scenario = try scenario([step])
        #expect(Set(UntoldKeys.among(scenario.keys, in: scenario).values) == [.secondWatch])
    }
}
