import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

/// Writing scenarios and running them again: `new NAME`, `--failed`, `--until`, `--events`, `--slowest`, the project's file.
struct RerunTests {
    @Test func aNewScenarioPassesAndIsInCanonicalLayout() {
        let bench = Bench.real(["Scenarios/a.scenario": NewScenario.text(title: "A")])
        let ending = bench.run("new late-theme")
        #expect(ending.status == .passed && ending.output.hasPrefix("wrote Scenarios/late-theme.scenario\n"))
        #expect(bench.files.text("Scenarios/late-theme.scenario")?.hasPrefix("# Late theme.\n") == true)
        #expect(bench.run("run Scenarios/late-theme.scenario").status == .passed)
        #expect(bench.run("fmt --check Scenarios/late-theme.scenario").status == .passed)
        let again = bench.run("new late-theme")
        #expect(again.status == .cannotRun && again.errors.contains("is there already"))
        #expect(bench.run("new elsewhere/x.scenario").output.hasPrefix("wrote elsewhere/x.scenario\n"))
        #expect(bench.run(["new", "odd\u{1B}name"]).status == .usage)
        #expect(bench.run("run Scenarios").status == .passed)
    }

    @Test func failedRunsWhatFailedUntilItPasses() throws {
        var bench = Bench.real(["Scenarios/a.scenario": NewScenario.text(title: "A")])
        bench.environment["HOME"] = "/home/somebody"
        bench.folder = "/work"
        #expect(bench.run("run --failed").errors.contains("no scenario failed when it was last run from here"))
        let broken = NewScenario.text(title: "B").replacing("watch theme \"dark\"", with: "watch theme \"light\"")
        try bench.files.write(Data(broken.utf8), to: "Scenarios/b.scenario")
        #expect(bench.run("run").output.contains("1 passed, 1 failed"))
        #expect(bench.run("run --failed").output.contains("0 passed, 1 failed"))
        // A run of something else does not forget it.
        #expect(bench.run("run Scenarios/a.scenario").status == .passed)
        try bench.files.write(Data(NewScenario.text(title: "B").utf8), to: "Scenarios/b.scenario")
        #expect(bench.run("run --failed").output.contains("1 passed, 0 failed"))
        #expect(bench.run("run --failed").status == .nothingSelected)
        // Nothing lies in the project, and another folder knows nothing of it.
        #expect(bench.files.paths.filter { !$0.hasPrefix("Scenarios/") }.allSatisfy { $0.hasPrefix("/home/somebody/.cache/pairsim/") })
    }

    /// A file above the folder may narrow what is run, and nobody sees that file in the command.
    @Test func whatTheProjectsFileLeavesOutIsSaid() throws {
        let bench = Bench.real(["Scenarios/a.scenario": NewScenario.text(title: "A"), "Scenarios/b.scenario": NewScenario.text(title: "B")])
        #expect(!bench.run("run").errors.contains("leaves out"))
        try bench.files.write(Data("filter = /a\n".utf8), to: "pairsim.conf")
        let ending = bench.run("run")
        #expect(ending.output.contains("1 passed, 0 failed"))
        #expect(ending.errors.contains("pairsim.conf leaves out 1 of 2 scenarios by filter"), "\(ending.errors)")
        // What the command itself leaves out nobody needs to be told of.
        #expect(!bench.run("run --filter /b").errors.contains("leaves out"))
    }

    /// What failed under one of several orders is run under that one, and not forgotten for passing under another.
    @Test func whatFailedIsRunAsItFailed() throws {
        var bench = Bench([
            "Scenarios/a.scenario": .passing(),
            "Scenarios/b.scenario": .init(
                title: "Order matters.", rows: ["x", "y"],
                outcome: { row, options in
                    row == "y" && (options.order ?? .firstInFirstOut) != .firstInFirstOut ? .failed(Bench.Script.theme) : .passed
                }),
        ])
        bench.environment["XDG_CACHE_HOME"] = "/cache"
        #expect(bench.run("run --orders 3").output.contains("9 passed, 3 failed"))
        #expect(bench.run("run").status == .passed)
        let again = bench.run("run --failed")
        #expect(again.status == .failed && again.output.contains("0 passed, 3 failed"), "\(again.output)")
        #expect(again.output.hasPrefix("Running 1 scenario: each under the seeds and the orders that it failed under\n"), "\(again.output)")
        #expect(again.output.contains("pairsim run 'Scenarios/b.scenario[2]' --seed 1 --order 1\n"), "\(again.output)")
        // What the command line names is what is run, and says nothing of the run that failed.
        #expect(bench.run("run --failed --order 0").output.contains("0 failed"))
        #expect(bench.run("run --failed --seed 2").output.contains("1 passed, 0 failed"))
        #expect(bench.run("run --failed --orders 2").output.contains("1 passed, 2 failed"))
        bench.scripts["Scenarios/b.scenario"]?.outcome = { _, _ in .passed }
        #expect(bench.run("run --failed").output.contains("3 passed, 0 failed"))
        #expect(bench.run("run --failed").status == .nothingSelected)
    }

    /// Each seed and order of a scenario that failed is run, until it passes.
    @Test func allThatFailedIsRunAgain() throws {
        let failing = { (orders: Set<ReadyOrder>) -> Bench.Script in
            .init(
                title: "Order matters.",
                outcome: { orders.contains($1.order ?? .firstInFirstOut) ? .failed(Bench.Script.theme) : .passed })
        }
        var bench = Bench(["Scenarios/a.scenario": .passing(), "Scenarios/b.scenario": failing([.seeded(1), .seeded(2), .seeded(4)])])
        bench.environment["XDG_CACHE_HOME"] = "/cache"
        #expect(bench.run("run --orders 5").output.contains("9 passed, 3 failed"))
        bench.scripts["Scenarios/b.scenario"] = failing([.seeded(2), .seeded(4)])
        let again = bench.run("run --failed")
        #expect(again.output.contains("1 passed, 2 failed"), "\(again.output)")
        #expect(again.output.hasPrefix("Running 1 scenario: each under the seeds and the orders that it failed under\n"), "\(again.output)")
        #expect(bench.run("run --failed").output.contains("0 passed, 2 failed"))
        bench.scripts["Scenarios/b.scenario"] = failing([.seeded(4)])
        #expect(bench.run("run --failed").output.contains("1 passed, 1 failed"))
        bench.scripts["Scenarios/b.scenario"] = .passing()
        #expect(bench.run("run --failed").output.contains("1 passed, 0 failed"))
        #expect(bench.run("run --failed").status == .nothingSelected)
    }

    @Test func aDamagedMemoryIsNone() throws {
        var bench = Bench.real(["Scenarios/a.scenario": NewScenario.text(title: "A").replacing("\"dark\" within", with: "\"x\" within")])
        bench.environment["XDG_CACHE_HOME"] = "/cache"
        #expect(bench.run("run").status == .failed)
        let path = try #require(bench.files.paths.first { $0.hasPrefix("/cache/pairsim/") })
        try bench.files.write(Data("{".utf8), to: path)
        #expect(bench.run("run --failed").status == .nothingSelected)
        #expect(bench.run("run").status == .failed)
        #expect(bench.run("run --failed").status == .failed)
    }

    @Test func nothingBehindTheLineIsRun() {
        let text = NewScenario.text(title: "A").replacing("watch theme \"dark\"", with: "watch theme \"light\"")
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("\"light\"") } ?? 0
        let bench = Bench.real(["a.scenario": text])
        #expect(bench.run("run a.scenario --until \(line)").status == .passed)
        let ending = bench.run("run a.scenario --until \(line + 1)")
        #expect(ending.status == .failed && ending.output.contains("--until \(line + 1)\n"))
        #expect(bench.run("run a.scenario --until 1").status == .passed)
    }

    /// A run that was not to go to its end says so everywhere, and is no reason to forget that it failed.
    @Test func anEarlyEndIsSaid() throws {
        var bench = Bench.real(["a.scenario": "# A.\n\nwait 1s\nwait 1s\nexpect watch is off\n", "b.scenario": "# B.\n\nwait 1s\n"])
        bench.environment["XDG_CACHE_HOME"] = "/cache"
        #expect(bench.run("run a.scenario b.scenario").status == .failed)
        let reports = ["json", "junit", "tap", "html", "mermaid"].map { " --report \($0)=r.\($0)" }.joined()
        let ending = bench.run("run a.scenario b.scenario --until 3 -v --pictures\(reports)")
        let summary = "2 passed, 0 failed, 1 ended early behind line 3 (2 steps not run)"
        #expect(ending.status == .passed && ending.output.contains(summary))
        #expect(ending.output.contains("a.scenario: ended behind line 3, 2 steps not run"))
        for format in ["tap", "html"] { #expect(bench.files.text("r.\(format)")?.contains("ended behind line 3, 2 steps not run") == true) }
        #expect(bench.files.text("r.mermaid")?.contains("1 ended early behind line 3") == true)
        #expect(bench.files.text("r.json")?.contains("\"stepsNotRun\": 2") == true)
        #expect(bench.files.text("r.json")?.contains("\"endedEarly\": 1,") == true)
        #expect(bench.files.text("r.junit")?.contains("<property name=\"stepsNotRun\" value=\"2\"/>") == true)
        for report in ["json", "junit"] { #expect(bench.run("merge r.\(report)").output.contains(summary)) }
        #expect(bench.run("run --failed").output.contains("0 passed, 1 failed"))
        #expect(bench.run("run a.scenario b.scenario --until 5").output.contains("early") == false)
    }

    /// What a canary is there for is its last step.
    @Test func aCanaryThatIsNotToGoToItsEndIsNone() {
        let bench = Bench.real(["a.scenario": "# A.\n# Canary: 1\n\nwait 1s\nexpect watch is off\n"])
        #expect(bench.run("run a.scenario").output.hasPrefix("1 passed (1 canary), 0 failed ("))
        #expect(bench.run("run a.scenario --until 4").output.hasPrefix("1 passed, 0 failed, 1 ended early behind line 4 (1 step not run)"))
    }

    /// In the output, and in the reports, also those that are joined.
    @Test func aCanaryWithABrokenSetUpFails() {
        let bench = Bench.real(["a.scenario": "# A.\n# Canary: 1\n\nexpect watch is off\nexpect phone is off\n"])
        let ending = bench.run("run a.scenario --report json=r.json")
        let summary = "0 passed, 1 failed"
        let reason = "it failed in line 4, which is its set-up, and a canary must fail at its last step, in line 5"
        #expect(ending.status == .failed && ending.output.contains(summary) && ending.output.contains(reason))
        let joined = bench.run("merge r.json")
        #expect(joined.status == .failed && joined.output.contains(summary) && joined.output.contains(reason))
    }

    @Test func asManyEventsAsOneWants() throws {
        let bench = Bench.real(["a.scenario": NewScenario.text(title: "A").replacing("\"dark\" within", with: "\"x\" within")])
        func events(_ options: String) -> Int {
            let lines = bench.run("run a.scenario \(options)").output.split(separator: "\n")
            return lines.count { $0.hasPrefix("    ") && $0.dropFirst(4).first?.isNumber == true }
        }
        #expect(events("--events 2") == 2)
        #expect(events("--events 0") == 0)
        #expect(events("--events 100000") > events(""))
    }

    /// Also of a folder that has none of the name that is run by default.
    @Test func whatFailedIsFoundByItsName() throws {
        let text = NewScenario.text(title: "A")
        var bench = Bench.real(["own/a.scenario": text.replacing("\"dark\" within", with: "\"x\" within"), "own/b.scenario": text])
        bench.environment["XDG_CACHE_HOME"] = "/cache"
        #expect(bench.run("run own").status == .failed)
        #expect(bench.run("run --failed").output.contains("0 passed, 1 failed"))
    }

    @Test func theSlowestAreNamed() {
        var bench = Bench(["Scenarios/a.scenario": .passing(), "Scenarios/b.scenario": .passing()])
        let ticks = Bench.Counter()
        bench.seconds = { Double(ticks.next()) }
        let output = bench.run("run --slowest 1 --jobs 1").output
        #expect(output.contains("Slowest\n") && output.contains(" ms  Scenarios/"))
        #expect(output.split(separator: "\n").count { $0.contains(" ms  ") } == 1)
    }

    // MARK: The project's file

    @Test func theProjectHasItsDefaults() throws {
        let bench = Bench([
            "tests/a.scenario": .passing(tags: ["fast"]), "tests/b.scenario": .passing(tags: ["slow"]), "c.scenario": .passing(),
        ])
        try bench.files.write(Data("# defaults\npaths = tests\nskip-tag = slow\nseeds = 2 # each\n".utf8), to: "pairsim.conf")
        #expect(bench.run("run").output.contains("2 passed"))
        #expect(bench.run("run --seeds 3").output.contains("3 passed"))
        #expect(bench.run("run c.scenario").output.contains("2 passed"))
        #expect(bench.run("list").output.contains("1 scenario in 1 folder"))
        #expect(bench.run("check").output.contains("2 files checked"))
    }

    @Test func aFolderBelowHasThemToo() throws {
        var bench = Bench(["../tests/a.scenario": .passing()])
        bench.folder = "/project/below"
        try bench.files.write(Data("paths = tests\r\nreport = json=out.json\n".utf8), to: "../pairsim.conf")
        #expect(bench.run("run").output.contains("1 passed"))
        #expect(bench.files.text("../out.json") != nil)
    }

    @Test(
        arguments: [
            ("sedes = 3", "there is no entry \"sedes\"", "seeds"), ("seeds 3", "an entry is a name, = and a value", nil),
            ("seeds =", "an entry is", nil),
            ("seeds = many", "--seeds needs a whole number", nil), ("report = jnit=x", "--report knows the formats", "--report junit=x"),
            ("seeds = 1 # first\nseeds = 2", "seeds is there already", nil),
            ("fail-fast = yes", "fail-fast is true or false", nil), ("roots = /tmp", "there is no entry \"roots\"", nil),
            ("paths = Scenarios nosuch", "there is no file or folder nosuch", nil),
        ] as [(String, String, String?)])
    func aWrongEntryIsAnError(_ text: String, _ message: String, _ suggestion: String?) throws {
        let bench = Bench(["Scenarios/a.scenario": .passing()])
        try bench.files.write(Data("# one\n\(text)\n".utf8), to: "pairsim.conf")
        let ending = bench.run("run")
        #expect(
            ending.status == .usage && ending.errors.contains("pairsim.conf:\(text.contains("\n") ? 3 : 2): \(message)"), "\(ending.errors)"
        )
        if let suggestion { #expect(ending.errors.contains("Did you mean: \(suggestion)\n"), "\(ending.errors)") }
        // Help is given all the same.
        #expect(bench.run("run --help").status == .passed)
    }

    /// The command that replays a failure makes that run and no other, whatever the project and the job of CI have set.
    @Test func aReplayIsOfThatRunAlone() throws {
        let bench = Bench(["Scenarios/a.scenario": .failing()])
        try bench.files.write(Data("seeds = 2\norders = 1\n".utf8), to: "pairsim.conf")
        let plain = bench.run("run")
        #expect(plain.output.contains("run Scenarios/a.scenario --seed 1 --seeds 1 --order 0\n"), "\(plain.output)")
        let shard = bench.run("run --shard 1/2")
        #expect(shard.output.contains(" --seeds 1 --order 0 --shard 1/1\n"), "\(shard.output)")
        #expect(bench.run("run Scenarios/a.scenario --seed 1 --seeds 1 --order 0 --shard 1/1").output.contains("0 passed, 1 failed"))
    }

    /// As editors of Windows write it.
    @Test func aMarkOfTheByteOrderIsPassedOver() throws {
        let bench = Bench(["tests/a.scenario": .passing()])
        try bench.files.write(Data("\u{FEFF}paths = tests\r\nseeds = 2\r\n".utf8), to: "pairsim.conf")
        let ending = bench.run("run")
        #expect(ending.status == .passed && ending.output.contains("2 passed"), "\(ending.errors)")
    }

    @Test func whatIsNoFileOfDefaultsIsAnError() throws {
        let bench = Bench(["Scenarios/a.scenario": .passing(), "pairsim.conf/x": .passing()])
        let ending = bench.run("run")
        #expect(ending.status == .usage && ending.errors.contains("cannot read pairsim.conf: it is a folder"), "\(ending.errors)")
        // Commands that it is not for do not mind.
        #expect(bench.run("explain link").status == .passed)
    }

    @Test func theCommandLineGoesBefore() throws {
        let bench = Bench(["Scenarios/a.scenario": .passing()])
        try bench.files.write(Data("orders = 4\nverbose = true\nfail-fast = false\nreport = json=-\n".utf8), to: "pairsim.conf")
        let ending = bench.run("run --order 2 --quiet --json")
        #expect(ending.status == .passed && ending.output.contains("\"order\": 2"), "\(ending.output) \(ending.errors)")
    }
}
