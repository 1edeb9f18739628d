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

    /// Who observes the session too: of what it shows he was told the last change.
    @Test func aSessionsPropertyThatWasNotToldIsABreach() throws {
        #expect(try sessionFinding { _, _ in } == nil)
        let found = try sessionFinding { observers, watch in _ = observers.tell(.flag(false), of: .isReachable, in: watch) }
        #expect(found?.invariant == .observation)
        #expect(
            found?.expectation?.condition.notation == "event session.observed on watch with keyPath \"isReachable\" at least 2 times")
    }

    /// - Parameter disturb: What an observer is told besides, as by a session that is wrong.
    private func sessionFinding(_ disturb: (SessionPropertyObservers, DeviceProcess) -> Void) throws -> Violation? {
        let scenario = try scenario("watch observes the session\nlink down\nsettle\nlink up\nsettle\n")
        let run = ScenarioRun(scenario, schedule: CrashSchedule(scenario), seed: 1, options: RunOptions(), root: nil, catalogs: [:])
        defer { run.simulation.shutDown() }
        let theme = KeyReference(index: 0, identifier: "theme")
        var keeper = InvariantChecker(
            keys: [CheckedKey(scenario.keys[0], at: theme, binding: run.keys[theme], among: scenario.keys)], knobs: scenario.knobs)
        #expect(try run.begin { true })
        for step in scenario.steps { _ = try run.observe(step.action) }
        disturb(run.sessionObservers, try run.simulation.watch.requireProcess())
        var settling = QuiescenceMonitor()
        return try EndChecks(run: run, stepCount: 5).check(&keeper, &settling)
    }
}
