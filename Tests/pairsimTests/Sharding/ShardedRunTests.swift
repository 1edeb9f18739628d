import Foundation
import Testing

@testable import PairsimTool

/// `pairsim run` on several machines.
struct ShardedRunTests {
    private static func tool() -> Bench {
        Bench([
            "Scenarios/a.scenario": .passing("A."), "Scenarios/b.scenario": .failing(),
            "Scenarios/c.scenario": .init(rows: ["1", "2", "3"]),
            "Scenarios/deep/d.scenario": .passing(),
            "Scenarios/deep/e.scenario": .init(canary: 1, outcome: { _, _ in .failed(Bench.Script.theme) }),
            "Scenarios/deep/f.scenario": .init(problems: [.init(path: "Scenarios/deep/f.scenario", line: 1, column: 1, message: "no")]),
            "Scenarios/g.scenario": .passing(), "Scenarios/h.scenario": .passing(),
        ])
    }

    @Test(arguments: [1, 2, 3, 5, 20], ["", " --orders 3", " --seeds 2 --orders 2"])
    func theShardsDoEverythingOnce(count: Int, options: String) {
        let whole = Self.tool()
        _ = whole.run("run --report json=whole.json" + options)
        let parts = Self.tool()
        for number in 1...count {
            _ = parts.run("run --shard \(number)/\(count) --report json=\(number).json" + options)
        }
        let merged = parts.run(["merge", "--report", "json=merged.json"] + (1...count).map { "\($0).json" })
        #expect(merged.errors.isEmpty)
        #expect(merged.status == .unparsable)
        #expect(parts.files.text("merged.json") == whole.files.text("whole.json"))
    }

    @Test func manyRunsOfOneScenarioAreDealtToo() throws {
        let bench = Bench(["a.scenario": .passing()])
        for number in 1...4 {
            let ending = bench.run("run a.scenario --seeds 10 --shard \(number)/4")
            #expect(ending.status == .passed)
            let runs = try #require(ending.output.split(separator: "\n").last?.split(separator: " ").first.flatMap { Int($0) })
            #expect((2...3).contains(runs))
        }
    }

    @Test func theFirstLineSaysWhichShardAndWhoSaidSo() {
        let bench = Bench(Dictionary(uniqueKeysWithValues: (0..<10).map { ("Scenarios/\($0).scenario", .passing()) }))
        var ending = bench.run("run --shard 2/5")
        #expect(ending.output == "Shard 2 of 5 (--shard 2/5): 2 of 10 scenarios\n2 passed, 0 failed (0.00 s): shard 2 of 5\n")
        #expect(bench.run("run --shard 2/5 --quiet").output == "Shard 2 of 5 (--shard 2/5): 2 of 10 scenarios\n")
        var inGitLab = bench
        inGitLab.environment = ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "2"]
        ending = inGitLab.run("run --orders 1")
        #expect(
            ending.output.hasPrefix(
                "Shard 1 of 2 (CI_NODE_INDEX=1, CI_NODE_TOTAL=2): 10 of 20 runs\nRunning 10 scenarios: seed 1, orders 0 to 1\n"))
        #expect(inGitLab.run("run --shard 1/1").output.hasPrefix("Shard 1 of 1 (--shard 1/1): 10 of 10 scenarios\n"))
    }

    @Test func aShardWithNothingToDoIsGreen() throws {
        let bench = Bench(["a.scenario": .passing()])
        let endings = (1...3).map { bench.run("run a.scenario --shard \($0)/3 --report junit=\($0).xml") }
        #expect(endings.allSatisfy { $0.status == .passed && $0.errors.isEmpty })
        #expect(endings.count { $0.output.contains("none of 1 scenario, so there is nothing to do\n0 passed, 0 failed") } == 2)
        // What nobody selects is no shard's, and a mistake.
        #expect(bench.run("run a.scenario --filter nothing --shard 1/3").status == .nothingSelected)
    }

    /// A checkout lies elsewhere on every machine.
    @Test func theFolderAroundDoesNotMatter() {
        func names(in folder: String) -> [String] {
            let bench = Bench(Dictionary(uniqueKeysWithValues: (0..<20).map { ("\(folder)/Scenarios/\($0).scenario", .passing()) }))
            let lines = bench.run("run \(folder)/Scenarios --shard 2/3 -v").output.split(separator: "\n").filter { $0.hasPrefix("passed") }
            return lines.map { String($0.replacing(folder, with: "")) }
        }
        #expect(names(in: "/builds/one") == names(in: "/home/two/deep"))
        #expect(names(in: "/builds/one").count >= 6)
    }

    @Test func bazelIsToldThatShardsAreHeeded() {
        var bench = Bench(["Scenarios/a.scenario": .passing(), "Scenarios/b.scenario": .passing()])
        bench.environment = [
            "TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "2", "TEST_SHARD_STATUS_FILE": "tmp/shards", "XML_OUTPUT_FILE": "out/test.xml",
        ]
        #expect(bench.run("run").status == .passed)
        #expect(bench.files.text("tmp/shards") == "")
        #expect(bench.files.text("out/test.xml")?.contains("<property name=\"shard\" value=\"1/2\"/>") == true)
        bench.files = MemoryFiles(["Scenarios/a.scenario"], unwritable: ["tmp"])
        let ending = bench.run("run")
        #expect(ending.status == .cannotRun)
        #expect(ending.errors == "pairsim: cannot write tmp/shards: permission denied\n")
        // A test that is not divided gets its report all the same.
        bench.files = MemoryFiles(["Scenarios/a.scenario"])
        bench.environment = ["XML_OUTPUT_FILE": "out/test.xml"]
        #expect(bench.run("run").status == .passed)
        #expect(bench.files.text("out/test.xml")?.contains("<testcase name=\"a.scenario\"") == true)
    }
}
