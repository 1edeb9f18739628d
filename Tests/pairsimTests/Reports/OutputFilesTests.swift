import Testing

@testable import PairsimTool

/// No report replaces what is read, and no two go to one file.
@Suite struct OutputFilesTests {
    @Test(arguments: [
        "run a.scenario --report json=a.scenario", "run a.scenario --report html=./b.SCENARIO",
        "run a.scenario --report tap=shared/keys.inc",
        "run a.scenario --trace a.scenario", "explore a.scenario --report json=a.scenario",
        "run a.scenario --report json=out --report junit=out", "run a.scenario --report json=out --report junit=./x/../out",
        "run a.scenario --report json=out --trace ./out", "explore --report json=out --report junit=out",
        "run a.scenario --report html=link", "merge one.json --report json=one.json", "merge one.json --report json=./one.json",
    ])
    func isRefused(line: String) {
        var bench = Bench(["a.scenario": .passing()])
        bench.files = MemoryFiles(["a.scenario", "one.json"], links: ["link": "a.scenario"])
        let ending = bench.run(line)
        #expect(ending.status == .usage)
        #expect(ending.errors.contains("a file of its own") || ending.errors.contains("another ending"))
        #expect(bench.files["a.scenario"]?.isEmpty == true && bench.files["one.json"]?.isEmpty == true && bench.files["out"] == nil)
    }

    @Test func reportsOfTheirOwnAreWritten() {
        let bench = Bench(["a.scenario": .passing()])
        #expect(bench.run("run a.scenario --report json=out.json --report junit=out.xml --report tap=x/out.json").status == .passed)
        #expect(bench.files.paths == ["a.scenario", "out.json", "out.xml", "x/out.json"])
        // A second run replaces the reports of the first.
        #expect(bench.run("run a.scenario --report json=out.json").status == .passed)
    }
}
