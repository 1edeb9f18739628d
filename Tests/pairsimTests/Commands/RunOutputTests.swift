import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import PairsimTool

/// What people read of a run, word for word.
struct RunOutputTests {
    @Test func passing() {
        let ending = Bench(["Scenarios/a.scenario": .passing(), "Scenarios/sync/b.scenario": .passing()]).run("run")
        #expect(ending.status == .passed)
        #expect(ending.output == "2 passed, 0 failed (0.00 s)\n")
        #expect(ending.errors.isEmpty)
    }

    @Test func failing() {
        let bench = Bench(["Scenarios/a.scenario": .passing(), "Scenarios/sync/theme.scenario": .failing()])
        let ending = bench.run("run")
        #expect(ending.status == .failed)
        #expect(ending.errors.isEmpty)
        Golden.check(ending.output, "run-failing.txt")
    }

    /// Who reads a long log begins at its end.
    @Test func manyFailuresAreSummedUpByKind() {
        func fails(_ message: String, _ canary: Int? = nil) -> Bench.Script {
            .init(title: "Fails.", canary: canary, outcome: { _, _ in .failed(ScenarioFailure(message: message)) })
        }
        var files = [
            "Scenarios/a.scenario": fails("the phone's key 'a' lies nowhere"),
            "Scenarios/b.scenario": fails("the phone's key 'b' lies nowhere"),
            "Scenarios/c.scenario": fails("failed with locked: try again after the unlock"),
            "Scenarios/d.scenario": fails("failed with locked: wait"), "Scenarios/e.scenario": fails("the phone's key 'e' lies nowhere"),
            "Scenarios/f.scenario": fails("no theme", 6), "Scenarios/g.scenario": .passing(),
        ]
        Golden.check(Bench(files).run("run").output, "run-many-failures.txt")
        files["Scenarios/c.scenario"] = .passing()
        files["Scenarios/d.scenario"] = .passing()
        #expect(!Bench(files).run("run").output.contains("by kind"))
    }

    @Test func failingInColour() {
        let ending = Bench(["Scenarios/sync/theme.scenario": .failing()]).run("run --color always")
        Golden.check(ending.output, "run-failing-colour.txt")
    }

    @Test func unparsable() {
        let problems = [
            FileProblem(
                path: "Scenarios/bad.scenario", line: 3, column: 7, message: "unknown word `loock`",
                text: "Scenarios/bad.scenario:3:7: error: unknown word `loock`\n    phone loock\n          ^^^^^\n    did you mean `lock`?"),
            FileProblem(path: "Scenarios/bad.scenario", line: 9, column: 1, message: "no value"),
        ]
        let bench = Bench(["Scenarios/bad.scenario": .init(problems: problems), "Scenarios/good.scenario": .passing()])
        let ending = bench.run("run")
        #expect(ending.status == .unparsable)
        Golden.check(ending.output, "run-unparsable.txt")
        let check = bench.run("check")
        #expect(check.status == .unparsable)
        Golden.check(check.output, "check-unparsable.txt")
        #expect(bench.run("check Scenarios/good.scenario").output == "1 file checked, 1 scenario, no problems\n")
        #expect(bench.run("check -q Scenarios/good.scenario").output.isEmpty)
    }

    @Test func canaries() {
        let bench = Bench([
            "Scenarios/canary/fails.scenario": .init(title: "Fails.", canary: 1, outcome: { _, _ in .failed(Bench.Script.theme) }),
            "Scenarios/canary/passes.scenario": .init(title: "Should fail.", canary: 1),
            "Scenarios/canary/spins.scenario": .init(
                title: "Never rests.", canary: 6,
                outcome: { _, _ in .didNotSettle(ScenarioFailure(message: "work went on without an end")) }),
            "Scenarios/canary/wrong.scenario": .init(
                title: "Fails otherwise.", canary: 6, outcome: { _, _ in .failed(ScenarioFailure(message: "no theme")) }),
        ])
        let ending = bench.run("run")
        #expect(ending.status == .failed)
        Golden.check(ending.output, "run-canaries.txt")
        let green = bench.run("run Scenarios/canary/fails.scenario Scenarios/canary/spins.scenario -v")
        #expect(green.status == .passed)
        Golden.check(green.output, "run-canaries-green.txt")
    }

    @Test func severalOrders() {
        let bench = Bench([
            "a.scenario": .passing("Order does not matter."),
            "b.scenario": .init(
                title: "Order matters.", rows: ["x", "y"],
                outcome: { row, options in
                    row == "y" && (options.order ?? .firstInFirstOut) != .firstInFirstOut ? .failed(Bench.Script.theme) : .passed
                }),
        ])
        let ending = bench.run("run a.scenario b.scenario --seed 7 --seeds 2 --orders 3")
        #expect(ending.status == .failed)
        Golden.check(ending.output, "run-orders.txt")
        let replay = bench.run(["run", "b.scenario", "--seed", "7", "--order", "1", "--filter", "[2]"])
        #expect(replay.status == .failed)
        #expect(replay.output.contains("0 passed, 1 failed"))
    }

    @Test func notDeterministic() {
        let bench = Bench(["a.scenario": .init(title: "Rolls dice.", isUnsteady: true)])
        #expect(bench.run("run a.scenario").status == .passed)
        let ending = bench.run("run a.scenario --repeat")
        #expect(ending.status == .notDeterministic)
        Golden.check(ending.output, "run-repeat.txt")
    }

    @Test func verboseAndQuiet() {
        let bench = Bench(["a.scenario": .passing(), "b.scenario": .failing()])
        #expect(bench.run("run -v a.scenario").output == "passed  a.scenario  3 steps in 5s\n1 passed, 0 failed (0.00 s)\n")
        #expect(bench.run("run -q a.scenario").output.isEmpty)
        let quiet = bench.run("run -q a.scenario b.scenario")
        #expect(quiet.status == .failed)
        #expect(quiet.output.contains("b.scenario:14:1: failed"))
        #expect(!quiet.output.contains("1 passed"))
    }

    @Test func failFastEndsAtTheFirstOfTheOrder() {
        let names = ["a", "b", "c", "d", "e"].map { "\($0).scenario" }
        let bench = Bench(Dictionary(uniqueKeysWithValues: names.map { ($0, $0 >= "b" ? Bench.Script.failing() : .passing()) }))
        for jobs in [1, 2, 8] {
            let ending = bench.run(["run", "--fail-fast", "--jobs", "\(jobs)"] + names)
            #expect(ending.status == .failed)
            #expect(ending.output.hasSuffix("1 passed, 1 failed, 3 not run (0.00 s); stopped at the first failure\n"), "\(ending.output)")
            #expect(ending.output.contains("b.scenario:14:1"))
            #expect(!ending.output.contains("c.scenario"))
        }
    }

    @Test func theOutputDoesNotDependOnTheNumberOfThreads() {
        var scripts: [String: Bench.Script] = [:]
        for number in 0..<60 {
            scripts["Scenarios/\(number % 7)/\(number).scenario"] = number % 5 == 0 ? .failing() : .passing()
        }
        var bench = Bench(scripts)
        let counter = Bench.Counter()
        // Some threads are slower than others.
        bench.beforeRun = { _, _ in
            var sum = 0
            for number in 0..<(counter.next() % 7 * 2_000) { sum &+= number }
            _ = sum
        }
        let outputs = Set([1, 3, 16].map { bench.run("run -v --report json=- --jobs \($0)") }.map { $0.output + $0.errors })
        #expect(outputs.count == 1)
    }

    @Test func anIncludedFileIsNamed() {
        let failure = ScenarioFailure(message: "no theme", path: "Scenarios/shared.inc", line: 2, column: 3)
        let ending = Bench(["a.scenario": .init(outcome: { _, _ in .failed(failure) })]).run("run a.scenario")
        #expect(ending.output.contains("Scenarios/shared.inc:2:3: failed: no theme\n"))
    }

    @Test func controlCharactersStayInTheFile() {
        let evil = "\u{1B}]0;owned\u{7}\u{9B}2J\r\u{202E}"
        let failure = ScenarioFailure(
            message: evil, line: 1, column: 1, length: 3, source: "\(evil)\t\(evil)", phase: evil, expected: evil + "\n" + evil,
            actual: evil,
            lastEvents: [evil])
        let script = Bench.Script(title: evil, tags: [evil], rules: [evil], rows: [evil], outcome: { _, _ in .failed(failure) })
        var bench = Bench([
            "\(evil).scenario": script, "b.scenario": .init(problems: [.init(path: "b.scenario", message: evil, text: evil)]),
        ])
        bench.environment["GITHUB_ACTIONS"] = "true"
        for line in [
            "run .", "run -v .", "list .", "list --rules .", "list --json .", "check .", "fmt .", "run --report junit=- .",
            "run --report json=- .",
        ] {
            let ending = bench.run(line)
            let text = ending.output + ending.errors
            let raw = text.unicodeScalars.filter { $0 != "\n" && ($0.value < 0x20 || (0x7F...0x9F).contains($0.value)) }
            #expect(raw.isEmpty, "\(line)")
        }
    }

    @Test func annotationsForGitHub() {
        var bench = Bench(["Scenarios/theme.scenario": .failing("50% done: a, b")])
        bench.environment["GITHUB_ACTIONS"] = "true"
        let ending = bench.run("run")
        let annotation = ending.output.split(separator: "\n").first { $0.hasPrefix("::") }
        #expect(
            annotation == #"""
                ::error file=Scenarios/theme.scenario,line=14,col=1,title=50%25 done%3A a%2C b::the watch has another value%0Aexpected: expect watch theme "light"%0Aactual:   expect watch theme "dark"%0Apairsim run Scenarios/theme.scenario --seed 1
                """#)
    }

    /// GitHub takes paths from the repository's root, wherever the tool was started, and by whatever name the folder was reached.
    @Test(arguments: [
        ("/w/repo/app", "/w/repo", "s/a.scenario", "app/s/a.scenario"), ("/w/repo/app", "/w/repo/", "../s/a.scenario", "s/a.scenario"),
        ("/w/repo/app", "/w/repo", "/w/repo/s/a.scenario", "s/a.scenario"), ("/w/repo", "/w/repo", "s/a.scenario", "s/a.scenario"),
        ("/w/repo/app", "/w/repo", "/elsewhere/a.scenario", "/elsewhere/a.scenario"),
        ("/elsewhere", "/w/repo", "s/a.scenario", "s/a.scenario"), ("/w/repository", "/w/repo", "a.scenario", "a.scenario"),
        // Without the variable, the folder that has `.git`.
        ("/w/repo/app/deep", "", "a.scenario", "app/deep/a.scenario"), ("/other/app", "", "a.scenario", "a.scenario"),
    ])
    func annotationsAreOfTheRepository(folder: String, workspace: String, path: String, annotated: String) {
        var bench = Bench([path: .failing()])
        bench.files = MemoryFiles([path, "/w/repo/.git/HEAD"])
        bench.folder = folder
        bench.environment = ["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": workspace]
        let ending = bench.run(["run", path])
        #expect(ending.output.contains("::error file=\(annotated),line=14"))
        // What a person pastes stays as it is from here.
        #expect(ending.output.contains("pairsim run \(path) --seed 1"))
    }

    @Test func annotationsOfARepositoryBehindALink() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("pairsim-annotations-\(getpid())")
        defer { try? FileManager.default.removeItem(at: root) }
        let inner = root.appendingPathComponent("repo/app")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let link = root.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: root.appendingPathComponent("repo"))
        try Data("# A.\n\nwait 1 minute and a half\n".utf8).write(to: inner.appendingPathComponent("a.scenario"))
        var bench = Bench()
        bench.realFiles = RealFiles()
        bench.realEngine = .deviceSim()
        bench.folder = inner.resolvingSymlinksInPath().path
        bench.environment = ["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": link.path]
        let ending = bench.run(["run", bench.folder + "/a.scenario"])
        #expect(ending.status == .unparsable && ending.output.contains("::error file=app/a.scenario,line=3"))
    }

    /// A row's label, a mistake that is quoted, and the last events: wherever they are shown, no value of a secret.
    @Test(arguments: [
        "examples\n    | value | size |\n    | \"hunter2\" | 5 |\n\nphone set token $value\nphone update context {\"n\": $size}\nexpect watch is off\n",
        "phone set token \"hunter2\"\nphone update context {\"hunter2\": 1}\nexpect watch is off\n", "phone set token \"hunter2\" crashs\n",
        "phone set tokn hunter2\n",
    ])
    func secretsAreToldNowhere(steps: String) {
        let keys = "# A.\n\nkey token: String\n    domain    keychain\n    security  keychain afterFirstUnlock\n\n"
        var bench = Bench.real(["a.scenario": keys + steps])
        bench.environment = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary.md"]
        let reports = ReportFormat.allCases.map { " --report \($0)=r.\($0)" }.joined()
        let ending = bench.run("run a.scenario --trace t.jsonl\(reports)")
        #expect(ending.status == .failed || ending.status == .unparsable)
        let texts =
            bench.files.paths.filter { $0 != "a.scenario" }.compactMap { bench.files.text($0) } + [
                ending.output, ending.errors, bench.run("run a.scenario --json --events 50").output,
                bench.run("list --json a.scenario").output,
                bench.run("list a.scenario").output, bench.run("check a.scenario").output,
            ]
        #expect(texts.count > 10)
        for text in texts { #expect(!text.contains("hunter2"), "\(text)") }
        if steps.hasPrefix("examples") { #expect(ending.output.contains("[1] value …, size 5")) }
    }

    @Test func scenariosCannotGiveGitHubCommands() {
        let failure = ScenarioFailure(
            message: "x", line: 1, column: 1, source: "a", expected: "a\n::stop-commands::x", actual: "##[error]x")
        let problem = FileProblem(
            path: "b.scenario", line: 1, column: 1, message: "x", text: "b.scenario:1:1: error: x\n    ::set-output name=a::b")
        var bench = Bench(["a.scenario": .init(outcome: { _, _ in .failed(failure) }), "b.scenario": .init(problems: [problem])])
        bench.environment["GITHUB_ACTIONS"] = "true"
        let lines = bench.run("run .").output.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.allSatisfy { !$0.hasPrefix("::") || $0.hasPrefix("::error file=") })
        #expect(lines.allSatisfy { !$0.hasPrefix("##[") })
    }
}
