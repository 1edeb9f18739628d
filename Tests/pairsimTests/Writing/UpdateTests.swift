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
        ("expect phone session isReachable false", "expect phone session isReachable true"),
    ])
    func aValueIsWritten(_ line: String, _ expected: String) throws {
        let (ending, text) = try updated(line)
        #expect(text == expected + "\n")
        #expect(ending.status == .passed, "\(ending.output)")
        #expect(ending.output.contains("\n-expect ") && ending.output.contains("\n+expect "))
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

    @Test func aCanaryAndAFileThatPassesStay() throws {
        let canary = "# Must fail.\n# Canary: 1\n\nkey a: Int\n    security  none\n\nphone set a 1\nexpect phone a 2\n"
        let bench = Bench.real(["c.scenario": canary, "p.scenario": NewScenario.text(title: "P")])
        let ending = bench.run("run --update c.scenario p.scenario")
        #expect(ending.status == .passed && ending.output == "nothing to update\n")
        #expect(bench.files.text("c.scenario") == canary)
        #expect(bench.run("run --update --until 3 p.scenario").status == .usage)
    }
}
