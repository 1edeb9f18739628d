import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

/// The tool with the real language and the real simulation behind it.
struct LanguageTests {
    private static let theme = """
        # A theme chosen out of range reaches the watch when it returns.
        # Rules: W41 W42
        # Tags: sync

        key theme: String
            domain  userDefaults
            sync    automaticSmall

        link down
        phone set theme "dark"
        phone set theme "light"
        expect watch theme missing

        link up
        expect watch theme "light" within 5s

        """

    private func bench(_ files: [String: [UInt8]]) -> Bench {
        var bench = Bench()
        bench.files = MemoryFiles(Array(files.keys))
        let memory = ScenarioFiles.memory([:])
        bench.realEngine = .deviceSim(
            files: ScenarioFiles { path throws(ScenarioDiagnostic) in
                guard let bytes = files[path] else { return try memory.read(path) }
                return bytes
            })
        return bench
    }

    @Test func aScenarioPassesUnderEveryOrder() {
        let ending = bench(["Scenarios/theme.scenario": Array(Self.theme.utf8)]).run("run --orders 5 --repeat")
        #expect(ending.status == .passed, "\(ending.output)")
        #expect(ending.output.hasSuffix("6 passed, 0 failed (0.00 s): 1 scenario, 6 runs each\n"))
    }

    @Test func aFailureShowsStepAndValues() {
        let text = Self.theme.replacing("expect watch theme \"light\" within", with: "expect watch theme \"blue\" within")
        let ending = bench(["Scenarios/theme.scenario": Array(text.utf8)]).run("run")
        #expect(ending.status == .failed)
        #expect(ending.output.contains("Scenarios/theme.scenario:15:1: failed: "), "\(ending.output)")
        // The key is sealed, so its values are told apart and not told.
        #expect(ending.output.contains("      15 | expect watch theme (secret 1) within 5s\n         | ^"))
        #expect(ending.output.contains("  expected  "))
        #expect(ending.output.contains("  actual    expect watch theme (secret 2)\n"))
        #expect(!ending.output.contains("\"light\""))
        #expect(ending.output.contains("context.delivered"))
        #expect(ending.output.contains("  replay    pairsim run Scenarios/theme.scenario --seed 1\n"))
    }

    /// A limit is told where something is beyond it.
    @Test(arguments: [
        ("wait 36500d", "`36500d` is longer than a scenario may speak of"), ("wait 36500d", "the longest time is `3660d`, ten years"),
        ("wait 3660.5d", "`3660.5d` is longer than"), ("wait 99999999999999999999s", "`99999999999999999999s` is longer than"),
        ("wait 9223372036854.9s", "is longer than"), ("wait 5sec", "`5sec` is not a time"), ("wait 1.0000001s", "is not a time"),
        ("phone app does \"\\ud83d\"", "half of a surrogate pair"), ("phone app does \"\\ud83d\\u0041\"", "half of a surrogate pair"),
        ("phone app does \"\\ude00\"", "half of a surrogate pair"), ("phone app does \"\\ude00\\ud83d\"", "half of a surrogate pair"),
        ("phone app does \"\\ud83dx\"", "half of a surrogate pair"),
        ("include \".\"", "`.` is a folder, and only a file can be included"),
        ("include \"x/..\"", "`x/..` is a folder, and only a file can be included"),
    ])
    func aMistakeIsSaid(line: String, message: String) {
        let ending = bench(["a.scenario": Array("\(line)\n".utf8)]).run("check a.scenario")
        #expect(ending.status == .unparsable && ending.output.contains(message), "\(ending.output)")
    }

    @Test func aPairOfHalvesIsACharacter() {
        let line = "phone send message {\"a\": \"\\ud83d\\ude00\\uD83D\\uDE00\"}\n"
        #expect(bench(["a.scenario": Array(line.utf8)]).run("check a.scenario").status == .passed)
    }

    /// A line that says that there is one more error would take the place of that one.
    @Test func theLastErrorIsNotHiddenAlone() {
        func output(_ count: Int, _ options: String = "") -> String {
            bench(["a.scenario": Array(String(repeating: "phone lok\n", count: count).utf8)]).run("check a.scenario \(options)").output
        }
        #expect(!output(21).contains("more error") && output(21).contains("a.scenario:21:"))
        #expect(output(22).contains("… and 2 more errors") && !output(22).contains("a.scenario:21:"))
        #expect(output(2, "--max-errors 1").contains("… and 1 more error"))
    }

    @Test func theLongestTimeIsATime() {
        #expect(bench(["a.scenario": Array("wait 3660d\n".utf8)]).run("check a.scenario").status == .passed)
        #expect(VirtualDuration(notation: "3660.0d") != nil && VirtualDuration(notation: VirtualDuration.longestNotation) != nil)
        let ending = bench([:]).run("explore --for 36500d")
        #expect(ending.status == .usage && ending.errors.contains("--for takes a time up to 3660d"), "\(ending.errors)")
    }

    private static let sweep = """
        # A crash leaves one of two values.
        # Tags: crash

        key note: String
            domain    fileSystem documents
            security  none

        phone set note "old"
        phone set note "new" crashes at every operation
        phone launch

        """

    @Test func aSweepTellsHowManyPointsItTried() {
        let text = Self.sweep + "expect phone note \"old\" or \"new\"\n"
        let ending = bench(["Scenarios/crash.scenario": Array(text.utf8)]).run("run --verbose --repeat")
        #expect(ending.status == .passed, "\(ending.output)")
        #expect(ending.output.contains(" crash points, "))
    }

    @Test func aSweepThatFailsNamesThePoint() {
        let text = Self.sweep + "expect phone note \"old\"\n"
        let ending = bench(["Scenarios/crash.scenario": Array(text.utf8)]).run("run --report json=-")
        #expect(ending.status == .failed)
        #expect(ending.errors.contains("  crash     phone set note \"new\" crashes at operation "), "\(ending.errors)")
        #expect(ending.output.contains("\"pins\": ["))
        #expect(ending.output.contains("\"repetitions\": "))
    }

    @Test(
        arguments: [
            ("empty", []), ("binary", [0x70, 0x00, 0xFF]), ("comments", Array("# nothing\n".utf8)), ("latin", [0x70, 0x68, 0xE9, 0x0A]),
            ("words", Array("phone loock\n".utf8)), ("missing include", Array("include \"gone\"\n".utf8)),
            ("control", Array("phone \u{1B}[2J\u{7}\n".utf8)),
        ] as [(String, [UInt8])])
    func badFiles(name: String, bytes: [UInt8]) {
        let bench = bench(["Scenarios/bad.scenario": bytes])
        for command in ["run", "check", "list"] {
            let ending = bench.run(command)
            #expect(ending.status == .unparsable, "\(command)")
            #expect((ending.output + ending.errors).contains("Scenarios/bad.scenario"))
            #expect(!(ending.output + ending.errors).contains("\u{1B}"))
        }
    }

    // MARK: Values of secrets in lines with mistakes

    private static let secretive = "# A.\n\nkey token: String\n    domain  keychain\n\nphone set token \"hunter2secret\n"

    /// Whoever sits at a terminal has the file, and is to see what he mistyped.
    @Test(arguments: ["check", "run", "fmt", "run --color=never", "debug a.scenario", "list", "explore --runs 1 a.scenario"])
    func linesAreAsWrittenOnATerminal(_ command: String) {
        var bench = Bench.real(["Scenarios/a.scenario": Self.secretive, "a.scenario": Self.secretive])
        bench.columns = 80
        let ending = bench.run(command)
        #expect(
            ending.status == .unparsable && (command == "list" || ending.output.contains("phone set token \"hunter2secret\n")), "\(ending)")
    }

    /// What others read, or keep, has no value: pipes, files, programs, terminals of CI systems.
    @Test(
        arguments: ["check", "run", "fmt", "fmt --check", "debug a.scenario", "explore --runs 1 a.scenario", "list"],
        [
            (nil, [:], ""), (80, ["CI": "true"], ""), (80, ["CI": "1"], ""), (80, ["GITHUB_ACTIONS": "true"], ""),
            (nil, ["GITHUB_ACTIONS": "true"], ""), (80, [:], "--json"),
        ] as [(Int?, [String: String], String)])
    func linesTellNoSecretElsewhere(_ command: String, _ place: (columns: Int?, environment: [String: String], option: String)) {
        var bench = Bench.real(["Scenarios/a.scenario": Self.secretive, "a.scenario": Self.secretive])
        bench.columns = place.columns
        bench.environment = place.environment
        let ending = bench.run("\(command) \(place.option)")
        #expect(ending.status == .unparsable && !(ending.output + ending.errors).contains("hunter2"), "\(ending)")
    }

    /// Of a run at a terminal too: the reports are for others.
    @Test func reportsTellNoSecret() {
        var bench = Bench.real(["Scenarios/a.scenario": Self.secretive])
        bench.columns = 80
        let formats = ["junit", "json", "tap", "html", "mermaid", "perfetto"]
        let ending = bench.run("run " + formats.map { "--report \($0)=out/\($0)" }.joined(separator: " "))
        #expect(ending.status == .unparsable && ending.output.contains("hunter2secret"))
        for format in formats { #expect(bench.files.text("out/\(format)")?.contains("hunter2") != true, "\(format)") }
        for format in ["junit", "json", "tap", "html"] {
            #expect(bench.files.text("out/\(format)")?.contains("a.scenario") == true, "\(format)")
        }
        // Standard output belongs to the report; what people are told may go anywhere.
        let piped = bench.run("run --report json=-")
        #expect(!(piped.output + piped.errors).contains("hunter2"))
    }

    /// On its own: as an argument, it would be printed.
    @Test func aHugeFile() {
        let bench = bench(["a.scenario": [UInt8](repeating: 0x20, count: SourceText.maximumByteCount + 1)])
        let ending = bench.run("run a.scenario")
        #expect(ending.status == .unparsable)
        #expect(ending.output.hasPrefix("a.scenario: error: the file has 4194305 bytes"))
    }

    @Test func aFileThatIsGoneCannotRun() {
        var bench = bench([:])
        bench.files = MemoryFiles(["a.scenario"])
        for command in ["run", "check", "list", "fmt"] {
            #expect(bench.run("\(command) a.scenario").status == .cannotRun, "\(command)")
        }
    }

    @Test func formatting() {
        let tidy = bench(["a.scenario": Array(Self.theme.utf8)])
        #expect(tidy.run("fmt --check a.scenario").status == .passed)
        let untidy = bench(["a.scenario": Array(Self.theme.replacing("domain  ", with: "domain      ").utf8)])
        #expect(untidy.run("fmt --check a.scenario").status == .failed)
        #expect(untidy.run("fmt a.scenario").status == .passed)
        #expect(untidy.files.text("a.scenario") == Self.theme)
    }

    @Test func listing() {
        let ending = bench(["Scenarios/theme.scenario": Array(Self.theme.utf8)]).run("list")
        #expect(
            ending.output == """
                Scenarios
                  theme.scenario  #sync W41 W42
                      A theme chosen out of range reaches the watch when it returns.

                1 scenario in 1 folder, covering 2 rules

                """)
    }
}
