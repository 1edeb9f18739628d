import Testing

@testable import PairsimTool

struct ArgumentParserTests {
    @Test(arguments: [
        ["run", "--seed", "7", "--jobs", "4", "a", "b"],
        ["run", "--seed=7", "--jobs=4", "a", "b"],
        ["run", "a", "-j", "4", "b", "--seed=0x7"],
        ["run", "-j4", "a", "--seed", "1", "--seed", "7", "b"],
        ["run", "-j=4", "--seed=7", "--", "a", "b"],
    ])
    func waysOfSayingTheSame(arguments: [String]) throws {
        let command = try ArgumentParser.parse(arguments)
        #expect(command.name == .run)
        #expect(command.operands == ["a", "b"])
        #expect(command.number(.seed) == 7)
        #expect(command.number(.jobs) == 4)
    }

    @Test func afterTwoDashesEverythingIsAPath() throws {
        let command = try ArgumentParser.parse(["run", "--", "--seed", "-", "--"])
        #expect(command.operands == ["--seed", "-", "--"])
        #expect(!command.has(.seed))
    }

    @Test func repeatedOptionsAddUpWhereTheyMay() throws {
        let command = try ArgumentParser.parse(["run", "--tag", "a", "--tag=b", "--skip-tag", "c", "--filter", "x", "--filter", "y"])
        #expect(command.texts(.tag) == ["a", "b"])
        #expect(command.texts(.skipTag) == ["c"])
        #expect(command.text(.filter) == "y")
    }

    @Test func aLoneDashIsAValue() throws {
        #expect(try ArgumentParser.parse(["run", "--trace", "-"]).text(.trace) == "-")
        #expect(try ArgumentParser.parse(["run", "--filter=-x"]).text(.filter) == "-x")
    }

    @Test func shortSwitchesStandTogether() throws {
        let command = try ArgumentParser.parse(["run", "-vj3"])
        #expect(command.has(.verbose))
        #expect(command.number(.jobs) == 3)
    }

    @Test(arguments: [["--help"], ["-h"], ["help"]])
    func helpWithoutCommand(arguments: [String]) throws {
        #expect(try ArgumentParser.parse(arguments) == ParsedCommand(name: .help))
    }

    @Test func helpIsGivenWhateverElseIsWrong() throws {
        #expect(try ArgumentParser.parse(["run", "--help", "-qv"]).has(.help))
        #expect(try ArgumentParser.parse(["completions", "-h"]).has(.help))
    }

    @Test(
        arguments: [
            ("0", 0), ("18446744073709551615", UInt64.max), ("0x1F", 31), ("1_000_000", 1_000_000), ("-1", nil), ("+1", nil), ("", nil),
            ("1.5", nil),
            ("18446744073709551616", nil), ("0x", nil), ("ten", nil), ("_1", nil), ("٣", nil),
        ] as [(String, UInt64?)])
    func numbers(text: String, number: UInt64?) {
        #expect(ArgumentParser.number(text) == number)
    }

    @Test(
        arguments: [
            ([], "Say what to do", nil),
            (["rnu"], "no command \"rnu\"", "pairsim run"),
            (["formt"], "no command \"formt\"", nil),
            (["chekc"], "no command", "pairsim check"),
            (["Scenarios/sync"], "\"Scenarios/sync\" is not a command", "pairsim run Scenarios/sync"),
            (["a b.scenario"], "is not a command", "pairsim run 'a b.scenario'"),
            (["run", "--sed", "1"], "run has no option --sed", "--seed"),
            (["run", "--ordres=1"], "run has no option --ordres", "--orders"),
            (["run", "-seed", "1"], "run has no option -seed", "--seed"),
            (["run", "-x"], "run has no option -x", nil),
            (["run", "--strict"], "run has no option --strict; it belongs to audit", nil),
            (["check", "--seed", "1"], "check has no option --seed; it belongs to run", nil),
            (["run", "--seed"], "--seed needs a value: --seed N", nil),
            (["run", "--seed", "--quiet"], "--seed needs a value", nil),
            (["run", "--seed", "x"], "--seed needs a whole number from 0, not \"x\"", nil),
            (["run", "--seed", "-1"], "--seed needs a whole number from 0, not \"-1\"", nil),
            (["run", "--jobs", "0"], "--jobs needs a whole number from 1 to 512, not \"0\"", nil),
            (["run", "--filter", ""], "--filter needs a value", nil),
            (["run", "--color", "alway"], "--color is one of auto, always, never", "--color always"),
            (["run", "--quiet=yes"], "--quiet takes no value", "--quiet"),
            (["run", "-q", "-v"], "exclude each other", nil),
            (
                ["run", "--report", "junti=x"], "knows the formats junit, json, tap, html, mermaid, perfetto, not \"junti\"",
                "--report junit=x"
            ),
            (["run", "--report", "junit"], "--report needs a file: --report junit=FILE", nil),
            (["run", "--report", "json="], "--report needs a file", nil),
            (["run", ""], "A path is empty", nil),
            (["--seed", "1", "run"], "--seed stands before the command", nil),
            (["--sede"], "There is no option --sede", "--seed"),
            (["completions", "bsh"], "needs one SHELL: bash, zsh, fish", "pairsim completions bash"),
            (["completions"], "needs one SHELL", nil),
            (["help", "rum"], "no command \"rum\"", "pairsim run"),
        ] as [([String], String, String?)])
    func whatIsWrongIsSaid(arguments: [String], message: String, suggestion: String?) throws {
        let error = try #require(throws: UsageError.self) { try ArgumentParser.parse(arguments) }
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.suggestion == suggestion)
    }

    @Test func usageErrorsSayWhereHelpIs() {
        let ending = Bench().run("run --sed 1")
        #expect(ending.status == .usage)
        #expect(ending.output.isEmpty)
        #expect(ending.errors == "pairsim: run has no option --sed.\nDid you mean: --seed\nTry: pairsim run --help\n")
    }

    @Test func hostileArgumentsDoNotReachTheTerminal() {
        let ending = Bench().run(["run", "--\u{1B}[2J"])
        #expect(!ending.errors.contains("\u{1B}"))
    }
}
