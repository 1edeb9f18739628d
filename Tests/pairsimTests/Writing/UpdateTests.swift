import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

/// `run --update`: values that were found are written, and nothing else.
struct UpdateTests {
    private static let text = """
        # Values.

        key theme: String
            security  none
        key count: Int
            security  none
        key token: String
            domain    keychain
            security  keychain afterFirstUnlock
        key sealed: String

        phone set theme "dark"
        phone set count 3

        """

    private func updated(_ lines: String, options: String = "") throws -> (ending: Bench.Ending, text: String) {
        let bench = Bench.real(["a.scenario": Self.text + lines + "\n"])
        let ending = bench.run("run --update a.scenario \(options)")
        return (ending, String(try #require(bench.files.text("a.scenario")).dropFirst(Self.text.count)))
    }

    @Test(arguments: [
        ("expect phone theme \"light\"", "expect phone theme \"dark\""),
        ("expect phone theme   \"light\" within 1s   # why", "expect phone theme   \"dark\" within 1s   # why"),
        ("expect phone count -1\nexpect phone theme \"x y # \\\" z\"", "expect phone count 3\nexpect phone theme \"dark\""),
        ("expect phone theme repeat (\"x\", 3)  # why", "expect phone theme \"dark\"  # why"),
        ("expect phone theme \"\u{301}x\" within 5s  # c", "expect phone theme \"dark\" within 5s  # c"),
        (
            "let x = \"v\"\nphone set theme \"\\u0024x\"\nexpect phone theme \"b\"\nphone set theme $x",
            "expect phone theme \"\\u0024x\"\nphone set theme $x"
        ),
        ("expect phone session isReachable false", "expect phone session isReachable true"),
        ("expect phone session activationState inactive", "expect phone session activationState activated"),
        (
            "expect watch session activationState notActivated within 1s # why",
            "expect watch session activationState activated within 1s # why"
        ),
        (
            "phone update context {\"n\": 1}\nexpect phone session applicationContext {}",
            "expect phone session applicationContext {\"n\": 1}"
        ),
    ])
    func aValueIsWritten(_ line: String, _ expected: String) throws {
        let (ending, text) = try updated(line)
        #expect(text.hasSuffix(expected + "\n"))
        #expect(ending.status == .passed, "\(ending.output)")
        #expect(ending.output.contains("\n-expect ") && ending.output.contains("\n+expect "))
    }

    /// Whatever the grammar lets one expect, and whatever is found instead: what is written can be read, and says what was found.
    @Test(arguments: Vocabulary.forms.filter { $0.topic == .expect && !$0.pattern.text.hasPrefix("expect in") }.map(\.example))
    func whatIsWrittenCanBeRead(_ example: String) throws {
        let preamble = """
            # Values of all kinds.

            key theme: String
                security  none
                sync      manual
            key oldTheme: String
            key token: String
            key secret: String
            key count: Int

            phone set theme "blue"
            watch set theme "green"
            phone widget launch
            phone widget set theme "red"
            phone observes theme
            watch observes theme
            phone update context {"theme": "blue", "n": 5}
            watch update context {"theme": "green"}
            phone send message {"ping": 1} expecting reply as m1
            phone transfer user info {"n": 1} as t1
            mark reconnected
            settle

            """
        let hasTime = example.contains(" within ") || example.contains(" for ")
        // What holds at once and may cease to is not waited for.
        let word = [" no ", " none"].contains(where: example.contains) && !example.contains(" plaintext ") ? "for" : "within"
        let timed = [example, example.replacing(" within 5s", with: ""), example + (hasTime ? "" : " \(word) 1s")]
        // Of two states one is not found.
        let others = [(" true", " false"), ("State activated", "State inactive")]
        for line in Set(timed + others.flatMap { word, other in timed.map { $0.replacing(word, with: other) } }).sorted() {
            let bench = Bench.real(["a.scenario": preamble + line + "\n"])
            let ending = bench.run("run --update a.scenario")
            let text = try #require(bench.files.text("a.scenario"))
            let compilation = ScenarioCompiler.compile(path: "a.scenario", files: .memory(["a.scenario": text]))
            #expect(compilation.diagnostics.isEmpty, "\(line) became \(text.dropFirst(preamble.count))")
            if ending.output.contains("1 expectation updated") {
                #expect(bench.run("run a.scenario").status == .passed, "\(line) became \(text.dropFirst(preamble.count))")
            }
        }
    }

    /// What a failure shows as expected and found can be pasted.
    @Test func aStateIsShownInTheWordsOfTheLanguage() {
        let bench = Bench.real(["a.scenario": "# A.\n\nexpect phone session activationState inactive\n"])
        let output = bench.run("run a.scenario").output
        #expect(output.contains("expected  expect phone session activationState inactive\n"), "\(output)")
        #expect(output.contains("actual    expect phone session activationState activated\n"), "\(output)")
        let device = Bench.real(["a.scenario": "# A.\n\nphone reboot\nexpect phone is unlocked\n"]).run("run a.scenario").output
        #expect(device.contains("actual    before first unlock\n"), "\(device)")
    }

    @Test(arguments: [
        ("run --update a.scenario --report json=r.json", "--update writes no report and no trace"),
        ("run --update a.scenario --trace t.json", "--update writes no report and no trace"),
        ("run --update -", "standard input (-) is none"),
    ])
    func whatItDoesNotDoIsRefused(_ line: String, _ reason: String) {
        let bench = Bench.real(["a.scenario": Self.text + "expect phone theme \"light\"\n"])
        let ending = bench.run(line)
        #expect(ending.status == .usage && ending.errors.contains(reason), "\(ending.errors)")
        #expect(bench.files.text("a.scenario")?.hasSuffix("\"light\"\n") == true)
    }

    @Test(arguments: [
        ("phone set token \"secret\"\nexpect phone token \"other\"", "values of `token` are secret"),
        ("phone set sealed \"secret\"\nexpect phone sealed \"other\"", "values of `sealed` are secret"),
        ("expect phone theme missing", "it is no expectation of a value"),
        ("phone remove theme\nexpect phone theme \"dark\"", "no value was found"),
        ("let v = \"light\"\nexpect phone theme $v", "the value is the variable $v"),
        ("expect phone theme \"a\" or \"b\"", "the line allows two values"),
        ("expect watch received context 7 times", "no expectation of a value"),
        ("phone get count fails locked", "no expectation of a value"),
        ("never phone theme \"dark\" for 1s", "no expectation of a value"),
    ])
    func anythingElseStays(_ lines: String, _ reason: String) throws {
        let (ending, text) = try updated(lines)
        #expect(text == lines + "\n")
        #expect(ending.status == .failed && ending.output.contains(reason), "\(ending.output)")
        #expect(!(ending.output + ending.errors).contains("secret\""), "a secret is shown")
    }

    /// What an app sends may have a secret in it, or within a text, and failures show a mark in its place: that mark is never written.
    @Test(arguments: ["applicationContext", "receivedApplicationContext"], ["\"hunter-two\"", "\"it is hunter-two\""])
    func aSecretThatWasSentStays(_ property: String, _ value: String) throws {
        let device = property == "applicationContext" ? "phone" : "watch"
        let other = value.replacing("hunter-two", with: "none")
        let lines =
            "phone set token \"hunter-two\"\nphone update context {\"a\": \(value)}\nsettle\nexpect \(device) session \(property) {\"a\": \(other)}"
        let (ending, text) = try updated(lines)
        #expect(text == lines + "\n")
        #expect(ending.status == .failed && ending.output.contains("the value of a secret is in it"), "\(ending.output)")
        #expect(!(ending.output + ending.errors).contains("hunter"), "a secret is shown")
        let json = try updated(lines, options: "--json").ending.output
        #expect(json.contains("the value of a secret is in it") && !json.contains("hunter"), "\(json)")
    }

    /// Without secrets a text that looks like a mark is a text.
    @Test func aTextThatLooksLikeAMarkIsWritten() throws {
        let (ending, text) = try updated("phone set theme \"(secret 1)\"\nexpect phone theme \"x\"")
        #expect(ending.status == .passed && text.hasSuffix("expect phone theme \"(secret 1)\"\n"), "\(ending.output)")
    }

    /// The place is that of the expectation, wherever it is included.
    @Test func anIncludedExpectationIsNamedByItsOwnPlace() throws {
        let bench = Bench.real([
            "s/a.scenario": Self.text + "\n\ninclude \"x/e.inc\"\n", "s/x/e.inc": "# Values.\n\nexpect phone theme \"light\"\n",
        ])
        let ending = bench.run("run --update s/a.scenario")
        #expect(
            ending.output
                == "s/x/e.inc:3: not updated for s/a.scenario: other scenarios may include this file\nnothing to update, 1 failure left\n")
        let json = bench.run("run --update s/a.scenario --json").output
        #expect(json.contains("\"path\": \"s/x/e.inc\"") && json.contains("\"line\": 3"), "\(json)")
    }

    @Test func aLineThatOtherRowsShareIsTheirsToo() throws {
        let rows = "examples\n    | v   |\n    | \"a\" |\n    | \"c\" |\nphone set theme $v\nexpect phone theme \"c\"\nexpect phone count 4"
        let bench = Bench.real(["a.scenario": Self.text + rows + "\n"])
        let ending = bench.run("run --update a.scenario[1]")
        #expect(
            ending.status == .failed && ending.output.contains("also that of a.scenario[2], which does not find this value"),
            "\(ending.output)")
        // What both find is written.
        #expect(bench.files.text("a.scenario") == Self.text + rows.replacing("count 4", with: "count 3") + "\n")
        // Of all rows it is each that is told, and what they agree on is written.
        let all = bench.run("run --update a.scenario")
        #expect(all.output.contains("a.scenario[1]:19: not updated: its runs found different values"), "\(all.output)")
        let agreed = Bench.real(["a.scenario": Self.text + rows.replacing("theme \"c\"", with: "theme $v") + "\n"])
        #expect(agreed.run("run --update a.scenario[1]").status == .passed)
        #expect(agreed.files.text("a.scenario")?.hasSuffix("expect phone count 3\n") == true)
    }

    @Test func whatCannotBeWrittenIsLeft() throws {
        var bench = Bench.real(["a.scenario": Self.text + "expect phone theme \"light\"\nexpect phone count 4\n"])
        let files = MemoryFiles([], unwritable: [])
        try files.write(try #require(bench.files["a.scenario"]), to: "a.scenario")
        files.forbidWriting("a.scenario")
        bench.files = files
        let ending = bench.run("run --update a.scenario")
        #expect(ending.status == .cannotRun && ending.output.hasSuffix("0 expectations updated, 2 failures left\n"), "\(ending.output)")
        let json = bench.run("run --update a.scenario --json").output
        #expect(json.contains("the file cannot be written: permission denied") && json.contains("\"updated\": []"), "\(json)")
    }

    /// Lines may end as they do on any system, and go on doing so.
    @Test(arguments: ["\r\n", "\r", "\n"]) func theEndsOfLinesStay(_ end: String) throws {
        let text = "# X.\nkey t: Int\n    security none\nphone set t 5\n\nexpect phone t 6\n".replacing("\n", with: end)
        let bench = Bench.real(["a.scenario": text])
        let ending = bench.run("run --update a.scenario")
        #expect(ending.status == .passed, "\(ending.output)")
        #expect(bench.files.text("a.scenario") == text.replacing("t 6", with: "t 5"))
    }

    @Test func whatRowsWantDifferentlyStays() throws {
        let rows = "examples\n    | v   |\n    | \"a\" |\n    | \"b\" |\nphone set theme $v\nexpect phone theme \"c\""
        let (ending, text) = try updated(rows)
        #expect(text == rows + "\n" && ending.output.contains("its runs found different values"), "\(ending.output)")
    }

    /// Behind a line on which rows do not agree no row is looked at, so nothing is written there that holds of the first alone.
    @Test func whatOnlyOneRowSawIsNotWritten() throws {
        let text = """
            # Rows.

            key s: String
                security none
            key t: String
                security none

            examples
                | which |
                | "a" |
                | "b" |

            phone set s $which
            phone set t $which
            expect phone s "x"
            expect phone t "b"

            """
        let bench = Bench.real(["a.scenario": text])
        #expect(bench.run("run --update a.scenario").status == .failed)
        #expect(bench.files.text("a.scenario") == text)
        let rows = "\nexamples\n    | which |\n    | \"a\" |\n    | \"b\" |\n"
        let sweep = text.replacing(rows, with: "").replacing("$which", with: "\"a\"").replacing("expect phone t", with: "expect phone s")
            .replacing("expect phone s \"x\"", with: "phone set s \"b\" crashes at every operation\nphone launch\nexpect phone s \"x\"")
        try bench.files.write(Data(sweep.utf8), to: "a.scenario")
        #expect(bench.run("run --update a.scenario").status == .failed)
        #expect(bench.files.text("a.scenario") == sweep)
    }

    @Test func aCanaryAndAFileThatPassesStay() throws {
        let canary = "# Must fail.\n# Canary: 1\n\nkey a: Int\n    security  none\n\nphone set a 1\nexpect phone a 2\n"
        let bench = Bench.real(["c.scenario": canary, "p.scenario": NewScenario.text(title: "P")])
        let ending = bench.run("run --update c.scenario p.scenario")
        #expect(ending.status == .passed && ending.output == "nothing to update\n")
        #expect(bench.files.text("c.scenario") == canary)
        #expect(bench.run("run --update --until 3 p.scenario").status == .usage)
    }

    /// Somebody stops it while the scenarios of a file run: that file is left, also what was found in it before.
    /// The fourth run is the last one of the first file, and would confirm what was found.
    @Test(arguments: [1, 2, 4]) func whatWasNotVerifiedIsNotWritten(after runs: Int) throws {
        let text = Self.text + "expect phone theme \"light\"\nexpect phone count 4\n"
        var bench = Bench.real(["a.scenario": text, "b.scenario": text])
        let (interruption, count) = (bench.interruption, Bench.Counter())
        bench.beforeRunOfRealEngine { if count.next() == runs { interruption.request() } }
        let ending = bench.run("run --update a.scenario b.scenario --orders 1")
        #expect(ending.status == .interrupted && ending.output == "interrupted: 0 expectations updated\n", "\(ending.output)")
        #expect(count.value == runs)
        #expect(bench.files.text("a.scenario") == text && bench.files.text("b.scenario") == text)
    }

    @Test func whatSomebodyWritesMeanwhileStays() throws {
        var bench = Bench.real(["a.scenario": Self.text + "expect phone theme \"light\"\n"])
        let files = bench.files
        let edited = Self.text + "expect phone theme \"light\"\n# Mine.\n"
        bench.beforeRunOfRealEngine { try? files.write(Data(edited.utf8), to: "a.scenario") }
        let ending = bench.run("run --update a.scenario")
        #expect(ending.status == .cannotRun && ending.output.hasSuffix("\n0 expectations updated, 1 failure left\n"), "\(ending.output)")
        #expect(ending.errors.contains("cannot update a.scenario: it was changed meanwhile"), "\(ending.errors)")
        #expect(files.text("a.scenario") == edited)
    }
}
