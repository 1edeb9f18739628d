import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import PairsimTool

/// Which scenarios run, and what is said when none does.
struct RunSelectionTests {
    private let bench = Bench([
        "Scenarios/sync/theme.scenario": .passing("A theme travels.", tags: ["sync", "fast"], rules: ["W41", "W9"]),
        "Scenarios/sync/echo.scenario": .passing("Nothing comes back.", tags: ["sync", "slow"], rules: ["W41"]),
        "Scenarios/lock.scenario": .passing("A locked phone.", tags: ["Protection"], rules: ["D3"]),
    ])

    @Test(arguments: [
        ("", 3), ("--filter theme", 1), ("--filter THEME", 1), ("--filter back", 1), ("--filter sync/", 2), ("--tag sync", 2),
        ("--tag slow --tag fast", 2), ("--tag sync --skip-tag slow", 1), ("--skip-tag sync", 1), ("--tag protection", 1),
        ("--tag sync --filter echo", 1), ("Scenarios/sync", 2), ("Scenarios/sync/ ./Scenarios//sync/echo.scenario", 2),
    ])
    func selected(options: String, count: Int) {
        let ending = bench.run("run \(options)")
        #expect(ending.status == .passed)
        #expect(ending.output == "\(count) passed, 0 failed (0.00 s)\n")
    }

    @Test(arguments: [
        ("run --tag snyc", "pairsim: nothing selected: none of 3 scenarios matches --tag snyc; did you mean --tag sync?\n"),
        ("list --tag zzz", "pairsim: nothing selected: none of 3 scenarios matches --tag zzz; the tags are Protection, fast, slow, sync\n"),
        ("run --filter a_b --skip-tag sync", "pairsim: nothing selected: none of 3 scenarios matches --filter a_b --skip-tag sync\n"),
    ])
    func nothingSelected(line: String, message: String) {
        let ending = bench.run(line)
        #expect(ending.status == .nothingSelected)
        #expect(ending.errors == message)
        #expect(ending.output.isEmpty)
    }

    /// Runs that could not be deterministic are not begun.
    @Test(arguments: [("run", true), ("explore --runs 1", true), ("check", false)])
    func aRuntimeWithoutHooks(line: String, isRefused: Bool) {
        var bench = bench
        bench.obstacle = "the runtime shows no hooks; link it dynamically"
        let ending = bench.run(line)
        #expect(ending.status == (isRefused ? .cannotRun : .passed))
        #expect(ending.errors == (isRefused ? "pairsim: cannot run: the runtime shows no hooks; link it dynamically.\n" : ""))
    }

    @Test(arguments: ["run", "check", "list", "fmt"])
    func anEmptyFolder(command: String) {
        var bench = Bench()
        bench.files = MemoryFiles(["Scenarios/notes.txt", "Scenarios/shared.inc"])
        let ending = bench.run(command)
        #expect(ending.status == .nothingSelected)
        #expect(ending.errors == "pairsim: nothing selected: no .scenario file in Scenarios\n")
    }

    @Test(arguments: ["run", "check", "list", "fmt"])
    func noFolder(command: String) {
        let ending = Bench().run(command)
        #expect(ending.status == .cannotRun)
        #expect(
            ending.errors == "pairsim: there is no folder Scenarios here; name files or folders, or change to the folder that has it\n")
    }

    @Test func noFolderBesideAnArchive() {
        var bench = Bench()
        bench.files = MemoryFiles(ownScenarios: "/opt/pairsim/Scenarios")
        #expect(bench.run("run").errors.hasSuffix("the folder that has it; pairsim's own lie in /opt/pairsim/Scenarios\n"))
    }

    @Test(arguments: [
        ("Scenarios/snyc", "Scenarios/sync"), ("Scenario", "Scenarios"), ("Scenarios/sync/echo", "Scenarios/sync/echo.scenario"),
        ("Scenarios/sync/thmee.scenario", "Scenarios/sync/theme.scenario"),
    ])
    func aMistypedPath(path: String, meant: String) {
        let ending = bench.run("run \(path)")
        #expect(ending.status == .cannotRun)
        #expect(ending.errors == "pairsim: there is no file or folder \(path); did you mean \(meant)?\n")
    }

    @Test func anUnreadableFolderDoesNotHideTheOthers() {
        var bench = Bench(["Scenarios/a.scenario": .passing()])
        bench.files = MemoryFiles(["Scenarios/a.scenario"], unreadable: ["Scenarios/secret"])
        for (command, output) in [("run", "1 passed, 0 failed (0.00 s)\n"), ("check", "1 file checked, 1 scenario, no problems\n")] {
            let ending = bench.run(command)
            #expect(ending.status == .cannotRun)
            #expect(ending.errors == "pairsim: cannot read Scenarios/secret: permission denied\n")
            #expect(ending.output == output)
        }
    }

    @Test func foldersThatLinkInCircles() {
        var bench = Bench([
            "Scenarios/a.scenario": .passing(), "Scenarios/deep/b.scenario": .passing(), "Scenarios/.git/c.scenario": .passing(),
        ])
        bench.files = MemoryFiles(
            ["Scenarios/a.scenario", "Scenarios/deep/b.scenario", "Scenarios/.git/c.scenario"],
            links: ["Scenarios/deep/up": "Scenarios", "Scenarios/zzz": "Scenarios/deep"])
        #expect(bench.run("run").output == "2 passed, 0 failed (0.00 s)\n")
    }

    /// Passed over in silence, a scenario would be missing and the status would say that all is well.
    @Test func whatCannotBeAScenarioAndMayHaveBeenOne() {
        var bench = Bench(["Scenarios/a.scenario": .passing()])
        bench.files = MemoryFiles(
            ["Scenarios/a.scenario"], links: ["Scenarios/b.scenario": "gone.scenario", "Scenarios/c\u{FFFD}.scenario": "gone.scenario"])
        for command in ["run", "check", "list", "fmt --check"] {
            let ending = bench.run(command)
            #expect(ending.status == .cannotRun, "\(command)")
            #expect(
                ending.errors == """
                    pairsim: cannot read Scenarios/b.scenario: it is a link that leads nowhere; remove it, or mend what it leads to
                    pairsim: cannot read Scenarios/c\u{FFFD}.scenario: its name is not UTF-8; rename it

                    """, "\(command)")
        }
    }

    @Test func namesThatAreNotUTF8AreListed() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("names-\(getpid())", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = Array(folder.path.utf8CString.dropLast()) + [0x2F, CChar(bitPattern: 0xE4), 0]
        let descriptor = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        // A Mac's volumes take no such name.
        guard descriptor >= 0 else { return }
        close(descriptor)
        #expect(try RealFiles().names(in: folder.path) == ["\u{FFFD}"])
        #expect(try RealFiles().kind(of: folder.path + "/\u{FFFD}") == nil)
    }

    @Test func aFileThatCannotBeRead() {
        var bench = Bench(["a.scenario": .passing()])
        bench.files = MemoryFiles(["a.scenario", "gone.scenario"])
        let ending = bench.run("run .")
        #expect(ending.status == .cannotRun)
        #expect(ending.output == "gone.scenario: error: there is no such file\n\n1 passed, 0 failed, 1 cannot run (0.00 s)\n")
    }

    @Test func listing() {
        var bench = bench
        bench.scripts["Scenarios/canary/no.scenario"] = .init(title: "Must fail.", canary: 1, rows: ["a", "b"])
        bench.files = MemoryFiles(Array(bench.scripts.keys))
        let text = bench.run("list")
        #expect(text.status == .passed)
        Golden.check(text.output, "list.txt")
        Golden.check(bench.run("list --json").output, "list.json")
        #expect(bench.run("list --json --tag none").output.contains("\"result\": [],\n"))
    }

    @Test func rulesAreListedWithWhatCoversThem() throws {
        let bench = bench
        let text = bench.run("list --rules").output
        #expect(
            text.hasPrefix(
                "Activation\n\nW1    In a new process `activationState` is `notActivated`.\n      simulated\n      documented by Apple (Apple, `WCSession`)\n"
            ))
        #expect(text.contains("\n      knob link.latency") == false, "a knob of no rule")
        let stale = """

            W49   That comparison is with what this device last sent, not with what the counterpart holds.
                  simulated
                  not known: what an update is compared with
                  knob context.suppressEqual, true by default
                  tests: ContextTests

            """
        #expect(text.contains(stale), "\(text)")
        #expect(
            text.contains(
                "\n      disputed (WCSession.h, `remainingComplicationUserInfoTransfers`: with none left it goes as a regular user info; Apple, `"
            ))
        #expect(text.contains("\nW41   Reachability is not needed, nor need the counterpart run.\n"))
        #expect(text.contains("\n      Scenarios/sync/echo.scenario\n      Scenarios/sync/theme.scenario\n      tests: "))
        #expect(
            text.hasSuffix(
                "Others\n\nD3    Scenarios/lock.scenario\n\n3 scenarios in 2 folders, covering 3 rules\n"),
            "\(text.suffix(200))")
    }

    @Test func rulesAndTroublesAsJSON() throws {
        let rules = bench.run("list --rules --json --tag fast").output
        #expect(
            rules.contains(
                """
                    "W61": {
                      "evidence": [
                        "documented by Apple"
                      ],
                      "knobs": {},
                      "remark": null,
                      "scenarios": [],
                      "sentence": "Sending returns at once; messages arrive in send order.",
                      "sources": [
                        {
                          "kind": "documented by Apple",
                          "says": "delivered in the order in which you sent them",
                          "source": "Apple, `sendMessage(_:replyHandler:errorHandler:)`"
                        }
                      ],
                      "standing": "simulated",
                      "tests": [
                """), "\(rules)")
        #expect(rules.contains("      \"scenarios\": [\n        \"Scenarios/sync/theme.scenario\"\n      ],\n"))
        #expect(!rules.contains("\"P1\""))
        let troubles = bench.run("list --troubles --json").output
        #expect(troubles.contains("  \"result\": {\n    \"P1\": {\n      \"published\": [\n        \"MMWormhole #85\""))
        #expect(!troubles.contains("\"W1\""))
    }

    @Test func troublesAreListed() throws {
        let text = bench.run("list --troubles").output
        #expect(
            text.hasPrefix(
                """
                P1    The same context is not delivered again, so "send again" does nothing.
                      published: MMWormhole #85, qiita crenieq 459b765f
                      covered by none of these scenarios

                """), "\(text)")
    }

    @Test func listingSaysWhatIsLeftOut() {
        let problem = FileProblem(path: "b.scenario", line: 1, column: 1, message: "no")
        let ending = Bench(["a.scenario": .passing("Fine."), "b.scenario": .init(problems: [problem])]).run("list .")
        #expect(ending.status == .unparsable)
        #expect(ending.errors == "pairsim: b.scenario is left out: does not parse; see pairsim check b.scenario\n")
        #expect(ending.output.contains("a.scenario"))
    }

    @Test func seedsAndOrdersReachTheRuns() {
        let seen = Bench.Counter()
        var bench = Bench(["a.scenario": .passing(), "own.scenario": .init(seed: 42)])
        bench.beforeRun = { scenario, options in
            _ = seen.next()
            let first: UInt64 = scenario.path == "a.scenario" ? 1 : 42
            #expect((first...first + 2).contains(options.seed))
        }
        #expect(bench.run("run a.scenario own.scenario --seeds 3 --orders 4").status == .passed)
        #expect(seen.value == 2 * 3 * 5)
        bench.beforeRun = { scenario, options in
            #expect(options.seed == 9)
            #expect(options.order == .seeded(5))
            // A scenario's own seed must not win over the one that was asked for.
            #expect(scenario.seed == nil || scenario.seed == 9)
        }
        #expect(bench.run("run a.scenario own.scenario --seed 9 --order 5").status == .passed)
    }

    @Test(arguments: ["run --order 1 --orders 2", "run --seed 18446744073709551615 --seeds 2", "run --trace - --report json=-"])
    func optionsThatExcludeEachOther(line: String) {
        #expect(bench.run(line).status == .usage)
    }

    @Test func rootsAreApartForEachVariation() {
        var bench = Bench(["a.scenario": .passing()])
        bench.beforeRun = { _, options in #expect(options.root?.lastPathComponent == "devices") }
        #expect(bench.run("run a.scenario --roots devices").status == .passed)
        let names = ["seed-1.order-0", "seed-1.order-1"]
        bench.beforeRun = { _, options in #expect(names.contains(options.root?.lastPathComponent ?? "")) }
        #expect(bench.run("run a.scenario --roots devices --orders 1").status == .passed)
        bench.files = MemoryFiles(["a.scenario"], unwritable: ["/locked"])
        let ending = bench.run("run a.scenario --roots /locked")
        #expect(ending.status == .cannotRun)
        #expect(ending.errors == "pairsim: cannot make the folder /locked: permission denied\n")
    }
}
