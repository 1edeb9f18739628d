import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

/// `pairsim explore --exhaustive` with the real simulation.
struct ExhaustiveCommandTests {
    private static let theme = """
        # A theme travels.

        key theme: String
            sync      automaticSmall

        phone set theme "dark"
        settle

        """

    private func bench(_ text: String = theme, _ search: RunOptions = RunOptions()) -> Bench {
        var bench = Bench()
        bench.files = MemoryFiles(["theme.scenario"])
        var engine = ScenarioEngine.deviceSim(files: .memory(["theme.scenario": text]))
        engine.search = search
        bench.realEngine = engine
        return bench
    }

    /// The same count and the same report, however many threads there are.
    @Test func everyCrashPointIsTriedAndCounted() throws {
        let endings = [1, 3].map { jobs in
            let bench = bench()
            let ending = bench.run("explore --exhaustive theme.scenario --jobs \(jobs) --report json=out.json")
            return (ending, bench.files.text("out.json"))
        }
        #expect(endings[0].0.status == .passed, "\(endings[0].0.errors)")
        #expect(endings[0].0.output == endings[1].0.output)
        #expect(endings[0].1 == endings[1].1)
        let output = endings[0].0.output
        #expect(output.hasPrefix("Exploring every order and crash point of theme.scenario: 2 steps, seed 1\nin the plain order "))
        #expect(output.contains("exhaustive: every order with every crash point, and without\n"))
        #expect(!output.contains("not exhaustive"))
        let report = try JSONValue(reading: Data(try #require(endings[0].1).utf8)).members("report")
        let counts = try report.list("exhaustive")
        let count = try #require(counts.first).members("exhaustive")
        #expect(try count.flag("complete"))
        #expect(try count.count("tried") == count.count("crashPoints"))
        #expect(try count.count("orders") > count.count("crashPoints"))
    }

    /// What programs read says it as well, and what is made of several reports.
    @Test func whatWasNotExhaustiveStaysSoInEveryReport() throws {
        let bench = bench()
        _ = bench.run("explore --exhaustive theme.scenario --runs 40 --report json=cut.json --report junit=cut.xml")
        let ending = bench.run("explore --exhaustive theme.scenario --report json=whole.json --report junit=whole.xml")
        #expect(ending.status == .passed, "\(ending.errors)")
        let (cut, whole) = (try #require(bench.files.text("cut.xml")), try #require(bench.files.text("whole.xml")))
        #expect(cut.contains("skipped=\"1\""))
        #expect(cut.contains("<skipped message=\"not exhaustive: "), "\(cut)")
        #expect(whole.contains("skipped=\"0\"") && !whole.contains("<skipped"))
        #expect(whole.contains("name=\"every order and crash point of theme.scenario\""))
        for (name, verdict) in [("cut", "not exhaustive: "), ("whole", "exhaustive: every order")] {
            let report = try ExplorationReport(JSONValue(reading: try #require(bench.files["\(name).json"])).members("report"))
            #expect(report.search.strategies.isEmpty && report.search.steps == 5)
            #expect(Data(report.json().utf8) == bench.files["\(name).json"])
            let merged = bench.run("merge \(name).json --report json=again.json --report junit=again.xml")
            #expect(merged.status == .passed, "\(merged.errors)")
            #expect(merged.output.contains("\n\(verdict)"), "\(merged.output)")
            #expect(bench.files["again.json"] == bench.files["\(name).json"])
        }
    }

    @Test func aBoundThatCutsItShortIsSaid() throws {
        let text = Self.theme.replacing(
            "phone set theme \"dark\"", with: "together\n    phone set theme \"dark\"\n    watch set theme \"light\"")
        for runs in [40, 200] {
            let bench = bench(text)
            let ending = bench.run("explore --exhaustive theme.scenario --runs \(runs) --jobs 2 --report json=out.json")
            #expect(ending.status == .passed)
            #expect(ending.output.contains("\nnot exhaustive: "), "\(ending.output)")
            let report = try ExplorationReport(JSONValue(reading: try #require(bench.files["out.json"])).members("report"))
            #expect(report.runs <= runs, "\(ending.output)")
        }
    }

    @Test func aLongScenarioIsLeftOut() {
        let steps = (0..<6).map { "phone set theme \"\($0)\"\n" }.joined()
        let ending = bench(Self.theme.replacing("settle\n", with: steps)).run("explore --exhaustive theme.scenario")
        #expect(ending.status == .nothingSelected)
        #expect(
            ending.output
                == "theme.scenario: left out: 7 steps are more than the 5 of a small world; make the scenario shorter, or raise the limit with --steps 7\n"
        )
    }

    @Test(arguments: ["--strategy pct", "--own-keys", "--recheck 3", "--only 2", "--resume state.json", "--shard 1/2"])
    func whatDrawsDoesNotGoWithIt(option: String) {
        let ending = bench().run("explore --exhaustive theme.scenario \(option)")
        #expect(ending.status == .usage)
        #expect(ending.errors.contains("--exhaustive draws nothing"), "\(ending.errors)")
    }

    /// What a file expects is not what a search holds, and a job that was to do a part does everything: both are said.
    @Test func whatIsNotDoneIsSaid() {
        var bench = bench(Self.theme + "expect watch theme \"dark\"\n")
        bench.environment = ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2"]
        let ending = bench.run("explore --exhaustive theme.scenario --runs 40")
        #expect(ending.status == .passed)
        #expect(ending.output.contains("theme.scenario: what it expects is passed over"), "\(ending.output)")
        #expect(ending.errors.contains("CI_NODE_INDEX=2, CI_NODE_TOTAL=2: --exhaustive is not divided into shards"), "\(ending.errors)")
        let plain = self.bench().run("explore --exhaustive theme.scenario --runs 40")
        #expect(!plain.output.contains("passed over") && plain.errors.isEmpty, "\(plain.errors)")
    }

    /// A job of Kubernetes knows its number and not of how many.
    @Test func whatTheEnvironmentSaysOfShardsIsNoMistake() {
        var bench = bench()
        bench.environment = ["JOB_COMPLETION_INDEX": "1"]
        #expect(bench.run("explore --exhaustive theme.scenario --runs 40").status == .passed)
        #expect(bench.run("explore theme.scenario --runs 2").status == .usage)
    }

    @Test func aPowerLossIsForSmallWorlds() {
        #expect(bench().run("explore theme.scenario --power-loss").status == .usage)
        #expect(bench().run("explore --exhaustive").status == .nothingSelected)
    }

    /// Devices without random numbers cannot seal anything: told as in any search, and written as a scenario.
    @Test func aFailureIsToldAsInTheOtherSearches() throws {
        var options = RunOptions()
        options.adaptEnvironment = { _, environment in
            var changed = environment
            changed.entropy = NoEntropy()
            return changed
        }
        let bench = bench(Self.theme.replacing("    sync", with: "    domain    encryptedFileSystem documents\n    sync"), options)
        let ending = bench.run("explore --exhaustive theme.scenario --runs 60 --save found")
        #expect(ending.status == .failed)
        #expect(ending.output.contains("replay    pairsim explore --exhaustive theme.scenario --seed 1 --runs 60"), "\(ending.output)")
        #expect(bench.files.paths.contains { $0.hasPrefix("found/") })
    }

    /// Where a device runs an app of the catalogue, who is to be asked is said at the beginning and with what was found, as in a search that draws.
    @Test(arguments: ["--runs 20", "--exhaustive --runs 60"]) func anAppOfTheCatalogueIsNamed(options: String) throws {
        let text = Self.theme.replacing("phone set", with: "start watch with app resends-its-context\n\nphone set")
        let bench = bench(text)
        let ending = bench.run("explore theme.scenario \(options) --jobs 1 --report json=out.json")
        #expect(ending.status == .failed, "\(ending.output)")
        let sentence = "the watch runs the app `resends-its-context`, whose own code decides"
        #expect(ending.output.split(separator: "\n").count { $0.contains(sentence) } >= 2, "\(ending.output)")
        #expect(bench.files.text("out.json")?.contains(sentence) == true)
    }

    /// Making a failure small may take minutes. Interrupted, the failure is reported as it was met.
    @Test func aFailureIsNotMadeSmallToTheEnd() throws {
        let end = DispatchSemaphore(value: 0)
        defer { for _ in 0..<100 { end.signal() } }
        var options = RunOptions()
        let interruption = Interruption()
        let caller = ObjectIdentifier(Thread.current)
        options.adaptEnvironment = { _, environment in
            // Where no run is given up, the first are made on the calling thread, and those that make what they found small are not.
            if ObjectIdentifier(Thread.current) != caller {
                interruption.request()
                end.wait()
            }
            var changed = environment
            changed.entropy = NoEntropy()
            return changed
        }
        var bench = bench(Self.theme.replacing("    sync", with: "    domain    encryptedFileSystem documents\n    sync"), options)
        bench.interruption = interruption
        let ending = bench.run("explore --exhaustive theme.scenario --runs 6 --jobs 1 --stuck-after 0s --report json=out.json")
        #expect(ending.status == .interrupted, "\(ending.output)")
        #expect(ending.output.contains("  replay    pairsim explore --exhaustive theme.scenario "), "\(ending.output)")
        let report = try ExplorationReport(JSONValue(reading: try #require(bench.files["out.json"])).members("report"))
        #expect(report.found.count >= 1 && report.found.allSatisfy { $0.small == nil })
    }
}
