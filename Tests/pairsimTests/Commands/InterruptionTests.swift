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

    /// A search that was stopped, or could not do what it was to do, has a case that did not pass.
    @Test func theReportOfASearchThatWasStoppedIsNotGreen() throws {
        var bench = Bench()
        let (interruption, count) = (bench.interruption, Bench.Counter())
        var engine = ScenarioEngine.deviceSim()
        engine.search.adaptEnvironment = { _, environment in
            if count.next() > 4 { interruption.request() }
            return environment
        }
        bench.realEngine = engine
        var ending = bench.run("explore --runs 500 --jobs 1 --report junit=out.xml")
        #expect(ending.status == .interrupted)
        #expect(bench.files.text("out.xml")?.contains("<error message=\"interrupted: the search ended after ") == true)
        #expect(bench.files.text("out.xml")?.contains("errors=\"1\"") == true)
        var stopped = Bench.real(["a.scenario": NewScenario.text(title: "A")])
        let stop = stopped.interruption
        stopped.realEngine?.search.adaptEnvironment = { _, environment in
            stop.request()
            return environment
        }
        ending = stopped.run("explore --exhaustive a.scenario --jobs 1 --report junit=out.xml")
        #expect(ending.status == .interrupted && ending.output.contains("\ninterrupted: "), "\(ending.output)")
        #expect(stopped.files.text("out.xml")?.contains("<error message=\"interrupted: ") == true)
        // One that has nowhere to keep what it finds.
        let report = ExplorationReport(
            search: .init(seed: 1, over: ["built-in"], strategies: ["fifo"], steps: 24), runs: 9, failingRuns: 0, states: 1, seconds: 0,
            found: [], status: .cannotRun)
        #expect(report.junit().contains("errors=\"1\"") && report.junit().contains("type=\"cannotRun\""))
    }

    @Test func whatWasNotReadHasPerhapsProblems() {
        let bench = Bench(["a.scenario": .passing(), "b.scenario": .passing()])
        bench.interruption.request()
        let ending = bench.run("check a.scenario b.scenario")
        #expect(ending.status == .interrupted && ending.output == "interrupted: 0 of 2 files checked, 0 problems in 0 of them\n")
    }

    /// Working out the names of the reports of millions of runs takes a while.
    @Test func theNamesOfReportsAreNotWaitedFor() {
        let bench = Bench(["a.scenario": .passing()])
        bench.interruption.request()
        var outputs = OutputFiles(of: .run, files: bench.files)
        let records = sequence(first: 0) { $0 + 1 }.lazy.map {
            RunRecord(name: "\($0)", path: "\($0)", title: "", outcome: .passed, replay: "")
        }
        // There is no end of them.
        #expect(throws: Never.self) {
            try outputs.add(
                [ReportRequest(format: .json, path: "{name}.json")], traces: nil, of: records, interruption: bench.interruption)
        }
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
