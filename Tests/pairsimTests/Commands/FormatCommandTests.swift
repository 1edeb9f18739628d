import Foundation
import Testing

@testable import PairsimTool

struct FormatCommandTests {
    private let bench = Bench([
        "Scenarios/a.scenario": .passing(), "Scenarios/b.scenario": .init(formatted: "new"),
        "Scenarios/c.scenario": .init(problems: [.init(path: "Scenarios/c.scenario", line: 2, column: 1, message: "unknown word `x`")]),
    ])

    @Test func rewritesWhatDiffers() {
        let ending = bench.run("fmt Scenarios/a.scenario Scenarios/b.scenario")
        #expect(ending.status == .passed)
        #expect(ending.output == "rewrote Scenarios/b.scenario\n1 of 2 files rewritten\n")
        #expect(bench.files.text("Scenarios/b.scenario") == "new")
        #expect(bench.files.text("Scenarios/a.scenario") == "")
    }

    @Test func aFileWithoutWordsStaysAsItIs() {
        let bench = Bench.real(["Scenarios/a.scenario": "\n\n", "Scenarios/b.scenario": ""])
        #expect(bench.run("fmt --check Scenarios").status == .passed)
        #expect(bench.run("fmt Scenarios").output == "2 files, nothing rewritten\n")
        #expect(bench.files.text("Scenarios/a.scenario") == "\n\n")
    }

    @Test func checkChangesNothing() {
        let ending = bench.run("fmt --check Scenarios/a.scenario Scenarios/b.scenario")
        #expect(ending.status == .failed)
        #expect(
            ending.output == """
                Scenarios/b.scenario is not in the canonical layout; pairsim fmt Scenarios/b.scenario rewrites it
                1 of 2 files to rewrite

                """)
        #expect(bench.files.text("Scenarios/b.scenario") == "")
    }

    @Test func leavesBrokenFilesAlone() {
        let ending = bench.run("fmt")
        #expect(ending.status == .unparsable)
        #expect(
            ending.output == """
                rewrote Scenarios/b.scenario
                Scenarios/c.scenario:2:1: error: unknown word `x`

                1 of 3 files rewritten, 1 left alone because of problems

                """)
        #expect(bench.files.text("Scenarios/c.scenario") == "")
    }

    @Test func saysWhenAFileCannotBeWritten() {
        var bench = bench
        bench.files = MemoryFiles(["Scenarios/b.scenario"], unwritable: ["Scenarios"])
        let ending = bench.run("fmt")
        #expect(ending.status == .cannotRun)
        #expect(ending.errors == "pairsim: cannot write Scenarios/b.scenario: permission denied\n")
    }

    /// Of standard input nothing is written into a file, and nothing says so.
    @Test func standardInputIsLaidOut() throws {
        let bench = Bench.real(["a.scenario": "wait 1s\n"], input: ["wait   1s"])
        let json = bench.run("fmt - a.scenario --json").output
        #expect(json.contains("\"written\": false") && json.contains("\"text\": \"wait 1s\\n\""), "\(json)")
        let check = Bench.real([:], input: ["wait   1s"])
        let ending = check.run("fmt - --check")
        #expect(
            ending.status == .failed && ending.output.hasPrefix("standard input is not in the canonical layout; pairsim fmt - lays it out"))
        let answer = Bench.real([:], input: ["wait   1s"]).run("fmt - --check --json").output
        #expect(answer.contains("\"text\": \"wait 1s\\n\"") && answer.contains("\"written\": false"), "\(answer)")
        let rewritten = Bench.real(["a.scenario": "wait   1s\n"]).run("fmt a.scenario --json").output
        #expect(rewritten.contains("\"written\": true") && rewritten.contains("\"rewritten\": [\n      \"a.scenario\""), "\(rewritten)")
    }

    @Test func nothingToDo() {
        let ending = bench.run("fmt Scenarios/a.scenario")
        #expect(ending.status == .passed)
        #expect(ending.output == "1 file, nothing rewritten\n")
        #expect(bench.run("fmt -q Scenarios/b.scenario").output.isEmpty)
    }
}
