import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import PairsimTool

#if canImport(FoundationXML)
    import FoundationXML
#endif

struct ReportTests {
    private var bench: Bench {
        Bench([
            "Scenarios/a.scenario": .passing("Passes.", tags: ["fast"], rules: ["W1"]),
            "Scenarios/sync/bad.scenario": .init(
                problems: [.init(path: "Scenarios/sync/bad.scenario", line: 3, column: 7, message: "unknown word `loock`")]),
            "Scenarios/sync/canary.scenario": .init(canary: 1, outcome: { _, _ in .failed(Bench.Script.theme) }),
            "Scenarios/sync/theme.scenario": .failing(),
            "Scenarios/sync/root.scenario": .init(outcome: { _, _ in .cannotRun(ScenarioFailure(message: "cannot prepare /x")) }),
        ])
    }

    @Test func junit() throws {
        let bench = bench
        let ending = bench.run("run --report junit=out/junit.xml")
        #expect(ending.status == .cannotRun)
        let text = try #require(bench.files.text("out/junit.xml"))
        Golden.check(text, "report.junit.xml")
        #expect(XMLReader.read(text)?.elements.count { $0 == "testcase" } == 5)
    }

    /// A reader of TAP takes what a plan has not for what went wrong, and says why the rest was not run.
    @Test func tapSaysThatTheRestWasNotRun() throws {
        let bench = Bench(["Scenarios/a.scenario": .failing(), "Scenarios/b.scenario": .passing()])
        _ = bench.run("run --fail-fast --report tap=out.tap")
        let text = try #require(bench.files.text("out.tap"))
        #expect(text.contains("\n1..2\n") && text.contains("\nBail out! stopped at the first failure, 1 not run\n"), "\(text)")
    }

    @Test func tap() throws {
        let bench = bench
        _ = bench.run("run --report tap=out.tap")
        Golden.check(try #require(bench.files.text("out.tap")), "report.tap")
    }

    @Test func html() throws {
        let bench = bench
        _ = bench.run("run --report html=out.html")
        let text = try #require(bench.files.text("out.html"))
        Golden.check(text, "report.html")
        // What opens must close: well-formed XML but for the declaration.
        let xml = text.replacing("<!DOCTYPE html>", with: "")
        #expect(XMLReader.read(xml)?.elements.count { $0 == "section" } == 3)
    }

    @Test func json() throws {
        let bench = bench
        _ = bench.run("run --report json=out.json --report junit=out.xml")
        let text = try #require(bench.files.text("out.json"))
        Golden.check(text, "report.json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect((object["runs"] as? [Any])?.count == 5)
        #expect(bench.files.text("out.xml") != nil)
    }

    @Test func failuresThatNobodyObservedAreListed() throws {
        let text = """
            # Loses.
            # Tags: x
            phone app does not implement didFinishUserInfoTransfer
            phone transfer user info {"a": null} as t1

            """
        let expecting = text + "settle\nexpect unobserved failures 1\n"
        var bench = Bench()
        bench.files = MemoryFiles(["s/a.scenario", "s/b.scenario"])
        bench.realEngine = .deviceSim(files: .memory(["s/a.scenario": text, "s/b.scenario": expecting]))
        let ending = bench.run("run s --orders 2 --report json=out.json --report junit=out.xml")
        #expect(ending.status == .passed)
        #expect(
            ending.output.hasSuffix(
                """
                Failures that nobody observed
                  s/a.scenario
                    50ms phone: user info 1 failed with payloadUnsupportedTypes, and nobody was told: \
                the delegate does not implement didFinish

                6 passed, 0 failed (0.00 s): 2 scenarios, 3 runs each

                """), "\(ending.output)")
        let object = try JSONSerialization.jsonObject(with: Data((bench.files.text("out.json") ?? "").utf8)) as? [String: Any]
        let runs = try #require(object?["runs"] as? [[String: Any]])
        let counts = runs.map { ($0["unobservedFailures"] as? [Any])?.count }
        #expect(counts == [1, 1, 1, 0, 0, 0])
        let xml = bench.files.text("out.xml") ?? ""
        #expect(xml.components(separatedBy: "<system-out>50ms phone: user info 1").count == 4)
        #expect(XMLReader.read(xml) != nil)
    }

    /// Of several runs of a scenario what none of them came to; of a step that crashes at every operation what none of its points did.
    @Test func faultsThatWereNeverTriggeredAreListed() throws {
        let key = "key note: String\n    domain    fileSystem documents\n    security  none\n"
        let late =
            "# Late.\n\n\(key)\nphone disk fails rename 90 with EIO\nphone set note \"a\"\nphone crashes at operation 900 of the next step\nphone get note\n"
        let one = "# One row.\n\nexamples\n    | n |\n    | 1 |\n    | 9 |\n\n\(key)\nphone keychain fails add $n with errSecIO\n"
        let sealed = one + "phone disk fails every rename with EIO\nphone set note \"a\" fails inputOutput\n"
        let sweep =
            "# Sweep.\n\n\(key)\nphone set note \"a\" crashes at every operation\nphone launch\nphone disk fails next create with EIO\nphone set note \"b\" fails inputOutput\n"
        let texts = ["s/late.scenario": late, "s/row.scenario": sealed, "s/sweep.scenario": sweep]
        var bench = Bench()
        bench.files = MemoryFiles(texts.keys.sorted())
        bench.realEngine = .deviceSim(files: .memory(texts))
        let ending = bench.run("run s --orders 1 --report json=out.json --report junit=out.xml --report html=out.html")
        #expect(ending.status == .passed, "\(ending.output)")
        #expect(
            ending.output.hasSuffix(
                """
                Faults that were never triggered
                  s/late.scenario
                    s/late.scenario:7: phone disk fails rename 90 with EIO
                    s/late.scenario:9: phone crashes at operation 900 of the next step
                  s/row.scenario[1]  n 1
                    s/row.scenario:12: phone keychain fails add $n with errSecIO (phone keychain fails next add with errSecIO)
                  s/row.scenario[2]  n 9
                    s/row.scenario:12: phone keychain fails add $n with errSecIO (phone keychain fails add 9 with errSecIO)

                8 passed, 0 failed (0.00 s): 4 scenarios, 2 runs each

                """), "\(ending.output)")
        let object = try JSONSerialization.jsonObject(with: Data((bench.files.text("out.json") ?? "").utf8)) as? [String: Any]
        let runs = try #require(object?["runs"] as? [[String: Any]])
        #expect(runs.map { ($0["untriggeredFaults"] as? [Any])?.count } == [2, 2, 1, 1, 1, 1, 0, 0])
        #expect(bench.files.text("out.xml")?.contains("rename 90 with EIO: this fault was not triggered in this run") == true)
        // A report of a version that did not know of this is read as one without.
        let merged = bench.run("merge out.json --report json=all.json")
        #expect(merged.status == .passed && bench.files.text("all.json")?.contains("rename 90") == true, "\(merged.errors)")
        try bench.files.write(
            Data((bench.files.text("out.json") ?? "").replacing("untriggeredFaults", with: "unknown").utf8), to: "old.json")
        #expect(bench.run("merge old.json --report json=all.json").status == .passed)
    }

    private static let late =
        "# Late.\n\nkey note: String\n    domain    fileSystem documents\n    security  none\n\nphone disk fails rename 90 with EIO\nphone set note \"a\"\n"

    /// Whoever reads a report, a log or the page of a job is told.
    @Test func everyOutputTellsThem() throws {
        var bench = Bench.real(["a.scenario": Self.late])
        bench.environment["GITHUB_STEP_SUMMARY"] = "sum.md"
        let outputs = ["json", "junit", "tap", "html", "mermaid"].map { "--report \($0)=\($0).txt" }.joined(separator: " ")
        #expect(bench.run("run a.scenario \(outputs)").status == .passed)
        for path in ["json.txt", "junit.txt", "tap.txt", "html.txt", "mermaid.txt", "sum.md"] {
            #expect(bench.files.text(path)?.contains("rename 90 with EIO") == true, "\(path): \(bench.files.text(path) ?? "")")
        }
        #expect(bench.files.text("tap.txt")?.contains("\n# Faults that were never triggered\n#   a.scenario\n") == true)
        #expect(bench.run("watch a.scenario").output.contains("Faults that were never triggered\n  a.scenario\n"))
        for command in ["run", "watch"] {
            #expect(bench.run("\(command) a.scenario --json").output.contains("neverTriggeredFaults"))
        }
    }

    /// What was not run had no chance.
    @Test(arguments: ["--until 7", "--until 7 --orders 2"]) func aRunThatIsCutOffListsNone(_ options: String) throws {
        let bench = Bench.real(["a.scenario": Self.late])
        let ending = bench.run("run a.scenario \(options) --report json=r.json")
        #expect(ending.status == .passed && !ending.output.contains("never triggered"), "\(ending.output)")
        #expect(bench.files.text("r.json")?.contains("rename 90") == false)
        #expect(bench.run("run a.scenario --until 8").output.contains("never triggered"))
    }

    /// A run that failed did not come to its end: it hides nothing of the others, unless it triggered what they did not.
    @Test func aFailingRunHidesNothing() throws {
        let bench = Bench.real([
            "canary.scenario": Self.late.replacing("# Late.\n", with: "# Late.\n# Canary: 1\n") + "expect phone note \"b\"\n"
        ])
        let fault = UntriggeredFault(path: "a", line: 1, source: "f")
        func record(_ outcome: RunRecord.Outcome, untriggered: [UntriggeredFault] = [], triggered: [UntriggeredFault] = []) -> RunRecord {
            var record = RunRecord(name: "a", path: "a", title: "", outcome: outcome, replay: "")
            (record.untriggered, record.triggered) = (untriggered, triggered)
            return record
        }
        func told(_ records: [RunRecord], of count: Int) -> [String] {
            var tally = FaultTally(runsPerScenario: count)
            for record in records { tally.note(record) }
            return tally.entries.flatMap(\.faults)
        }
        let passed = record(.passed, untriggered: [fault])
        #expect(told([passed, record(.failed), passed], of: 3) == ["a:1: f"])
        #expect(told([passed, record(.failed, triggered: [fault]), passed], of: 3).isEmpty)
        #expect(told([passed, record(.passed)], of: 2).isEmpty)
        // Some of its runs say nothing of the others.
        #expect(told([passed, passed], of: 3).isEmpty && told([record(.failed)], of: 1).isEmpty)
        let ending = bench.run("run canary.scenario")
        #expect(ending.status == .passed && ending.output.contains("canary.scenario:8: phone disk fails rename 90"), "\(ending.output)")
    }

    @Test func allOfThemAreListedWhereAsked() throws {
        let text = Self.late + (1...8).map { "phone disk fails rename 9\($0) with EIO\n" }.joined()
        let bench = Bench.real(Dictionary(uniqueKeysWithValues: (10..<30).map { ("s/\($0).scenario", text) }))
        let short = bench.run("run s").output
        #expect(
            short.contains("    … and 4 more\n") && short.contains("  … and in 10 more scenarios\n  -v lists all of them\n"), "\(short)")
        let all = bench.run("run s -v").output
        #expect(!all.contains("… and") && all.contains("  s/29.scenario\n") && all.contains("rename 98"), "\(all)")
    }

    @Test func aReportOnStandardOutputHasItForItself() throws {
        let ending = bench.run("run --report json=-")
        _ = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        #expect(ending.errors.contains("2 passed (1 canary), 1 failed, 1 does not parse, 1 cannot run (0.00 s)\n"))
    }

    @Test func aReportThatCannotBeWrittenDoesNotHideTheResults() {
        var bench = Bench(["a.scenario": .passing()])
        bench.files = MemoryFiles(["a.scenario"], unwritable: ["/full"])
        let ending = bench.run("run a.scenario --report junit=/full/junit.xml --report json=ok.json")
        #expect(ending.status == .cannotRun)
        #expect(ending.output == "1 passed, 0 failed (0.00 s)\n")
        #expect(ending.errors == "pairsim: cannot write the junit report /full/junit.xml: permission denied\n")
        #expect(bench.files.text("ok.json") != nil)
    }

    @Test func hostileTextStaysText() throws {
        let evil = "</failure>]]>&\"'<\u{0}\u{1B}\u{FFFE}\u{FFFF}\u{85}\n\t🎧"
        let failure = ScenarioFailure(message: evil, line: 1, column: 1, source: evil, expected: evil, lastEvents: [evil])
        let bench = Bench(["Scenarios/\(evil)/x.scenario": .init(title: evil, rows: [evil], outcome: { _, _ in .failed(failure) })])
        _ = bench.run("run --report junit=out.xml --report json=out.json --report html=out.html --report tap=out.tap")
        #expect(bench.files.text("out.html")?.contains("</failure>]]") == false)
        #expect(bench.files.text("out.tap")?.split(separator: "\n").count { $0.hasPrefix("not ok") } == 1)
        let xml = try #require(XMLReader.read(bench.files.text("out.xml") ?? ""))
        #expect(xml.elements.filter { $0 != "property" } == ["testsuites", "testsuite", "properties", "testcase", "properties", "failure"])
        #expect(xml.messages == ["</failure>]]>&\"'<\n\t🎧"])
        let object = try JSONSerialization.jsonObject(with: Data((bench.files.text("out.json") ?? "").utf8)) as? [String: Any]
        let run = (object?["runs"] as? [[String: Any]])?.first
        #expect((run?["failure"] as? [String: Any])?["message"] as? String == evil)
    }

    @Test func traces() throws {
        let bench = Bench(["Scenarios/a.scenario": .passing(), "Scenarios/b.scenario": .init(rows: ["x", "y"])])
        let one = bench.run("run Scenarios/a.scenario --trace -")
        #expect(
            one.output == """
                {"device":"phone","kind":"app.launch","process":1,"time":0}
                {"device":"watch","kind":"app.launch","process":1,"time":0}
                {"device":"watch","facts":{"bytes":212,"keys":["theme"]},"kind":"context.delivered","process":1,"time":20000}

                """)
        #expect(one.errors == "1 passed, 0 failed (0.00 s)\n")

        _ = bench.run("run Scenarios/a.scenario --trace one.jsonl")
        #expect(bench.files.text("one.jsonl") == one.output)

        #expect(bench.run("run --trace all.jsonl").errors.contains("--trace with a file takes one run, and these are 3"))
        #expect(bench.run("run --trace all/").status == .passed)
        #expect(bench.run("run Scenarios/a.scenario --trace varied/ --orders 1").status == .passed)
        #expect(
            bench.files.paths.filter { $0.hasSuffix(".jsonl") } == [
                "all/Scenarios/a.jsonl", "all/Scenarios/b[1].jsonl", "all/Scenarios/b[2].jsonl", "one.jsonl",
                "varied/Scenarios/a.seed-1.order-0.jsonl", "varied/Scenarios/a.seed-1.order-1.jsonl",
            ])
    }

    @Test func aTraceThatCannotBeWrittenIsSaidOnce() {
        var bench = Bench(["a.scenario": .init(rows: ["1", "2", "3"])])
        bench.files = MemoryFiles(["a.scenario"], unwritable: ["/full"])
        let ending = bench.run("run a.scenario --trace /full/")
        #expect(ending.status == .cannotRun)
        #expect(ending.errors == "pairsim: cannot write the trace /full/a[1].jsonl: permission denied\n")
        #expect(ending.output == "3 passed, 0 failed (0.00 s)\n")
    }

    @Test(
        arguments: [(0, 3, "0.000"), (0.0005, 3, "0.001"), (12.3456, 2, "12.35"), (1, 0, "1"), (-1, 2, "0.00")] as [(Double, Int, String)])
    func decimals(value: Double, places: Int, text: String) {
        #expect(Decimals.fixed(value, places: places) == text)
    }
}

/// What an independent reader makes of a report.
private final class XMLReader: NSObject, XMLParserDelegate {
    var elements: [String] = []
    var messages: [String] = []

    static func read(_ text: String) -> XMLReader? {
        let reader = XMLReader()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = reader
        return parser.parse() ? reader : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String] = [:]
    ) {
        elements.append(name)
        if let message = attributes["message"] { messages.append(message) }
    }
}
