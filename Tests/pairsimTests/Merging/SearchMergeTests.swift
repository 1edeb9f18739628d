import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

/// `pairsim merge` of what `explore` wrote.
struct SearchMergeTests {
    private func report(_ number: Int, _ found: [FoundFailure], seed: UInt64 = 1, status: PairsimTool.ExitStatus = .passed)
        -> ExplorationReport
    {
        ExplorationReport(
            search: .init(seed: seed, over: ["built-in"], strategies: ["fifo"], steps: 24), runs: 100, failingRuns: found.count, states: 7,
            seconds: 1, found: found, status: status, shard: Shard(number: number, count: 3, origin: "--shard \(number)/3"))
    }

    private func failure(_ invariant: Invariant, run: Int, steps: Int?, detail: String = "", isConfirmed: Bool = true) -> FoundFailure {
        FoundFailure(
            invariant: invariant, detail: detail, explanation: ["what contradicts what"], run: run,
            replay: "pairsim explore --seed 1 --only \(run)",
            small: steps.map {
                .init(text: "# Found.\n# Found by: run \(run)\n\nsettle\n", slug: invariant.rawValue, steps: $0, isConfirmed: isConfirmed)
            })
    }

    private func merged(_ reports: [ExplorationReport], _ options: String = "", files: MemoryFiles = MemoryFiles()) -> (
        Bench.Ending, MemoryFiles
    ) {
        var bench = Bench()
        bench.files = files
        for report in reports { _ = try? files.write(Data(report.json().utf8), to: "out/\(report.shard?.number ?? 0).json") }
        return (bench.run("merge out --report json=all.json --report junit=all.xml \(options)"), files)
    }

    @Test func ofEachFailureTheSmallestIsKept() throws {
        let reports = [
            report(
                1, [failure(.durability, run: 30, steps: 5), failure(.progress, run: 40, steps: nil, detail: "a")], status: .didNotSettle),
            report(2, [failure(.durability, run: 2, steps: 9), failure(.removal, run: 5, steps: 4)], status: .failed),
            report(
                3, [failure(.durability, run: 1, steps: 3, isConfirmed: false), failure(.progress, run: 7, steps: 6, detail: "b")],
                status: .didNotSettle),
        ]
        let (ending, files) = merged(reports)
        #expect(ending.status == .didNotSettle)
        #expect(ending.errors.isEmpty)
        #expect(ending.output.hasSuffix("300 runs, 6 failing runs of 4 kinds: 3 of 3 shards\n"), "\(ending.output)")
        let joined = try ExplorationReport(JSONValue(reading: try #require(files["all.json"])).members("report"))
        #expect(joined.found.map(\.run) == [5, 7, 30, 40])
        #expect(joined.runs == 300 && joined.shard == nil && joined.status == .didNotSettle)
        let xml = try #require(files.text("all.xml"))
        #expect(xml.contains("tests=\"\(Invariant.allCases.count)\" failures=\"4\""))
    }

    @Test func aReportIsReadAsItWasWritten() throws {
        let report = report(2, [failure(.secrecy, run: 3, steps: 5, detail: "x\n\"y\"")], seed: .max, status: .failed)
        let again = try ExplorationReport(JSONValue(reading: Data(report.json().utf8)).members("report"))
        #expect(again.json() == report.json())
        #expect(again.found == report.found && again.search == report.search && again.shard == report.shard)
    }

    @Test func whatWasFoundIsSavedAndReplacesNothing() throws {
        let files = MemoryFiles()
        let reports = [report(1, [failure(.durability, run: 30, steps: 5)], status: .failed), report(2, []), report(3, [])]
        var (ending, _) = merged(reports, "--save found", files: files)
        #expect(ending.status == .failed)
        #expect(ending.output.contains("  saved     found/durability.scenario\n"))
        let text = try #require(files.text("found/durability.scenario"))
        // The same again, met by another run.
        (ending, _) = merged(
            [report(1, [failure(.durability, run: 31, steps: 5)], status: .failed), report(2, []), report(3, [])], "--save found",
            files: files)
        #expect(ending.output.contains("  known     found/durability.scenario\n"))
        #expect(files.text("found/durability.scenario") == text)
        // Somebody's own file of that name.
        try files.write(Data("# Mine.\n".utf8), to: "found/durability.scenario")
        (ending, _) = merged(reports, "--save found", files: files)
        #expect(ending.output.contains("  saved     found/durability-2.scenario\n"))
        #expect(files.text("found/durability.scenario") == "# Mine.\n")
    }

    /// How many runs were held against another build, all shards together.
    @Test func comparisonsAreAddedUp() throws {
        let reports = (1...3).map { number in
            var report = report(number, [])
            var tally = ComparisonTally()
            for comparison: RunComparison? in [.made, .made, .notMade(.late), .notMade(.unknown), nil].prefix(number + 1) {
                tally.add(comparison)
            }
            report.comparisons = tally
            return report
        }
        let (ending, files) = merged(reports)
        #expect(ending.status == .passed && ending.output.contains("300 runs, 6 compared, no failure"), "\(ending.output)\(ending.errors)")
        let text = try #require(files.text("all.json"))
        #expect(
            text.contains("\"made\": 6") && text.contains("\"late\": 2") && text.contains("\"unknown\": 1") && text.contains("\"ended\": 0")
        )
    }

    @Test func whatDoesNotBelongTogether() throws {
        var (ending, _) = merged([report(1, []), report(2, [], seed: 8), report(3, [])])
        #expect(ending.status == .cannotRun)
        #expect(ending.errors == "pairsim: out/2.json is part of another whole than out/1.json: its seed is 8, not 1\n")
        func of(_ content: String, _ number: Int, isOfOwnCode: Bool = false) -> ExplorationReport {
            var search = ExplorationReport.Search(
                seed: 1, over: ["built-in"], strategies: ["fifo"], steps: 24, content: content)
            search.isOfOwnCode = isOfOwnCode
            return ExplorationReport(
                search: search, runs: 1, failingRuns: 0, states: 1, seconds: 1, found: [], status: .passed,
                shard: Shard(number: number, count: 2))
        }
        (ending, _) = merged([of("a1", 1), of("b2", 2)])
        #expect(ending.status == .cannotRun)
        #expect(ending.errors.contains("its digest of what the scenarios say is b2, not a1"), "\(ending.errors)")
        (ending, _) = merged([of("a1", 1), of("a1", 2, isOfOwnCode: true)])
        #expect(ending.status == .cannotRun && ending.errors.contains("its app under test is one without LocalData"), "\(ending.errors)")
        #expect(merged([of("a1", 1), of("a1", 2)]).0.status == .passed)
        var compared = report(2, [])
        compared.comparisons = ComparisonTally()
        (ending, _) = merged([report(1, []), compared, report(3, [])])
        #expect(ending.status == .cannotRun)
        #expect(ending.errors.contains("out/2.json is part of another whole than out/1.json: its comparison with another build is made"))
        (ending, _) = merged([report(1, []), report(2, []), report(3, [])], "--report html=all.html")
        #expect(ending.status == .usage)
        let bench = Bench(["a.scenario": .passing()])
        _ = bench.run("run a.scenario --shard 2/3 --report json=out/run.json")
        try bench.files.write(Data(report(1, []).json().utf8), to: "out/search.json")
        #expect(bench.run("merge out/run.json out/search.json").errors.contains("Some reports are of run and some of explore"))
    }

    /// A search makes its runs in their order: the runs of a shorter one are those of a longer one.
    @Test func runsOfOneSearchCountOnce() throws {
        func whole(_ runs: Int, seed: UInt64 = 1, over: String = "built-in") -> ExplorationReport {
            ExplorationReport(
                search: .init(seed: seed, over: [over], strategies: ["fifo"], steps: 24), runs: runs, failingRuns: 0, states: 7, seconds: 1,
                found: [], status: .passed)
        }
        var bench = Bench()
        bench.files = MemoryFiles()
        for (name, report) in [
            ("a", whole(100)), ("b", whole(50)), ("c", whole(100, seed: 2)), ("d", whole(10, over: "d.scenario")), ("e", whole(1)),
        ] { try bench.files.write(Data(report.json().utf8), to: "\(name).json") }
        var ending = bench.run("merge a.json b.json")
        #expect(ending.status == .cannotRun)
        #expect(ending.errors == "pairsim: b.json is left out: it is of the same search as a.json, so its runs would count twice\n")
        #expect(ending.output == "100 runs, no failure: 1 report\n")
        #expect(bench.run("merge e.json e.json").status == .cannotRun)
        ending = bench.run("merge a.json c.json d.json e.json --report json=all.json")
        #expect(ending.status == .passed, "\(ending.errors)")
        #expect(ending.output == "211 runs, no failure: 4 reports\n")
        let joined = try ExplorationReport(JSONValue(reading: try #require(bench.files["all.json"])).members("report"))
        #expect(joined.search.over == ["built-in", "d.scenario"])
    }

    @Test(arguments: ["../../x", "", ".x", "a b"]) func aNameOfAFileCannotLeadOut(slug: String) throws {
        let text = report(1, [failure(.durability, run: 1, steps: 1)]).json().replacing(
            "\"slug\": \"durability\"", with: "\"slug\": \"\(slug)\"")
        #expect(throws: ReportFault.self) { try ExplorationReport(JSONValue(reading: Data(text.utf8)).members("report")) }
    }
}
