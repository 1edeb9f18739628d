import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

/// `pairsim explore --coverage`: the same for the same search, whoever makes its runs.
struct CoverageTests {
    private static let search = "explore --seed 3 --runs 12 --steps 8"

    private func report(_ bench: Bench, _ path: String) throws -> ExplorationReport {
        try ExplorationReport(JSONValue(reading: try #require(bench.files[path])).members("report"))
    }

    private func bench() -> Bench {
        var bench = Bench()
        bench.files = MemoryFiles()
        bench.realEngine = .deviceSim(files: .memory([:]))
        return bench
    }

    @Test func theSameWhateverTheJobs() throws {
        var texts: [String] = []
        var reports: [String] = []
        for jobs in [1, 3] {
            let bench = bench()
            let ending = bench.run("\(Self.search) --coverage --jobs \(jobs) --report json=out.json")
            #expect(ending.status == .passed)
            let begin = try #require(ending.output.range(of: "What 12 runs exercised"))
            texts.append(String(ending.output[begin.lowerBound...]))
            reports.append(try #require(bench.files.text("out.json")))
        }
        #expect(texts[0] == texts[1])
        #expect(reports[0] == reports[1])
        #expect(texts[0].contains("\nNot tried: "))
    }

    @Test func shardsJoinToTheWhole() throws {
        let bench = bench()
        _ = bench.run("\(Self.search) --coverage --jobs 1 --report json=whole.json")
        for shard in 1...2 { _ = bench.run("\(Self.search) --coverage --jobs 2 --shard \(shard)/2 --report json=part\(shard).json") }
        let ending = bench.run("merge part1.json part2.json --report json=joined.json")
        let (whole, joined) = (try report(bench, "whole.json"), try report(bench, "joined.json"))
        #expect(joined.coverage == whole.coverage)
        #expect(whole.coverage?.runs == 12)
        #expect(ending.output.contains("What 12 runs exercised"))
    }

    @Test func shardsWithoutItAreTold() throws {
        let bench = bench()
        _ = bench.run("\(Self.search) --coverage --jobs 1 --shard 1/2 --report json=part1.json")
        _ = bench.run("\(Self.search) --jobs 1 --shard 2/2 --report json=part2.json")
        let ending = bench.run("merge part1.json part2.json --report json=joined.json")
        #expect(try report(bench, "joined.json").coverage == nil)
        #expect(ending.errors.contains("run all of them with --coverage"))
    }

    /// What was counted is kept with the runs, and gone on with.
    @Test func goesOnCounting() throws {
        let bench = bench()
        _ = bench.run("\(Self.search) --coverage --jobs 1 --report json=whole.json")
        _ = bench.run("explore --seed 3 --runs 5 --steps 8 --coverage --jobs 1 --resume far.json")
        #expect(try report(bench, "far.json").coverage?.runs == 5)
        _ = bench.run("\(Self.search) --coverage --jobs 1 --resume far.json --report json=out.json")
        #expect(try report(bench, "out.json").coverage == report(bench, "whole.json").coverage)
    }

    @Test(arguments: [true, false]) func aFileThatCountsOtherwiseIsRefused(isCounting: Bool) throws {
        let bench = bench()
        _ = bench.run("explore --seed 3 --runs 2 --steps 8 --jobs 1 --resume far.json\(isCounting ? "" : " --coverage")")
        let ending = bench.run("\(Self.search) --jobs 1 --resume far.json\(isCounting ? " --coverage" : "")")
        #expect(ending.status == .cannotRun)
        #expect(ending.errors.contains(isCounting ? "leave --coverage out" : "give --coverage too"))
    }

    @Test func oneRunHasNone() {
        let ending = bench().run("explore --only 3 --coverage")
        #expect(ending.status == .usage)
        #expect(ending.errors.contains("leave --only out"))
    }

    @Test func nothingIsCountedUnlessAskedFor() throws {
        let bench = bench()
        let ending = bench.run("explore --runs 2 --jobs 1 --report json=out.json")
        #expect(!ending.output.contains("exercised"))
        #expect(bench.files.text("out.json")?.contains("coverage") == false)
    }

    /// Each file that is written is a scenario that compiles, of the situations of a kind of step one, and a second time there is nothing new to write.
    @Test func whatWasNotTriedIsWritten() throws {
        let bench = bench()
        let ending = bench.run("explore --runs 2 --jobs 1 --propose untried --report json=out.json")
        let bytes = try #require(bench.files["out.json"])
        let document = try JSONValue(reading: bytes).members("report")
        let open = try document.optionalMembers("coverage")?.list("notTried").count ?? 0
        let names = try bench.files.names(in: "untried").sorted()
        #expect(names.count > 100 && open > 4 * names.count)
        let rest = "further situations of the same kinds of steps: \(open - names.count)"
        #expect(ending.output.hasSuffix("\n\(names.count) new scenarios in untried; \(rest)\n"))
        #expect(names.count { $0.hasPrefix("situations-device-set-key-value-") } == 1)
        for name in names {
            let text = try #require(bench.files.text("untried/\(name)"))
            let compilation = ScenarioCompiler.compile(path: name, files: .memory([name: text]))
            #expect(compilation.diagnostics.isEmpty, "\(name): \(compilation.diagnostics.map(\.message))\n\(text)")
        }
        #expect(bench.run("explore --runs 2 --jobs 1 --propose untried").output.contains("\n0 new scenarios in untried;"))
    }

    @Test(arguments: [80, 120]) func isNoWiderThanTheTerminal(columns: Int) {
        let lines = CoverageReport(SearchCoverage()).lines(style: Style(isColoured: false), columns: columns)
        #expect(lines.allSatisfy { $0.count <= columns }, "\(lines.filter { $0.count > columns })")
        #expect(lines[0] == "What 0 runs exercised")
    }

    @Test func aReportThatWasChangedIsRefused() throws {
        let bench = bench()
        _ = bench.run("explore --runs 1 --jobs 1 --coverage --report json=out.json")
        let text = try #require(bench.files.text("out.json"))
        let changed = text.replacing("\"near\": {", with: "\"near\": {\"zeal\": -1, ")
        try bench.files.write(Data(changed.utf8), to: "bad.json")
        #expect(bench.run("merge bad.json").errors.contains("is negative"))
    }
}
