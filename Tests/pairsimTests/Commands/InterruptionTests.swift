import Testing

@testable import pairsim

struct InterruptionTests {
    @Test func whatWasDoneIsReported() {
        let names = (0..<40).map { "\($0 + 10).scenario" }
        var bench = Bench(Dictionary(uniqueKeysWithValues: names.map { ($0, .passing()) }))
        let interruption = bench.interruption
        let count = Bench.Counter()
        bench.beforeRun = { _, _ in if count.next() == 5 { interruption.request() } }
        let ending = bench.run(["run", "--jobs", "1", "--report", "json=out.json"] + names)
        #expect(ending.status == .interrupted)
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
}
