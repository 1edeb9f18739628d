import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import PairsimTool

/// What the reports tell of runs that fail. How the page looks and behaves in a browser is tried by `Scripts/check-viewer`.
@Suite struct ViewerTests {
    static let failing = """
        # A theme reaches </script><b>the watch</b>.

        key theme: String
            security none
            sync automaticSmall
        key pin: String
            sync automaticSmall

        link down
        phone set theme "dark"
        phone set pin "S3CRET-PIN"
        phone crash
        link up
        phone launch
        # A mark that turns the line: \u{202E}.
        expect watch pin "S3CRET-OTHER" within 5s
        """
    static let passing = "# Nothing happens.\n\nwait 1s\n"

    private func bench() -> Bench {
        var bench = Bench()
        bench.files = MemoryFiles(["s/bad.scenario", "s/good.scenario"])
        bench.realEngine = .deviceSim(files: .memory(["s/bad.scenario": Self.failing, "s/good.scenario": Self.passing]))
        return bench
    }

    private func report(_ options: String, file: String) throws -> String {
        let bench = bench()
        let ending = bench.run("run s " + options)
        #expect(ending.status == .failed, "\(ending.output) \(ending.errors)")
        return try #require(bench.files.text(file), "\(ending.errors)")
    }

    /// What the page's script reads.
    private func data(in page: String) throws -> [String: Any] {
        let begin = try #require(page.firstRange(of: "id=\"data\">")).upperBound
        let end = try #require(page[begin...].firstRange(of: "</script>")).lowerBound
        return try #require(try JSONSerialization.jsonObject(with: Data(page[begin..<end].utf8)) as? [String: Any])
    }

    @Test func aFailedRunIsToldAndAPassedOneIsALine() throws {
        let page = try report("--report html=out.html", file: "out.html")
        let stories = try #require(try data(in: page)["stories"] as? [[String: Any]])
        #expect(stories.map { $0["name"] as? String } == ["s/bad.scenario"])
        #expect(page.contains("<td>good.scenario</td><td>Nothing happens.</td><td>passed</td>"))
        let story = try #require(stories.first)
        let steps = try #require(story["steps"] as? [[String: Any]])
        #expect(steps.map { $0["outcome"] as? String } == ["passed", "passed", "passed", "passed", "passed", "passed", "failed"])
        let events = try #require(story["events"] as? [[Any]])
        #expect(events.count == story["eventCount"] as? Int)
        let looks = try #require(story["looks"] as? [[String: Any]])
        #expect(looks.count >= steps.count)
        #expect(
            (story["nearest"] as? [String: Any])?["text"] as? String
                == "None of 15 other orders and seeds passes: the failure does not hang on the order of work.")
    }

    @Test func noSecretAndNoMarkupGetsIntoThePage() throws {
        for option in ["", " --values"] {
            let page = try report("--report html=out.html" + option, file: "out.html")
            #expect(!page.contains("S3CRET"))
            #expect(!page.contains("<b>the watch"))
            #expect(page.components(separatedBy: "</script>").count == 3, "the page's own two")
            #expect(!page.contains("\u{202E}"))
            let pool = "\(try #require((try data(in: page)["stories"] as? [[String: Any]])?.first?["pool"]))"
            #expect(pool.contains("dark") == (option == " --values"))
        }
    }

    @Test func aPageOfManyEventsIsSmall() throws {
        let lines = (0..<60).map { "phone set theme \"value \($0)\"\nwait 100ms" }.joined(separator: "\n")
        var bench = Bench()
        bench.files = MemoryFiles(["s/bad.scenario"])
        let text = Self.failing.replacing("link down\n", with: lines + "\nlink down\n")
        bench.realEngine = .deviceSim(files: .memory(["s/bad.scenario": text]))
        _ = bench.run("run s --report html=out.html")
        let page = try #require(bench.files.text("out.html"))
        let story = try #require((try data(in: page)["stories"] as? [[String: Any]])?.first)
        #expect(try #require(story["eventCount"] as? Int) > 400)
        #expect(page.utf8.count < 1_000_000, "\(page.utf8.count) bytes")
    }

    @Test func veryLongRunsAreCutAndSaySo() throws {
        let lines = (0..<900).map { "phone set theme \"\($0)\"" }.joined(separator: "\n")
        var bench = Bench()
        bench.files = MemoryFiles(["s/bad.scenario"])
        bench.realEngine = .deviceSim(
            files: .memory(["s/bad.scenario": Self.failing.replacing("link down\n", with: "link down\n" + lines + "\n")]))
        _ = bench.run("run s --report html=out.html --report mermaid=out.md")
        let page = try #require(bench.files.text("out.html"))
        let story = try #require((try data(in: page)["stories"] as? [[String: Any]])?.first)
        #expect((story["events"] as? [Any])?.count == ToldRun.eventLimit)
        #expect("\(story["notes"] ?? "")".contains("--trace writes all"))
        #expect(try #require(bench.files.text("out.md")).contains("lines before this one"))
    }

    @Test func aRunThatAnotherOrderPassesIsCompared() throws {
        let racing = """
            # Two writers at one instant.

            key theme: String
                security none
                sync automaticSmall

            together
                phone set theme "a"
                watch set theme "b"
            settle
            """
        // What the order of work decides differs by scenario; here the engine says which orders pass.
        let real = ScenarioEngine.deviceSim(files: .memory(["s/race.scenario": racing]))
        var engine = real
        engine.run = { scenario, options in
            let result = real.run(scenario, options)
            guard options.order == nil || options.order == .firstInFirstOut else { return result }
            var failed = ScenarioResult(
                name: result.name, path: result.path, title: result.title, tags: [], rules: [], seed: result.seed,
                outcome: .failed(ScenarioFailure(message: "it differs")), stepCount: result.stepCount, duration: result.duration,
                trace: result.trace)
            failed.story = result.story
            return failed
        }
        var bench = Bench()
        bench.files = MemoryFiles(["s/race.scenario"])
        bench.realEngine = engine
        _ = bench.run("run s --report html=out.html")
        let page = try #require(bench.files.text("out.html"))
        let nearest = try #require((try data(in: page)["stories"] as? [[String: Any]])?.first?["nearest"] as? [String: Any])
        #expect((nearest["text"] as? String)?.hasPrefix("It passes under seed 1, order random:1.") == true)
    }

    // MARK: The other forms

    /// Lines as Mermaid's documentation of sequence diagrams has them.
    @Test func mermaidIsWritten() throws {
        let text = try report("--report mermaid=out.mmd", file: "out.mmd")
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.first == "sequenceDiagram")
        let words = ##"[^;:<>{}\[\]"`]*((#[0-9]+;)[^;:<>{}\[\]"`]*)*"##
        let forms = try [
            "    %% [a-z ]*", "    participant (phone|watch)", "    Note over (phone|watch)(,watch)?: " + words,
            "    (phone|watch)(->>|-x)(phone|watch): " + words,
        ].map { try Regex($0) }
        for line in lines.dropFirst() { #expect(try forms.contains { try $0.wholeMatch(in: line) != nil }, "\(line)") }
        #expect(lines.contains { $0.contains("FAILED line 16") } && !text.contains("S3CRET"))
        let markdown = try report("--report mermaid=out.md", file: "out.md")
        #expect(markdown.contains("```mermaid\nsequenceDiagram\n") && markdown.contains("### s/bad.scenario"))
    }

    /// The members that the Trace Event Format asks for, by phase.
    @Test func perfettoIsWritten() throws {
        let text = try report("--report perfetto=out.json --pictures", file: "out.json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["displayTimeUnit"] as? String == "ms")
        let events = try #require(object["traceEvents"] as? [[String: Any]])
        var starts: [String: Double] = [:]
        for event in events {
            let phase = try #require(event["ph"] as? String)
            let time = try #require(event["ts"] as? Double)
            #expect(event["name"] is String && event["pid"] is Int && event["tid"] is Int)
            let id = "\(event["pid"] ?? "") \(event["id"] ?? "") \(event["cat"] ?? "")"
            switch phase {
            case "X": #expect(try #require(event["dur"] as? Double) >= 0)
            case "i": #expect(event["s"] as? String == "t")
            case "M": #expect((event["args"] as? [String: Any])?["name"] is String)
            case "s": starts[id] = time
            case "f": #expect(try #require(starts[id]) <= time && event["bp"] as? String == "e")
            default: Issue.record("\(phase) is no phase that is written")
            }
        }
        #expect(!starts.isEmpty)
        #expect(Set(events.compactMap { $0["pid"] as? Int }) == [1, 2], "with --pictures both runs")
        #expect(!text.contains("S3CRET"))
    }

    @Test func aPatternGivesEachRunItsFile() throws {
        let bench = bench()
        _ = bench.run("run s --report html=out/{name}.html --report junit=out/{name}.xml")
        #expect(bench.files.text("out/s-bad.html") != nil && bench.files.text("out/s-good.html") == nil)
        #expect(bench.files.text("out/s-bad.xml")?.contains("failures=\"1\"") == true)
        #expect(bench.files.text("out/s-good.xml")?.contains("failures=\"0\"") == true)
    }

    @Test func aReportThatCannotBeWrittenKeepsNoOtherFromBeing() throws {
        var bench = bench()
        bench.files = MemoryFiles(["s/bad.scenario", "s/good.scenario"], unwritable: ["out/s-bad.xml"])
        let ending = bench.run("run s --report junit=out/{name}.xml")
        #expect(ending.errors.contains("out/s-bad.xml"), "\(ending.errors)")
        #expect(bench.files.text("out/s-good.xml") != nil)
    }

    @Test func aPatternIsForRunsOnly() {
        let ending = bench().run("explore --runs 1 --report json={name}.json")
        #expect(ending.errors.contains("--report json={name}.json: a file for each run is what run writes"), "\(ending.errors)")
    }

    @Test func aJobOfGitHubGetsASummaryBehindWhatIsThere() throws {
        var bench = bench()
        bench.environment = ["GITHUB_STEP_SUMMARY": "summary.md"]
        _ = bench.run("run s")
        _ = bench.run("run s/good.scenario")
        let text = try #require(bench.files.text("summary.md"))
        #expect(
            text.hasPrefix(
                "## pairsim: 1 passed, 1 failed\n\n| scenario | line | what is wrong |\n| --- | --- | --- |\n| s/bad.scenario | 16 |"))
        #expect(text.contains("```mermaid\nsequenceDiagram") && text.hasSuffix("## pairsim: 1 passed, 0 failed\n"))
        #expect(!text.contains("S3CRET"))
    }

    /// One scenario under six orders does not take all pictures.
    @Test func picturesAreOneOfEachScenario() throws {
        let bench = bench()
        _ = bench.run("run s --orders 2 --report html=out.html")
        let text = try #require(bench.files.text("out.html"))
        #expect(text.contains("<p>2 more runs have no picture here: a page has one of each scenario"))
    }

    /// Nobody waits for another run that passes where the command is to end.
    @Test func nothingIsComparedWhereTheCommandIsToEnd() throws {
        let source = "# A.\nkey theme: String\n    security  none\n\nexpect phone theme \"x\"\n"
        let scenario = try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": source])).scenarios.first)
        let teller = RunTeller(engine: .deviceSim(), showsValues: false)
        #expect(teller.tell(scenario, RunOptions(), comparing: true)?.nearest?.isFound == false)
        var ending = teller
        ending.isOver = { true }
        let told = try #require(ending.tell(scenario, RunOptions(), comparing: true))
        #expect(told.nearest == nil)
    }

    @Test func aLineOfAnIncludedFileIsNotTheScenarios() throws {
        var bench = Bench.real([
            "s/a.scenario": "# A.\nkey theme: String\n    security  none\n\ninclude \"b.inc\"\n", "s/b.inc": "expect phone theme \"x\"\n",
        ])
        bench.environment = ["GITHUB_STEP_SUMMARY": "summary.md"]
        _ = bench.run("run s --report junit=out.xml")
        let junit = try #require(bench.files.text("out.xml"))
        #expect(junit.contains("file=\"s/a.scenario\" time="), "\(junit)")
        #expect(try #require(bench.files.text("summary.md")).contains("| s/a.scenario | s/b.inc:1 |"))
    }

    @Test func jUnitHasPropertiesOfAFailure() throws {
        let text = try report("--report junit=out.xml", file: "out.xml")
        #expect(text.contains("<property name=\"replay\" value=\"pairsim run s/bad.scenario --seed 1\"/>"))
    }

    @Test func nothingIsToldWhereNobodyAsks() throws {
        let counted = Bench.Counter()
        let real = ScenarioEngine.deviceSim(files: .memory(["s/bad.scenario": Self.failing]))
        var engine = real
        engine.run = { scenario, options in
            _ = counted.next()
            #expect(options.story == nil)
            return real.run(scenario, options)
        }
        var bench = Bench()
        bench.files = MemoryFiles(["s/bad.scenario"])
        bench.realEngine = engine
        _ = bench.run("run s --report junit=out.xml --report json=out.json")
        #expect(counted.next() == 2, "one run, and no more")
    }
}
