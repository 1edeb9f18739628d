import TestSupport
import Testing

@testable import PairsimTool

struct CommandTableTests {
    @Test func everyNameIsThereOnce() {
        #expect(
            CommandTable.commands.map(\.name).sorted { $0.rawValue < $1.rawValue }
                == CommandName.allCases.sorted { $0.rawValue < $1.rawValue })
        let used = Set((CommandTable.commands.flatMap(\.options) + CommandTable.common).map(\.name))
        #expect(used == Set(OptionName.allCases))
    }

    @Test(arguments: CommandName.allCases)
    func optionsDoNotClash(name: CommandName) {
        let options = CommandTable.command(name).options + CommandTable.common
        #expect(Set(options.map(\.name)).count == options.count)
        let letters = options.compactMap(\.short)
        #expect(Set(letters).count == letters.count)
    }

    @Test(arguments: CommandTable.commands.flatMap(\.examples).map(\.line))
    func everyExampleIsACommandLine(line: String) throws {
        guard line.hasPrefix("pairsim ") else { return }
        let words = line.split(separator: " ").dropFirst().map(String.init).prefix { $0 != ">" }
        _ = try ArgumentParser.parse(Array(words))
    }

    @Test func everyStatusHasItsRank() {
        #expect(Set(ExitStatus.precedence) == Set(ExitStatus.allCases))
        #expect(ExitStatus.precedence.count == ExitStatus.allCases.count)
        #expect(ExitStatus.foremost([.failed, .unparsable, .passed]) == .unparsable)
        #expect(ExitStatus.foremost([.didNotSettle, .notDeterministic, .failed]) == .notDeterministic)
        #expect(ExitStatus.foremost([]) == .passed)
    }

    @Test(arguments: CommandName.allCases)
    func helpOfACommand(name: CommandName) {
        let ending = Bench().run([name.rawValue, "--help"])
        #expect(ending.status == .passed)
        #expect(ending.errors.isEmpty)
        for option in CommandTable.command(name).options {
            #expect(ending.output.contains(option.flag))
        }
        for line in ending.output.split(separator: "\n") {
            #expect(line.count <= 100, "\(line)")
        }
        Golden.check(ending.output, "help-\(name.rawValue).txt")
    }

    @Test func helpOverall() {
        let ending = Bench().run("--help")
        #expect(ending.status == .passed)
        Golden.check(ending.output, "help.txt")
    }

    @Test func withoutACommandHelpGoesToErrors() {
        let ending = Bench().run([])
        #expect(ending.status == .usage)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.contains("Commands:"))
    }

    @Test func version() {
        #expect(Bench().run("--version").output == "pairsim 0.1.0\n")
        #expect(Bench().run("run --version").output == "pairsim 0.1.0\n")
    }

    @Test(arguments: Completions.Shell.allCases)
    func completionsKnowEverything(shell: Completions.Shell) {
        let ending = Bench().run(["completions", shell.rawValue])
        #expect(ending.status == .passed)
        for spec in CommandTable.commands {
            #expect(ending.output.contains(spec.name.rawValue))
            for option in spec.options + CommandTable.common {
                #expect(ending.output.contains(option.name.rawValue))
            }
        }
        Golden.check(ending.output, "completions.\(shell.rawValue)")
    }
}
