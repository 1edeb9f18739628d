import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

/// `pairsim debug`, by scripts as a pipe brings them.
struct DebugTests {
    private static let text = """
        # A theme chosen out of range.

        key theme: String
            security  none
            sync      automaticSmall
        key token: String
            domain    keychain
            security  keychain afterFirstUnlock

        link down
        phone set theme "dark"
        phone set token "the secret"
        expect watch theme missing
        link up
        wait 5s
        expect watch theme "light"

        """

    private func debug(_ commands: String..., options: [String] = []) -> (ending: Bench.Ending, bench: Bench) {
        let bench = Bench.real(["a.scenario": Self.text])
        return (bench.run(["debug", "a.scenario"] + commands.flatMap { ["--do", $0] } + options), bench)
    }

    @Test func stepsForwardsAndBackwards() {
        let output = debug("step", "step 2", "back", "next", "prev", "back 9", "step 99").ending.output
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("✓ 10  link down"))
        #expect(output.contains("✓ 11  phone set theme \"dark\"\n✓ 12  phone set token …"))
        #expect(output.contains("the start: 0ms"))
        #expect(output.contains("✗ 16  expect watch theme \"light\""))
        #expect(output.contains("expected  expect watch theme \"light\"\n      actual    expect watch theme \"dark\""))
    }

    @Test(arguments: [
        ("until 14", "✓ 13  expect watch theme missing"), ("until watch context.delivered", "context.delivered sequence="),
        ("until theme", "✓ 11"),
        ("until watch theme", "watch theme: \"dark\""), ("until failure", "another value was found"), ("until end", "✗ 16"),
        ("until expect watch theme \"dark\"", "… 15  wait 5s  within it, at 20ms"), ("until expect phone theme \"dark\"", "✓ 11"),
    ])
    func goesOnUntil(_ command: String, _ expected: String) {
        let ending = debug(command).ending
        #expect(ending.status == .passed && ending.output.contains(expected), "\(ending.output)\(ending.errors)")
    }

    @Test(arguments: [
        ("until 99", "there is no step at line 99"), ("until theem", "no line, event, key or expectation"),
        ("until expect watch theme \"blue\"", "that holds at no place"),
        ("until expect watch them \"x\"", "them"), ("foo", "there is no command \"foo\""), ("link up", "it begins a step"),
        ("back", "this is the start"), ("step x", "no number"),
        ("show phnoe", "there is nothing \"phnoe\""), ("why", "why takes a key"), ("why color", "there is no key \"color\""),
        ("watch color", "there is no key"),
        ("try knob link.latency 3s; phone lock", "no other keys or settings"),
        ("try start link down; phone lock", "no other keys or settings"),
        ("try seed 9; phone lock", "no other keys or settings"), ("try order \"random:4\"; phone lock", "no other keys or settings"),
        ("try phone sing", "`sing` is unknown"), ("try key a: Int", "that is no step"), ("try", "which step?"),
        ("branch 7", "there is no branch"), ("save", "save where?"),
        ("events x", "no number"), ("help x", "there is no command"), ("save a.scenario", "is there already"), ("until", "until what?"),
        ("\u{1B}[2J", "there is no command"),
    ])
    func whatCannotBeDoneEndsAScript(_ command: String, _ message: String) {
        let ending = debug(command, "step").ending
        #expect(ending.status == .usage && ending.output.isEmpty, "\(ending.output)")
        #expect(ending.errors.hasPrefix("pairsim: ") && ending.errors.contains(message), "\(ending.errors)")
        #expect(!ending.errors.contains("\u{1B}"))
    }

    /// What is to be typed is suggested; a sentence is not.
    @Test(arguments: ["try zork", "try key a", "try phone set", "try 12"]) func aHintIsNothingToType(_ command: String) {
        let ending = debug(command).ending
        #expect(ending.status == .usage && !ending.errors.contains("did you mean: "), "\(ending.errors)")
    }

    @Test func whatIsNoCommandIsNotSaidAgainInFull() {
        let ending = debug(String(repeating: "\0", count: 1 << 20)).ending
        #expect(ending.status == .usage && ending.errors.utf8.count < 1_000)
    }

    @Test func secretsAreNeverShown() {
        let all = [
            "until end", "list", "show", "show phone", "show watch", "events all", "why theme", "why token", "watch token", "back 9",
            "step 9", "try phone set token \"the secret\"", "branch",
        ]
        let texts =
            [debug("until end").ending.output]
            + [["--json"], []].map { options in
                let bench = Bench.real(["a.scenario": Self.text])
                return bench.run(["debug", "a.scenario"] + all.dropLast(2).flatMap { ["--do", $0] } + options).output
            } + [
                debug("try phone set token \"the secret\"", "branch", "show phone", "why token", "try expect phone token \"other\"").ending
                    .output
            ]
        for text in texts {
            #expect(!text.isEmpty && !text.contains("the secret"), "\(text)")
        }
        #expect(texts[3].contains("phone set token …") && texts[3].contains("✗"))
        #expect(debug("step 3", "show phone keys").ending.output.contains("token  value 1, "))
    }

    @Test func itSaysWhy() {
        let output = debug("until end", "why watch theme").ending.output
        let why = output.split(separator: "\n").map(String.init).drop { !$0.hasPrefix("watch theme:") }
        #expect(why.first?.hasPrefix("watch theme: \"dark\"  (version 1 of phone.") == true)
        #expect(why.contains { $0.hasPrefix("  merged by") && $0.contains("watch #1 sync.applied key=theme") })
        #expect(why.contains { $0.hasPrefix("    from") && $0.contains("watch #1 context.delivered") })
        #expect(why.contains { $0.hasPrefix("    from") && $0.contains("phone #1 context.updated") || $0.contains("phone context.sent") })
        #expect(why.contains { $0.hasPrefix("  written by") && $0.contains("phone #1 storage.set key=theme") })
        #expect(why.last?.contains("because of a.scenario:11  phone set theme \"dark\"") == true, "\(output)")
        #expect(debug("why theme").ending.output.contains("nothing has changed it since the start"))
    }

    /// A value that did not come: who wrote it, whether it was sent, where it is, what it waits for, or how it ended.
    @Test(arguments: [
        (
            "link down\nphone set theme \"dark\"",
            ["written by", "sent   ", "in the queue of the phone", "the link is down", "because of a.scenario:19"]
        ),
        // A later context has what an earlier one had.
        ("link down\nphone set theme \"dark\"\nphone set second \"x\"", ["in the queue of the phone", "the link is down"]),
        ("phone swipe away\nwatch set theme \"dark\"\nwait 1s", ["sent   ", "has arrived at the phone", "no app runs there"]),
        ("phone set local \"dark\"", ["not sent  the key does not sync"]),
        ("phone set asked \"dark\"", ["not sent  ", "when the app asks"]),
        ("watch power off\nphone set theme \"dark\"\nwait 1s", ["in the queue of the phone", "the watch is off"]),
        ("watch uninstall\nphone set theme \"dark\"\nwait 1s", ["not installed"]),
        ("watch lock\nwait 10s\nphone set guarded \"dark\"\nwait 1s", ["sent   ", "and then  ", "sync.deferred"]),
    ])
    func itSaysWhyAValueDidNotCome(_ steps: String, _ parts: [String]) {
        let key = steps.contains("local") ? "local" : steps.contains("asked") ? "asked" : steps.contains("guarded") ? "guarded" : "theme"
        let (here, there) = steps.contains("watch set") ? ("phone", "watch") : ("watch", "phone")
        let text = """
            # A value that does not come.

            key theme: String
                security  none
                sync      automaticSmall
            key second: String
                security  none
                sync      automaticSmall
            key local: String
                security  none
            key asked: String
                security  none
                sync      manual
            key guarded: String
                domain    keychain
                security  keychain whenUnlocked
                sync      automaticSmall
            \(steps)
            """
        let ending = Bench.real(["a.scenario": text + "\n"]).run(["debug", "a.scenario", "--do", "until end", "--do", "why \(here) \(key)"])
        let why = ending.output.split(separator: "\n").map(String.init).drop { !$0.hasPrefix("\(here) \(key): missing") }
        #expect(
            why.contains { $0.hasPrefix("  the \(there) has \"dark\"") || $0.hasPrefix("  the \(there) has value 1") }, "\(ending.output)")
        for part in parts { #expect(why.contains { $0.contains(part) }, "\(part): \(ending.output)") }
        // What has come needs no such words.
        #expect(
            !Bench.real(["a.scenario": text + "\n"]).run(["debug", "a.scenario", "--do", "until end", "--do", "why \(there) \(key)"]).output
                .contains("has not come"))
    }

    /// Nothing comes from one watch to another, nor to where the app has no such key.
    @Test func itSaysWhoseValueItIsThatDidNotCome() {
        let text = """
            # A value that one of two watches has.

            start second watch
            key theme: String
                security  none
                sync      automaticSmall
            key mine: String
                security      none
                availability  phoneOnly
            phone set theme "dark"
            phone set mine "dark"
            settle

            """
        func why(_ question: String) -> String {
            Bench.real(["a.scenario": text]).run(["debug", "a.scenario", "--do", "until end", "--do", "why \(question)"]).output
        }
        let theme = why("watch2 theme")
        #expect(theme.contains("the phone has \"dark\""), "\(theme)")
        #expect(!theme.contains("the watch has"), "\(theme)")
        let mine = why("watch mine")
        #expect(!mine.contains("which has not come"), "\(mine)")
    }

    /// The last write of the other device, which did not know of the first.
    @Test func itSaysWhichLaterWriteGaveWay() {
        let text = """
            # Two devices apart, and both edit.

            key theme: String
                security  none
                sync      automaticSmall

            link down
            phone set theme "one"
            phone set theme "two"
            phone set theme "three"
            watch set theme "four"
            watch set theme "five"
            link up
            settle

            """
        func asked(_ question: String, _ text: String, until place: String = "end") -> String {
            let commands = ["--do", "until \(place)", "--do", "why \(question)"]
            return Bench.real(["a.scenario": text]).run(["debug", "a.scenario"] + commands).output
        }
        for device in ["phone", "watch"] {
            let why = asked("\(device) theme", text)
            let lost = why.components(separatedBy: "  gave way ").dropFirst()
            #expect(lost.count == 1 && lost.first?.contains("because of a.scenario:12  watch set theme \"five\"") == true, "\(why)")
            #expect(lost.first?.contains("it is version 2 of watch.") == true && why.contains("and version 3 of phone."), "\(why)")
        }
        let equal = text.replacing("phone set theme \"two\"\n", with: "")
        let early = asked("theme", equal, until: "12")
        #expect(!early.contains("gave way"), "which of two equal counters stays is known once they have met: \(early)")
    }

    @Test func aBranchIsTriedAndSaved() throws {
        let (ending, bench) = debug(
            "until 13", "try phone set theme \"light\"", "until end", "branch", "save better.scenario", "branch 0", "back", "branch cut")
        #expect(ending.status == .passed, "\(ending.errors)")
        #expect(ending.output.contains("branch 1; the rest of it passed") && ending.output.contains("✓ try:1  phone set theme \"light\""))
        let saved = try #require(bench.files.text("better.scenario"))
        #expect(
            saved.contains(
                "phone set theme \"dark\"\nphone set token \"the secret\"\nphone set theme \"light\"\nexpect watch theme missing\n"),
            "\(saved)")
        #expect(bench.run("check better.scenario").status == .passed)
        #expect(bench.run("fmt --check better.scenario").status == .passed)
        #expect(bench.run("run better.scenario").status == .passed)
    }

    @Test func blocksAndSeveralStepsAreTried() {
        let ending = debug(
            "step", "try together; phone set theme \"a; b\"; watch set theme \"c\"", "try expect in order; phone storage.set"
        ).ending
        #expect(
            ending.status == .passed && ending.output.contains("together ; phone set theme \"a; b\" ; watch set theme \"c\""),
            "\(ending.output)\(ending.errors)")
        #expect(debug("try wait 1s; wait 2s", "show").ending.output.contains("at 3s"))
    }

    @Test func aPipeIsRead() {
        var bench = Bench.real(["a.scenario": Self.text], input: ["# a comment", "", "step", "watch theme", "step", "quit", "foo"])
        bench.columns = nil
        let ending = bench.run("debug a.scenario:10")
        #expect(ending.status == .passed && ending.errors.isEmpty)
        #expect(ending.output.contains("  phone theme: missing → \"dark\"") && !ending.output.contains("> "), "\(ending.output)")
    }

    @Test func programsAreAnsweredLineByLine() throws {
        let ending = debug("step", "show watch keys", "events", "nonsense", options: ["--json"]).ending
        let lines = ending.output.split(separator: "\n").map { Data($0.utf8) }
        #expect(ending.status == .usage && lines.count == 4 && ending.errors.isEmpty)
        let first = try JSONValue(reading: lines[0]).members("answer")
        let position = try #require(try first.optionalMembers("result")?.optionalMembers("position"))
        #expect(try position.count("line") == 11)
        #expect(try position.text("path") == "a.scenario")
        let last = try JSONValue(reading: lines[3]).members("answer")
        #expect(try last.number("status") == 64)
        #expect(try last.list("errors").count == 1)
    }

    @Test func aTerminalWithoutMoreThanASCIIIsHeeded() {
        var bench = Bench.real(["a.scenario": Self.text])
        bench.environment["LC_ALL"] = "C"
        let ending = bench.run(["debug", "a.scenario", "--do", "until end", "--do", "list", "--do", "step"])
        #expect(ending.output.contains("no 16  expect watch") && ending.output.utf8.allSatisfy { $0 < 0x80 }, "\(ending.output)")
    }

    @Test func whatCannotBeDebuggedIsSaid() {
        let bench = Bench.real(["a.scenario": "phone sing\n", "r.scenario": Self.text])
        #expect(bench.run("debug a.scenario --do step").status == .unparsable)
        #expect(bench.run("debug nowhere.scenario --do step").status == .cannotRun)
        #expect(bench.run("debug r.scenario[3] --do step").status == .nothingSelected)
        #expect(bench.run("debug").status == .usage)
        #expect(bench.run("debug r.scenario --do quit --json --seed 7 --order 3").status == .passed)
    }

    @Test func wordsAreCompleted() throws {
        let bench = Bench.real(["a.scenario": Self.text])
        let scenario = try #require(bench.realEngine?.load("a.scenario").scenarios.first)
        var options = RunOptions()
        options.story = StoryRequest(showsValues: true)
        let timeline = try #require(Timeline(scenario, name: "", result: ScenarioRunner.run(scenario, options: options)))
        func candidates(_ text: String) -> [String] { DebugCompletion.candidates(text, timeline: timeline) }
        #expect(candidates("s") == ["step", "show", "save"])
        #expect(candidates("show ph") == ["phone"])
        #expect(candidates("why watch t") == ["theme", "token"])
        #expect(candidates("try phone se").contains("set"))
        #expect(candidates("try phone set ").contains("theme"))
        #expect(candidates("try phone set theme \"da").isEmpty)
        #expect(candidates("until expect watch ").contains("session"))
        #expect(candidates("until context.d") == ["context.delivered"])
    }

    /// Every place of every scenario of a folder can be stood at, and says something.
    @Test func everyPlaceCanBeReached() throws {
        let bench = Bench.real(["a.scenario": Self.text])
        let count = Self.text.split(separator: "\n").count
        let commands = Array(repeating: "next", count: count) + Array(repeating: "prev", count: 3) + ["show", "list"]
        let lines = commands.joined(separator: "\n").split(separator: "\n").map(String.init)
        let ending = Bench.real(["a.scenario": Self.text], input: lines).run("debug a.scenario")
        // The end is reached before so many; that it is, is said.
        #expect(ending.errors.isEmpty || ending.errors.contains("this is the end"))
        #expect(bench.run("debug a.scenario --do list").output.split(separator: "\n").count == 7)
    }
}
