import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

struct InterruptionTests {
    @Test func whatWasDoneIsReported() {
        let names = (0..<40).map { "\($0 + 10).scenario" }
        var bench = Bench(Dictionary(uniqueKeysWithValues: names.map { ($0, .passing()) }))
        let interruption = bench.interruption
        let count = Bench.Counter()
        bench.beforeRun = { _, _ in if count.next() == 5 { interruption.request() } }
        let ending = bench.run(["run", "--jobs", "1", "--report", "json=out.json", "--report", "junit=out.xml"] + names)
        #expect(ending.status == .interrupted)
        // A page of results does not look green, and what it adds is no run where reports are joined.
        #expect(bench.files.text("out.xml")?.contains("<error message=\"interrupted: ") == true)
        #expect(bench.files.text("out.xml")?.contains("errors=\"1\"") == true)
        #expect(bench.run("merge out.xml --report junit=again.xml").output.contains(" not run"))
        #expect(bench.files.text("again.xml")?.contains("errors=\"1\"") == true)
        #expect(ending.output.hasPrefix("interrupted: "))
        #expect(ending.output.contains(" not run (0.00 s)"))
        #expect(bench.files.text("out.json")?.contains("\"status\": 130") == true)
    }

    @Test func beforeTheFirstRun() {
        let bench = Bench(["a.scenario": .passing()])
        bench.interruption.request()
        #expect(bench.run("run a.scenario").status == .interrupted)
    }

    @Test func afterTheLastRunItIsTooLate() {
        var bench = Bench(["a.scenario": .passing()])
        let interruption = bench.interruption
        bench.beforeRun = { _, _ in interruption.request() }
        let ending = bench.run("run a.scenario")
        #expect(ending.status == .passed)
        #expect(ending.output == "1 passed, 0 failed (0.00 s)\n")
    }

    /// An app that spins for ever holds its thread; what the others have done is reported all the same.
    @Test func aRunThatNeverEndsDoesNotHoldTheOthersBack() {
        let names = (0..<20).map { "\($0 + 10).scenario" }
        var bench = Bench(Dictionary(uniqueKeysWithValues: names.map { ($0, .passing()) }))
        let interruption = bench.interruption
        let end = DispatchSemaphore(value: 0)
        defer { end.signal() }
        let count = Bench.Counter()
        bench.beforeRun = { scenario, _ in
            if scenario.path == "12.scenario" { end.wait() }
            if count.next() == 19 { interruption.request() }
        }
        let ending = bench.run(["run", "--jobs", "2", "--report", "json=out.json"] + names)
        #expect(ending.status == .interrupted)
        #expect(ending.output == "interrupted: 19 passed, 0 failed, 1 not run (0.00 s)\n")
        #expect(bench.files.text("out.json")?.contains("\"notRun\": 1") == true)
    }

    /// Making a failure small may take minutes. Interrupted, the failure is reported as it was met.
    @Test func aFailureIsNotMadeSmallToTheEnd() throws {
        let end = DispatchSemaphore(value: 0)
        defer { for _ in 0..<100 { end.signal() } }
        var bench = Bench()
        let interruption = bench.interruption
        let count = Bench.Counter()
        var engine = ScenarioEngine.deviceSim()
        engine.search.adaptEnvironment = { _, environment in
            // The first run, and a few of those that try to make it small.
            if count.next() > 12 {
                interruption.request()
                end.wait()
            }
            var changed = environment
            changed.entropy = NoEntropy()
            return changed
        }
        bench.realEngine = engine
        let ending = bench.run("explore --runs 50 --jobs 1 --recheck 0 --report json=out.json")
        #expect(ending.status == .interrupted)
        #expect(ending.output.contains("  replay    pairsim explore --seed 1 --only "), "\(ending.output)")
        #expect(ending.output.contains("\ninterrupted: "))
        let report = try ExplorationReport(JSONValue(reading: try #require(bench.files["out.json"])).members("report"))
        #expect(report.found.count >= 1 && report.found.allSatisfy { $0.small == nil })
    }
}
