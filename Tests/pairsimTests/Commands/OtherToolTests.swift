import Foundation
import TestSupport
import Testing

@testable import PairsimTool

/// `explore --against`, and `account`, which answers it.
@Suite struct OtherToolTests {
    private static let scenario = "# A theme.\n\nkey theme: String\n    security  none\n\nphone set theme \"dark\"\n"

    private func question(_ text: String, isWhole: Bool = false) throws -> String {
        String(decoding: try #require(AccountTalk.line(AccountTalk.Question(scenario: text, isWhole: isWhole))), as: UTF8.self)
    }

    private func answers(_ output: String) throws -> [AccountTalk.Answer] {
        let lines = output.split(separator: "\n")
        let greeting = try #require(lines.first.flatMap { AccountTalk.message(AccountTalk.Greeting.self, in: Array($0.utf8)) })
        #expect(greeting.accounts == AccountTalk.version && greeting.pairsim == HelpText.versionNumber)
        return try lines.dropFirst().map { try #require(AccountTalk.message(AccountTalk.Answer.self, in: Array($0.utf8))) }
    }

    @Test func anAccountSaysWhatAScenarioComesTo() throws {
        let (short, whole) = (try question(Self.scenario), try question(Self.scenario, isWhole: true))
        // Bytes come as they come.
        let half = short.index(short.startIndex, offsetBy: 20)
        let ending = Bench.real(
            [:], input: [String(short[..<half]), String(short[half...]) + whole + "no question\n" + (try question("phone"))]
        )
        .run("account")
        #expect(ending.status == .passed && ending.errors.isEmpty)
        let answers = try answers(ending.output)
        #expect(answers.count == 4)
        #expect(answers[0].account?.fingerprint.count == 16 && answers[0].account?.events == [])
        #expect(answers[0].account?.fingerprint == answers[1].account?.fingerprint)
        #expect(answers[1].account?.events.contains { $0.contains("storage.set") } == true)
        #expect(answers[2].account == nil && answers[3].account == nil)
        #expect(!ending.output.contains("dark"), "an account has no values")
    }

    @Test func anAccountIsJSONAlready() {
        let ending = Bench.real([:]).run("account --json")
        #expect(ending.status == .usage && ending.output.contains("account answers in JSON"))
    }

    private func explore(_ tool: String, _ options: String = "--runs 3") -> Bench.Ending {
        Bench.real(["theme.scenario": Self.scenario]).run("explore theme.scenario --against \(tool) \(options)")
    }

    @Test func aBuildThatIsNoneIsRefused() throws {
        let absent = explore("/nowhere/pairsim")
        #expect(absent.status == .cannotRun)
        #expect(absent.errors.contains("cannot compare with /nowhere/pairsim: there is no such file"))
        #expect(explore("/bin").errors.contains("cannot compare with /bin: it is a folder"))
        let other = explore("/bin/true")
        #expect(other.status == .cannotRun && other.errors.contains("it does not answer as `pairsim account` does"))
    }

    @Test(arguments: ["--exhaustive", "--resume progress.json"]) func whatIsNotComparedIsRefused(option: String) {
        let ending = explore("/bin/true", option)
        #expect(ending.status == .usage && ending.errors.contains("leave"))
    }

    /// A program that greets as a build does, and then does what a test says.
    private func fake(_ name: String, _ rest: String) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("pairsim-fake-\(name)-\(getpid())")
        try Data("#!/bin/sh\necho '{\"accounts\":\(AccountTalk.version),\"pairsim\":\"0\"}'\n\(rest)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return file
    }

    /// What cannot be compared counts as no agreement: it is said.
    @Test(arguments: [
        ("dead", "exit 1"), ("silent", "while read -r line; do echo '{}'; done"), ("wrong", "while read -r line; do echo 'what?'; done"),
    ])
    func whatItDoesNotAnswerIsSaid(name: String, rest: String) throws {
        let file = try fake(name, rest)
        defer { try? FileManager.default.removeItem(at: file) }
        let bench = Bench.real(["theme.scenario": Self.scenario])
        let ending = bench.run("explore theme.scenario --against \(file.path) --runs 3 --report json=a.json --report junit=a.xml")
        // Nothing is known of what the change does: that is no success.
        #expect(ending.status == .cannotRun)
        #expect(ending.errors.contains("nothing was compared with \(file.path)"))
        #expect(ending.errors.contains("not compared, and nothing held against them: 3 runs "))
        #expect(ending.output.contains("0 compared, no failure"))
        let (json, junit) = (try #require(bench.files.text("a.json")), try #require(bench.files.text("a.xml")))
        #expect(json.contains("\"made\": 0") && json.contains(name == "silent" ? "\"unknown\": 3" : "\"ended\": 3"))
        #expect(junit.contains("classname=\"sameness\"") && junit.contains("skipped=\"1\""))
    }

    /// Nor does one that goes on saying something.
    @Test func whatSaysNoLineIsLate() throws {
        let file = try fake("endless", "read -r line; while :; do printf xxxxxxxxxxxxxxxx; done")
        defer { try? FileManager.default.removeItem(at: file) }
        let tool = try OtherTool(path: file.path, patience: 0.1)
        #expect(tool.account(of: Self.scenario, isWhole: false) {} == .none(.late))
    }

    /// A scenario without keys is compared, as those of a corpus are.
    @Test(.enabled(if: builtTool != nil, "the built pairsim is not beside the tests")) func aScenarioWithoutKeysIsCompared() throws {
        let tool = try #require(builtTool)
        let bench = Bench.real([
            "bare.scenario": "# No keys.\n\nphone update context {\"n\": 1}\nsettle\n",
            "both/one.scenario": "# One.\n\nphone update context {\"n\": 1}\nsettle\n",
            "both/two.scenario": "# Two.\n\nphone update context {\"n\": 2}\nsettle\n",
        ])
        let ending = bench.run("explore bare.scenario --against \(tool.path)")
        #expect(ending.status == .passed && ending.output.contains("1 scenario without keys, as it is written against"), "\(ending)")
        #expect(ending.output.contains("1 run, ") && ending.output.contains("1 compared"))
        #expect(bench.run("explore bare.scenario --against \(tool.path) --only 0").output.contains("as with the other build"))
        #expect(bench.run("explore bare.scenario --against \(tool.path) --only 1").status == .nothingSelected)
        let both = bench.run("explore both --against \(tool.path)").output
        #expect(both.contains("2 runs, ") && both.contains("2 compared"), "each of them")
    }

    /// One that hangs is ended, and no run is blamed for it; nor for one whose answer goes on and on.
    @Test(arguments: ["exec sleep 600", "while :; do printf x; done"]) func anAnswerHasATime(rest: String) throws {
        let file = try fake("hanging\(rest.utf8.count)", "read -r line; \(rest)")
        defer { try? FileManager.default.removeItem(at: file) }
        let tool = try OtherTool(path: file.path, patience: 0.1)
        #expect(tool.fault == nil)
        var waited = 0
        #expect(tool.account(of: Self.scenario, isWhole: false) { waited += 1 } == .none(.late))
        #expect(waited > 0 && tool.fault == nil)
        for _ in 0..<2 { #expect(tool.account(of: Self.scenario, isWhole: false) {} == .none(.late)) }
        #expect(tool.fault?.reason.contains("it has not answered 3 times in a row") == true)
        #expect(tool.account(of: Self.scenario, isWhole: false) {} == .none(.late), "it is asked no more")
    }

    /// Nor is a search of hours, of which nothing is compared.
    @Test func aSearchEndsWithItsComparison() throws {
        let file = try fake("dying", "read -r line; exit 1")
        defer { try? FileManager.default.removeItem(at: file) }
        let ending = explore(file.path, "--runs 400 --jobs 1")
        #expect(ending.status == .cannotRun)
        #expect(ending.errors.contains("ends here: it has ended, or said something else, 20 times in a row"))
        #expect(ending.output.contains("20 runs, "))
    }

    @Test func anotherFormatOfAccountsIsRefused() throws {
        let file = try fake("later", "").deletingLastPathComponent().appendingPathComponent("pairsim-later-\(getpid())")
        try Data("#!/bin/sh\necho '{\"accounts\":\(AccountTalk.version + 1),\"pairsim\":\"9.9\"}'\nread -r line\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        defer { try? FileManager.default.removeItem(at: file) }
        let ending = explore(file.path)
        #expect(
            ending.status == .cannotRun
                && ending.errors.contains(
                    "it is pairsim 9.9, whose accounts have format \(AccountTalk.version + 1); this build reads \(AccountTalk.version)")
        )
    }

    /// Each run differs from one that says so.
    @Test func aRunThatDiffersIsTold() throws {
        let account = try #require(RunAccount(ofText: Self.scenario, options: RunOptions(), isWhole: true))
        let answer = try #require(AccountTalk.line(AccountTalk.Answer(account: account)).map { String(decoding: $0, as: UTF8.self) })
        let file = try fake("other", "while read -r line; do cat <<'END'\n\(answer)END\ndone")
        defer { try? FileManager.default.removeItem(at: file) }
        let ending = explore(file.path, "--runs 3")
        #expect(ending.status == .failed)
        #expect(ending.output.contains("sameness: a run comes out as with the other build"))
        #expect(ending.output.contains("--against \(file.path)"), "the command that makes the run again")
        #expect(!ending.output.contains("in the passing run"))
    }

    @Test(.enabled(if: builtTool != nil, "the built pairsim is not beside the tests")) func theBuildItselfDiffersInNothing() throws {
        let tool = try #require(builtTool)
        let ending = explore(tool.path, "--runs 40 --own-keys --jobs 2")
        #expect(ending.status == .passed, "\(ending.output)\(ending.errors)")
        #expect(!ending.errors.contains("not compared") && ending.output.contains("40 compared, no failure"))
    }
}
