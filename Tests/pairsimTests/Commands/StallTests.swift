import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

/// Runs whose code does not come to its end, by the host's clock. Each leaves a thread behind.
struct StallTests {
    @Test func theOtherScenariosGoOn() {
        let names = ["a.scenario", "b.scenario", "c.scenario"]
        var bench = Bench(Dictionary(uniqueKeysWithValues: names.map { ($0, .passing()) }))
        bench.beforeRun = { scenario, _ in if scenario.name == "b.scenario" { DispatchSemaphore(value: 0).wait() } }
        let ending = bench.run(["run", "--jobs", "1", "--stuck-after", "1s"] + names)
        #expect(ending.status == .didNotSettle)
        #expect(
            ending.output.contains("b.scenario: did not settle: the run is blocked and waits for ever: given up after 1 s"),
            "\(ending.output)")
        #expect(ending.output.hasSuffix("2 passed, 0 failed, 1 did not settle (0.00 s)\n"), "\(ending.output)")
    }

    @Test func aSearchFindsIt() {
        var search = RunOptions()
        search.makeApp = { _ in Blocked() }
        var bench = Bench()
        bench.files = MemoryFiles(["x.scenario"])
        var engine = ScenarioEngine.deviceSim(files: .memory(["x.scenario": "# A key.\n\nkey a: Int\n\nphone set a 1\n"]))
        engine.search = search
        bench.realEngine = engine
        let ending = bench.run("explore x.scenario --runs 2 --jobs 1 --stuck-after 1s")
        #expect(ending.status == .didNotSettle)
        #expect(ending.output.contains("code is blocked and waits for ever"), "\(ending.output)")
        #expect(ending.output.contains("2 failing runs of 1 kind"), "\(ending.output)")
    }

    @Test(arguments: ["run x --stuck-after soon", "explore --stuck-after never"])
    func whatIsNoTimeIsRefused(_ line: String) {
        let ending = Bench(["x": .passing()]).run(line)
        #expect(ending.status == .usage && ending.errors.contains("--stuck-after takes a time up to 3660d"), "\(ending.errors)")
    }
}

private final class Blocked: SimulatedApp {
    func didFinishLaunching(inBackground: Bool) async { lockTwice() }

    private func lockTwice() {
        let lock = NSLock()
        lock.lock()
        lock.lock()
    }
}
