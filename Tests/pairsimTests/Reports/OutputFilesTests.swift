import Foundation
import Synchronization
import Testing

@testable import PairsimTool

/// No report replaces what is read, and no two go to one file.
@Suite struct OutputFilesTests {
    @Test(arguments: [
        "run a.scenario --report json=a.scenario", "run a.scenario --report html=./b.SCENARIO",
        "run a.scenario --report tap=shared/keys.inc",
        "run a.scenario --trace a.scenario", "explore a.scenario --report json=a.scenario",
        "run a.scenario --report json=out --report junit=out", "run a.scenario --report json=out --report junit=./x/../out",
        "run a.scenario --report json=out --trace ./out", "explore --report json=out --report junit=out",
        "run a.scenario --report html=link", "merge one.json --report json=one.json", "merge one.json --report json=./one.json",
    ])
    func isRefused(line: String) {
        var bench = Bench(["a.scenario": .passing()])
        bench.files = MemoryFiles(["a.scenario", "one.json"], links: ["link": "a.scenario"])
        let ending = bench.run(line)
        #expect(ending.status == .usage)
        #expect(ending.errors.contains("a file of its own") || ending.errors.contains("another ending"))
        #expect(bench.files["a.scenario"]?.isEmpty == true && bench.files["one.json"]?.isEmpty == true && bench.files["out"] == nil)
    }

    private static let notes = [
        "milk, eggs\n", "{\"format\": \"mine\"}", "<?xml version=\"1.0\"?>\n<testsuites name=\"swift test\">",
        "TAP version 14\n1..1\nok 1\n", "TAP version 14\n# pairsim is great\n1..1\nok 1\n",
        "TAP version 14\n# pairsim 0.1.0, seed of doubt\n1..1\n", "TAP version 14\n# pairsim 0.1.0, seed 1\nok 1\n",
        "<!DOCTYPE html>\n<title>pairsim: what I think of it</title>", "sequenceDiagram\n    a->>b: x\n",
        "{\"device\":\"phone\",\"kind\":\"app.launch\",\"process\":1,\"time\":0}\n", " ",
    ]

    /// Somebody's own file is left alone, before any work is done for the report.
    @Test(
        arguments: notes, ReportFormat.allCases.map { "--report \($0)=mine" } + ["--trace mine", "--report json={name}", "--trace folder/"])
    func whatSomebodyWroteIsLeftAlone(text: String, option: String) throws {
        var bench = Bench(["a.scenario": .passing()])
        let path = option.contains("{") ? "a" : option.contains("/") ? "folder/a.jsonl" : "mine"
        try bench.files.write(Data(text.utf8), to: path)
        let runs = Bench.Counter()
        bench.beforeRun = { _, _ in _ = runs.next() }
        let ending = bench.run("run a.scenario \(option)")
        #expect(ending.status == .cannotRun && ending.errors.contains("\(path): pairsim did not write what is there"))
        #expect(bench.files.text(path) == text)
        #expect(runs.value == (path == "folder/a.jsonl" ? 1 : 0))
    }

    @Test(arguments: ["explore --runs 1 --report json=mine", "merge one.json --report html=mine"])
    func norByAnotherCommand(line: String) throws {
        let bench = Bench(["a.scenario": .passing()])
        #expect(bench.run("run a.scenario --report json=one.json").status == .passed)
        try bench.files.write(Data("milk\n".utf8), to: "mine")
        let ending = bench.run(line)
        #expect(ending.status == .cannotRun && ending.errors.contains("mine: pairsim did not write what is there"))
        #expect(bench.files.text("mine") == "milk\n")
    }

    /// What an earlier run wrote is gone before the first scenario is run: of a run that is killed nobody is to find the report of another day.
    @Test(arguments: ReportFormat.allCases.map { "--report \($0)=out" } + ["--report json={name}.json"])
    func whatWasWrittenBeforeIsGoneFromTheBeginning(option: String) throws {
        var bench = Bench(["a.scenario": .passing()])
        let path = option.contains("{") ? "a.json" : "out"
        #expect(bench.run("run a.scenario \(option)").status == .passed)
        #expect(bench.files.text(path)?.isEmpty == false)
        let files = bench.files
        let seen = Mutex<[String?]>([])
        bench.beforeRun = { _, _ in seen.withLock { $0.append(files.text(path)) } }
        #expect(bench.run("run a.scenario \(option)").status == .passed)
        #expect(seen.withLock { $0 } == [""])
        #expect(bench.files.text(path)?.isEmpty == false)
    }

    /// Where nothing is run at all, an earlier report says no more than after a run that was killed.
    @Test(arguments: [
        ("run a.scenario --filter zzz", 4), ("run nowhere.scenario", 3), ("run a.scenario --report tap=mine", 3),
        ("merge empty.json", 3), ("merge nowhere.json", 3), ("merge folder", 4), ("merge one.json nowhere.json --report tap=mine", 3),
        ("explore --runs 1 --save mine", 3),
    ])
    func nothingOfBeforeStaysWhereNothingIsRun(line: String, status: Int32) throws {
        let bench = Bench(["a.scenario": .passing()])
        #expect(bench.run("run a.scenario --report junit=out.xml --report json=one.json").status == .passed)
        try bench.files.write(Data(), to: "empty.json")
        try bench.files.write(Data("milk\n".utf8), to: "mine")
        try bench.files.write(Data(), to: "folder/notes.txt")
        #expect(bench.files.text("out.xml")?.isEmpty == false)
        let ending = bench.run("\(line) --report junit=out.xml")
        #expect(ending.status.rawValue == status, "\(ending.errors)")
        #expect(bench.files.text("out.xml")?.isEmpty == true && bench.files.text("mine") == "milk\n")
    }

    @Test func aSearchDoesSoToo() throws {
        var bench = Bench(["a.scenario": .passing()])
        bench.realEngine = nil
        #expect(bench.run("run a.scenario --report json=out").status == .passed)
        _ = bench.run("explore nothing.scenario --report json=out")
        #expect(bench.files.text("out") == "")
    }

    /// Whatever its format is, and whichever comes next.
    @Test(arguments: ReportFormat.allCases.map { "--report \($0)=out" } + ["--report mermaid=out.mmd", "--trace out"])
    func whatPairsimWroteIsReplaced(option: String) throws {
        let bench = Bench.real(["a.scenario": "# A.\n\nwait 1s\n", "b.scenario": "# B.\n\nexpect watch is off\n"])
        let path = option.hasSuffix(".mmd") ? "out.mmd" : "out"
        for file in ["a", "b"] {
            _ = bench.run("run \(file).scenario \(option)")
            let first = bench.files[path]
            #expect(first?.isEmpty == false)
            let ending = bench.run("run a.scenario --report json=\(path)")
            #expect(ending.status == .passed && ending.errors.isEmpty && bench.files.text(path)?.contains(JSONReport.format) == true)
            try bench.files.write(first ?? Data(), to: path)
        }
        try bench.files.write(Data(), to: path)
        #expect(bench.run("run a.scenario \(option)").status == .passed)
    }

    /// Keys are sorted, and what a search exercised or a long title comes before what says whose file it is.
    @Test func whatSaysItLateIsReplacedToo() throws {
        let long = String(repeating: "a long title ", count: 1_000)
        let bench = Bench.real(["a.scenario": "# \(long)\n\nwait 1s\n"])
        let lines = ["explore --runs 1 --jobs 1 --coverage --report json=out.json", "run a.scenario --trace out.jsonl"]
        for line in lines + lines {
            let ending = bench.run(line)
            #expect(ending.status == .passed && ending.errors.isEmpty, "\(ending.errors)")
        }
        let report = try #require(bench.files["out.json"])
        #expect(try #require(report.range(of: Data("\"format\"".utf8))).lowerBound > ReportRecognition.startLength)
        let notes = "{\n  \"content\": \"\(String(repeating: "\\n  \\\"format\\\": ", count: 500))\",\n  \"format\": \"mine\"\n}\n"
        try bench.files.write(Data(notes.utf8), to: "mine")
        #expect(bench.run("run a.scenario --report json=mine").status == .cannotRun && bench.files.text("mine") == notes)
    }

    /// A test runner may make the file before, and a variable that somebody forgot may name any.
    @Test func theFileOfATestRunnerIsReplacedWhereItIsEmptyOrOurs() throws {
        var bench = Bench(["a.scenario": .passing()])
        bench.environment["XML_OUTPUT_FILE"] = "test.xml"
        try bench.files.write(Data(), to: "test.xml")
        for _ in 1...2 {
            #expect(bench.run("run a.scenario").status == .passed)
            #expect(bench.files.text("test.xml")?.contains("pairsim") == true)
        }
        let runs = Bench.Counter()
        bench.beforeRun = { _, _ in _ = runs.next() }
        for text in ["precious\n", "<testsuites/>"] {
            try bench.files.write(Data(text.utf8), to: "test.xml")
            for line in ["run a.scenario", "explore --runs 1"] {
                let ending = bench.run(line)
                #expect(ending.status == .cannotRun, "\(line)")
                #expect(
                    ending.errors.contains("cannot write the junit report that XML_OUTPUT_FILE names test.xml: pairsim did not write"),
                    "\(ending.errors)")
                #expect(bench.files.text("test.xml") == text && runs.value == 0)
            }
        }
    }

    @Test func reportsOfTheirOwnAreWritten() {
        let bench = Bench(["a.scenario": .passing()])
        #expect(bench.run("run a.scenario --report json=out.json --report junit=out.xml --report tap=x/out.json").status == .passed)
        #expect(bench.files.paths == ["a.scenario", "out.json", "out.xml", "x/out.json"])
        // A second run replaces the reports of the first.
        #expect(bench.run("run a.scenario --report json=out.json").status == .passed)
    }
}
