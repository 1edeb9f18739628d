import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

/// `pairsim explore` with the real simulation, few runs, and a mistake that every run meets.
struct ExploreCommandTests {
    private static let theme = """
        # A theme travels.

        key theme: String
            sync      automaticSmall

        phone set theme "dark"
        settle

        """

    private func bench(_ search: RunOptions = RunOptions()) -> Bench {
        var bench = Bench()
        bench.files = MemoryFiles(["theme.scenario"])
        var engine = ScenarioEngine.deviceSim(files: .memory(["theme.scenario": Self.theme]))
        engine.search = search
        bench.realEngine = engine
        return bench
    }

    /// Devices that have no random numbers, so that nothing can be sealed.
    private var withoutEntropy: RunOptions {
        var options = RunOptions()
        options.adaptEnvironment = { _, environment in
            var changed = environment
            changed.entropy = NoEntropy()
            return changed
        }
        return options
    }

    /// What one run is made of is a scenario file, whatever else is said of it.
    @Test(arguments: ["explore theme.scenario --only 3", "explore --only 3"]) func aRunIsPrintedAsAFile(_ command: String) {
        let ending = bench().run(command)
        #expect(ending.status == .passed && ending.output.contains("\n# every promise was kept\n"), "\(ending.output)")
        let compilation = ScenarioCompiler.compile(path: "x.scenario", files: .memory(["x.scenario": ending.output]))
        #expect(compilation.diagnostics.isEmpty, "\(ScenarioDiagnostic.rendered(compilation.diagnostics))")
    }

    /// What a scenario says cannot be known where it cannot be run.
    @Test func aScenarioThatCannotBeRunIsNoSuccess() {
        let keys = ["a", "b", "c"].map { "key \($0): String\n    domain fileSystem documents\n    security none\n" }.joined()
        let sweeps = ["a", "b", "c"].map { "phone set \($0) \"x\" crashes at every operation\nphone launch\n" }.joined()
        let bench = Bench.real(["sweep.scenario": "# Sweeps.\n\n" + keys + "\n" + sweeps + sweeps])
        let ending = bench.run("explore sweep.scenario --runs 1 --jobs 1")
        #expect(ending.status == .cannotRun, "\(ending.output)")
        #expect(ending.errors.contains("sweep.scenario cannot be run: this scenario takes about "), "\(ending.errors)")
        #expect(ending.output.hasSuffix(", no failure in what could be run\n"), "\(ending.output)")
        #expect(bench.run("explore sweep.scenario --only 0").status == .cannotRun)
    }

    @Test func nothingFound() throws {
        let bench = bench()
        let ending = bench.run("explore theme.scenario --runs 4 --jobs 1 --report json=out.json --report junit=out.xml")
        #expect(ending.status == .passed)
        #expect(ending.output.hasPrefix("Exploring theme.scenario: 4 runs, seed 1, strategies fifo, random, pct\n"))
        let report = try ExplorationReport(JSONValue(reading: try #require(bench.files["out.json"])).members("report"))
        #expect(report.runs == 4 && report.found.isEmpty && report.status == .passed && report.search.over == ["theme.scenario"])
        #expect(bench.files.text("out.xml")?.contains("tests=\"\(Invariant.allCases.count - 1)\" failures=\"0\" errors=\"0\"") == true)
    }

    /// What chooses among files says so where there are none.
    @Test func aFilterWithoutFilesLeavesNothingOut() {
        let (without, with) = (bench().run("explore --runs 1 --filter zzz"), bench().run("explore --runs 1"))
        #expect(without.status == .passed && without.errors == "pairsim: no file is named, so --filter leaves nothing out\n")
        #expect(with.errors.isEmpty)
    }

    /// A catalog that LocalData refuses is no failure, and the search says it at once.
    @Test(arguments: [true, false]) func aRefusedCatalogIsNamed(isAlone: Bool) {
        let refused = "key draft: String\n    domain    encryptedFileSystem documents\n    security  none\n"
        let text = Self.theme.replacing("key theme", with: refused + "key theme")
        var bench = Bench()
        bench.files = MemoryFiles(["theme.scenario", "other.scenario"])
        bench.realEngine = .deviceSim(files: .memory(["theme.scenario": text, "other.scenario": Self.theme]))
        let ending = bench.run("explore theme.scenario\(isAlone ? "" : " other.scenario") --seed 1 --runs 1 --jobs 1")
        let sentence =
            isAlone
            ? "LocalData refuses the catalog 'Scenario' of version 1.0, so its keys need not sync, nor what else takes a registered catalog: "
                + "'draft' cannot be stored: the encryptedFileSystem domain needs an encryption policy"
            : "1 of them has a catalog that LocalData refuses to register; a search over one file says why"
        #expect(ending.output.split(separator: "\n").dropFirst().first.map(String.init) == sentence)
    }

    /// "No failure" does not say more than was looked at, in what is printed and in the report.
    @Test(arguments: [true, false]) func whatIsNotCheckedIsSaidBesideTheResult(isAlone: Bool) throws {
        let old = "key old: String\n    security  none\nkey new: String\n    security  none\n    migrates  from old\n"
        let text = Self.theme.replacing("key theme", with: old + "key theme")
        var bench = Bench()
        bench.files = MemoryFiles(["theme.scenario", "other.scenario", "third.scenario"])
        bench.realEngine = .deviceSim(
            files: .memory(["theme.scenario": text, "other.scenario": Self.theme, "third.scenario": text]))
        let files = isAlone ? "theme.scenario" : "theme.scenario other.scenario third.scenario"
        let ending = bench.run("explore \(files) --runs 3 --jobs 1 --report json=out.json")
        #expect(ending.status == .passed)
        #expect(ending.output.contains("what new, old hold is not checked: what a migration brings") == isAlone, "\(ending.output)")
        let end = isAlone ? "it was not checked what new and old hold" : "in 2 scenarios it was not checked of some keys what they hold"
        #expect(ending.output.hasSuffix(", no failure; \(end)\n"), "\(ending.output)")
        let report = try ExplorationReport(JSONValue(reading: try #require(bench.files["out.json"])).members("report"))
        #expect(report.unchecked["theme.scenario"] == ["new", "old"] && report.unchecked["other.scenario"] == nil)
        #expect(bench.run("merge out.json").output == "3 runs, no failure: 1 report; \(end)\n")
        #expect(self.bench().run("explore theme.scenario --runs 1 --jobs 1").output.hasSuffix(", no failure\n"))
    }

    /// What such an app does not do is said of it, by its name, and not of LocalData.
    @Test(arguments: [
        ("devices", "The phone and the watch run the app `resends-its-context`"), ("watch", "The watch runs the app `resends-its-context`"),
    ])
    func anAppOfTheCatalogueIsNamed(who: String, sentence: String) throws {
        let text = Self.theme.replacing("phone set", with: "start \(who) with app resends-its-context\n\nphone set")
        var bench = Bench()
        bench.files = MemoryFiles(["theme.scenario"])
        bench.realEngine = .deviceSim(files: .memory(["theme.scenario": text]))
        let ending = bench.run("explore theme.scenario --runs 8 --jobs 1 --save found --report json=out.json")
        let spoken = sentence.prefix(1).lowercased() + sentence.dropFirst()
        #expect(ending.status == .failed)
        // At the beginning, and with what was found.
        #expect(ending.output.split(separator: "\n").count { $0.contains(spoken) } >= 2)
        let saved = try #require(bench.files.paths.first { $0.hasPrefix("found/") })
        #expect(bench.files.text(saved)?.contains("# \(sentence), whose own code decides") == true)
        #expect(bench.files.text("out.json")?.contains(spoken) == true)
        #expect(!self.bench().run("explore theme.scenario --runs 1 --jobs 1").output.contains("own code"))
    }

    /// An app that applies nothing: the devices never agree, and what they hold is told.
    @Test func whatIsFoundTellsNoSecret() throws {
        let text = """
            # A secret travels.

            key pin: Int
                domain    keychain
                security  keychain afterFirstUnlock
                sync      automaticSmall

            start devices with app resends-its-context

            phone set pin 847261
            settle

            """
        var bench = Bench()
        bench.files = MemoryFiles(["pin.scenario"])
        bench.realEngine = ScenarioEngine.deviceSim(files: .memory(["pin.scenario": text]))
        let ending = bench.run("explore pin.scenario --runs 60 --seed 6 --jobs 1 --report json=out.json")
        #expect(ending.status == .failed, "\(ending.output)")
        #expect(ending.output.contains("the phone holds (secret "), "\(ending.output)")
        #expect(bench.files.text("out.json")?.contains("(secret 1)") == true)
    }

    @Test func whatIsFoundIsReportedAndSaved() throws {
        let bench = bench(withoutEntropy)
        let ending = bench.run("explore theme.scenario --runs 3 --jobs 1 --save found --report json=out.json --report junit=out.xml")
        #expect(ending.status == .failed, "\(ending.output)")
        let report = try ExplorationReport(JSONValue(reading: try #require(bench.files["out.json"])).members("report"))
        // The file itself fails, which is told by itself.
        let written = try #require(report.found.first)
        #expect(written.invariant == .expectation && written.small == nil && written.run == 0)
        #expect(ending.output.contains("  replay    pairsim run theme.scenario\n"))
        let failure = try #require(report.found.dropFirst().first)
        #expect(ending.output.contains("  replay    pairsim explore theme.scenario --seed 1 --only \(failure.run)\n"))
        let small = try #require(failure.small)
        #expect(bench.files.text("found/\(small.slug).scenario") == small.text)
        #expect(bench.files.text("out.xml")?.contains("<failure message=") == true)
        // One run again, whichever shard this is.
        var elsewhere = bench
        elsewhere.environment = ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2"]
        let again = elsewhere.run("explore theme.scenario --seed 1 --only \(failure.run) --save found")
        #expect(again.status == ending.status)
        #expect(again.output.contains("  known     found/\(small.slug).scenario\n"), "\(again.output)")
        #expect(!again.output.contains("Shard"))
    }

    @Test func onGitHubAFailureIsMarkedAtItsFile() {
        var bench = bench(withoutEntropy)
        bench.environment["GITHUB_ACTIONS"] = "true"
        let ending = bench.run("explore theme.scenario --runs 3 --save found")
        #expect(
            ending.output.contains("\n::error file=found/explanation-theme.scenario,title=pairsim explore%3A explanation::"),
            "\(ending.output)")
    }

    /// However often it is stopped: what it says at the end is what one that nobody stopped says.
    @Test func aSearchThatWasStoppedGoesOn() throws {
        let bench = bench(withoutEntropy)
        let whole = bench.run("explore theme.scenario --runs 7 --jobs 1 --report json=whole.json")
        for runs in [2, 2, 5, 7] {
            let ending = bench.run("explore theme.scenario --runs \(runs) --jobs 1 --resume progress.json --report json=parts.json")
            #expect(ending.status == whole.status && ending.errors.isEmpty, "\(ending.errors)")
        }
        #expect(bench.files.text("parts.json") == bench.files.text("whole.json"))
        #expect(bench.files.text("progress.json") == bench.files.text("whole.json"))
        let again = bench.run("explore theme.scenario --runs 7 --resume progress.json")
        #expect(again.output.contains("Going on after 7 runs\n"), "\(again.output)")
    }

    @Test(arguments: [
        ("--seed 2", "it is of another search"), ("--steps 3", "it is of another search"), ("--shard 1/2", "it is of the whole search"),
    ]) func progressOfAnotherSearchIsRefused(options: String, reason: String) throws {
        let bench = bench()
        #expect(bench.run("explore theme.scenario --runs 2 --resume progress.json").status == .passed)
        let before = bench.files.text("progress.json")
        let ending = bench.run("explore theme.scenario --runs 2 --resume progress.json \(options)")
        #expect(ending.status == .cannotRun && ending.errors.contains(reason), "\(ending.errors)")
        #expect(bench.files.text("progress.json") == before)
    }

    /// What one build of the program tried says nothing of another one: be it that it found nothing, or something that is mended.
    @Test func anotherBuildOfTheProgramBeginsAnew() {
        var bench = bench(withoutEntropy)
        bench.build = "before"
        let before = bench.run("explore theme.scenario --runs 3 --jobs 1 --resume progress.json")
        #expect(bench.run("explore theme.scenario --runs 3 --jobs 1 --resume progress.json").output.contains("Going on after 3 runs\n"))
        bench.build = "after"
        let after = bench.run("explore theme.scenario --runs 3 --jobs 1 --resume progress.json --report json=out.json")
        #expect(after.errors == "pairsim: progress.json is of another build of this program, so the search begins anew\n")
        #expect(after.status == before.status && after.output == before.output)
        #expect(bench.files.text("progress.json")?.contains("\"program\": \"after\"") == true)
        #expect(bench.files.text("out.json")?.contains("program") == false, "a report is the same whoever built the program")
    }

    /// A search that had no time for a single run has shown nothing.
    @Test func noRunIsNoSuccess() {
        var bench = bench()
        let calls = Bench.Counter()
        bench.seconds = { Double(calls.next()) }
        let ending = bench.run("explore theme.scenario --for 1ms --jobs 1 --report junit=out.xml")
        #expect(ending.status == .cannotRun && ending.errors.contains("no run was made"), "\(ending.errors)")
        #expect(
            bench.files.text("out.xml")?.contains("skipped=\"\(Invariant.allCases.count - 1)\"") == true,
            "\(bench.files.text("out.xml") ?? "")")
    }

    /// Its runs were of other scenarios, though they have the same names.
    @Test func progressOfWhatTheFilesSaidBeforeIsRefused() throws {
        let bench = bench()
        #expect(bench.run("explore theme.scenario --runs 2 --resume progress.json").status == .passed)
        var changed = bench
        changed.realEngine = .deviceSim(files: .memory(["theme.scenario": Self.theme.replacing("dark", with: "light")]))
        let ending = changed.run("explore theme.scenario --runs 4 --resume progress.json")
        #expect(ending.status == .cannotRun && ending.errors.contains("it is of another search"), "\(ending.errors)")
    }

    /// A search of hours is not begun where what it finds has nowhere to go.
    @Test(arguments: [
        ("--resume locked/p.json", "--resume locked/p.json: locked: permission denied"),
        ("--save locked/found", "--save locked/found: permission denied"),
        ("--save theme.scenario", "--save theme.scenario: not a directory"),
    ])
    func whatCannotBeKeptIsSaidBefore(options: String, complaint: String) {
        var bench = bench()
        bench.files = MemoryFiles(["theme.scenario"], unwritable: ["locked"])
        let ending = bench.run("explore theme.scenario --runs 2 \(options)")
        #expect(ending.status == .cannotRun && ending.output.isEmpty, "\(ending.output)")
        #expect(ending.errors.hasPrefix("pairsim: cannot write \(complaint)"), "\(ending.errors)")
    }

    @Test func aDeviceIsNoProgress() {
        var bench = bench()
        bench.realFiles = RealFiles()
        let ending = bench.run("explore --runs 2 --resume /dev/full")
        #expect(ending.status == .cannotRun && ending.output.isEmpty)
        #expect(
            ending.errors == "pairsim: cannot read /dev/full: it is not a regular file; give --resume another file\n", "\(ending.errors)")
        // No file can be made there, whoever asks.
        let refused = bench.run("explore --runs 2 --resume /proc/x/p.json")
        #expect(refused.status == .cannotRun && refused.output.isEmpty && refused.errors.hasPrefix("pairsim: cannot write "))
    }

    /// What is printed may be kept by a system that runs jobs.
    @Test func theValuesOfSecretsAreShownToNobodyElse() {
        let text = "key token: String\n    domain  keychain\n\nphone set token \"hunter2-secret\"\nexpect phone token \"hunter2-secret\"\n"
        for isPersonal in [false, true] {
            var bench = Bench.real(["a.scenario": text])
            bench.columns = isPersonal ? 80 : nil
            let ending = bench.run("explore a.scenario --only 0")
            #expect(ending.status == .passed && ending.output.contains("phone set token \""), "\(ending.output)")
            #expect((ending.output + ending.errors).contains("hunter2") == isPersonal, "\(ending.output)")
        }
    }

    /// However both are named, and whether the file is there or not.
    @Test(arguments: ["p.json", "./p.json", "x/../p.json", "link.json"], [true, false])
    func aReportIsNotTheProgress(report: String, isThere: Bool) throws {
        var bench = bench()
        let files = MemoryFiles([], links: ["link.json": "p.json"])
        try files.write(try #require(bench.files["theme.scenario"]), to: "theme.scenario")
        bench.files = files
        if isThere { _ = bench.run("explore theme.scenario --runs 2 --resume p.json") }
        let before = files["p.json"]
        let ending = bench.run("explore theme.scenario --runs 2 --resume p.json --report json=\(report)")
        #expect(ending.status == .usage && ending.errors.contains("would write the same file"), "\(ending.errors)")
        #expect(files["p.json"] == before && (before != nil) == isThere)
    }

    @Test(arguments: ["", "{}", "[1", "{\"format\":\"pairsim-report\"}"]) func whatIsNoProgressIsRefused(text: String) throws {
        let bench = bench()
        try bench.files.write(Data(text.utf8), to: "progress.json")
        let ending = bench.run("explore theme.scenario --runs 2 --resume progress.json")
        #expect(ending.status == .cannotRun && ending.errors.contains("progress.json: "), "\(ending.errors)")
        #expect(bench.files.text("progress.json") == text)
    }

    @Test func theShardsOfASearchMakeTheRunsOfTheWhole() throws {
        let bench = bench(withoutEntropy)
        let whole = bench.run("explore theme.scenario --runs 7 --jobs 1 --report json=whole.json")
        for number in 1...3 {
            let ending = bench.run("explore theme.scenario --runs 7 --jobs 1 --shard \(number)/3 --report json=parts/\(number).json")
            #expect(ending.output.hasPrefix("Shard \(number) of 3 (--shard \(number)/3): "))
            #expect(ending.output.contains(": 2 of 7 runs\nExploring ") || ending.output.contains(": 3 of 7 runs\nExploring "))
        }
        let merged = bench.run("merge parts --report json=merged.json")
        #expect(merged.status == whole.status)
        let reports = try ["whole.json", "merged.json"].map { path throws in
            try ExplorationReport(JSONValue(reading: try #require(bench.files[path])).members("report"))
        }
        #expect(reports[0].runs == reports[1].runs && reports[0].failingRuns == reports[1].failingRuns)
        #expect(reports[0].states > 1 && reports[0].states == reports[1].states && reports[0].seen == reports[1].seen)
        #expect(Set(reports[0].found.map(\.signature)) == Set(reports[1].found.map(\.signature)))
    }
}
