import DeviceSim
import LocalData
import Testing

@testable import DeviceSimRunner
@testable import DeviceSimSearch

/// Code that observes a key is held to being told its last change.
@Suite struct ObservationCheckTests {
    private static let keys = """
        # What is observed.

        key theme: String
            security  none
            sync      automaticSmall

        """

    private func scenario(_ steps: String) throws -> Scenario {
        try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": Self.keys + steps])).scenarios.first)
    }

    /// What the check finds after the steps.
    /// - Parameter told: What the observer is told besides, as by a LocalData that is wrong.
    private func finding(_ steps: String, told: ScenarioValue?? = nil) throws -> Violation? {
        let scenario = try scenario(steps)
        let run = ScenarioRun(
            scenario, schedule: CrashSchedule(scenario), seed: 1, options: RunOptions(), root: nil, catalogs: [:])
        defer { run.simulation.shutDown() }
        let theme = KeyReference(index: 0, identifier: "theme")
        let keeper = InvariantChecker(
            keys: [CheckedKey(scenario.keys[0], at: theme, binding: run.keys[theme], among: scenario.keys)], knobs: scenario.knobs)
        var check = ObservationCheck()
        #expect(try run.begin { true })
        for step in scenario.steps { check.note(try run.observe(step.action), keeper.keys) }
        let process = try run.simulation.watch.requireProcess()
        if let told { run.observers.tell(told, of: theme, in: process) }
        let settled = try #require(try run.observe(.time(.settle(limit: nil))).first)
        return try check.check(settled, in: run, keeper, step: 0)
    }

    @Test func aChangeThatWasToldIsNone() throws {
        #expect(try finding("watch observes theme\nwatch set theme \"dark\"\n") == nil)
        #expect(try finding("watch observes theme\nwatch set theme \"dark\"\nwatch remove theme\n") == nil)
    }

    @Test(arguments: [nil, ScenarioValue.string("light")])
    func aChangeThatWasNotToldIsABreach(last: ScenarioValue?) throws {
        let found = try finding("watch observes theme\nwatch set theme \"dark\"\n", told: .some(last))
        #expect(found?.invariant == .observation)
        #expect(found?.expectation?.condition.notation == "watch observed theme \"dark\"")
    }

    /// An earlier app that writes beside a running one tells nobody.
    @Test func whatIsPlantedIsNoChange() throws {
        #expect(try finding("watch observes theme\nwatch plant theme \"dark\"\n") == nil)
    }

    /// Nor does what an earlier process was told say anything of this one.
    @Test func anObserverEndsWithItsProcess() throws {
        #expect(try finding("watch observes theme\nwatch set theme \"dark\"\nwatch relaunch\n", told: .some(nil)) == nil)
    }
}
