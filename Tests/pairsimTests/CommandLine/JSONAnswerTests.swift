import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

/// `--json`: one object on standard output, whatever happens.
struct JSONAnswerTests {
    private struct Answer {
        let command: String?
        let status: Int64
        let errors: [JSONValue]
        let result: JSONValue

        init(_ ending: Bench.Ending) throws {
            let members = try JSONValue(reading: Data(ending.output.utf8)).members("the answer")
            #expect(try members.number("version") == JSONAnswer.version)
            #expect(Set(members.values.keys) == ["command", "errors", "result", "status", "version"])
            command = try members.optionalText("command")
            status = try members.number("status")
            errors = try members.list("errors")
            result = members.values["result"] ?? .null
            #expect(status == Int64(ending.status.rawValue))
        }
    }

    /// Every command answers so, of a made-up world in which some of them have nothing to do.
    @Test(arguments: CommandName.allCases)
    func everyCommandAnswers(_ name: CommandName) throws {
        let bench = Bench(["Scenarios/a.scenario": .passing("One.")])
        let answer = try Answer(bench.run([name.rawValue, "--json"] + (name == .explore ? ["--runs", "2"] : [])))
        #expect(answer.command == name.rawValue)
        if answer.status != 0 { #expect(!answer.errors.isEmpty, "\(name) says nothing of why") }
    }

    @Test func usageIsAnsweredToo() throws {
        let answer = try Answer(Bench().run("rnu --json"))
        #expect(answer.command == nil && answer.status == 64)
        let error = try #require(answer.errors.first).members("error")
        #expect(try error.text("suggestion") == "pairsim run")
        #expect(Bench().run("run --json --report json=-").output.contains("Standard output"))
        #expect(Bench().run("explain -- --json").output.hasPrefix("--json  option\n"))
    }

    @Test func aRunIsItsReport() throws {
        let bench = Bench(["Scenarios/a.scenario": .failing()])
        let ending = bench.run("run --json")
        #expect(ending.status == .failed && ending.errors.isEmpty)
        let report = try Answer(ending).result.members("report")
        #expect(try report.text("format") == "pairsim-report")
        #expect(try report.list("runs").count == 1)
    }

    @Test(arguments: ["check --json", "run --json"]) func problemsHaveTheirPlaces(_ command: String) throws {
        let problem = FileProblem(path: "Scenarios/a.scenario", line: 3, column: 7, message: "no line begins with `phoen`")
        let bench = Bench(["Scenarios/a.scenario": .init(problems: [problem])])
        let answer = try Answer(bench.run(command))
        let error = try #require(answer.errors.first).members("error")
        #expect(try error.count("line") == 3)
        #expect(try error.count("column") == 7)
        if command.hasPrefix("check") { #expect(try answer.result.members("result").list("problems").count == 1) }
    }
}
