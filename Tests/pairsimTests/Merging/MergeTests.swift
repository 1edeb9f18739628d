import Foundation
import Testing

@testable import PairsimTool

/// `pairsim merge` of what `run` wrote.
struct MergeTests {
    /// The reports of all shards of a run, in the folder `out`.
    private func bench(of count: Int = 3) -> Bench {
        var scripts = Dictionary(uniqueKeysWithValues: (0..<9).map { ("Scenarios/\($0).scenario", Bench.Script.passing()) })
        scripts["Scenarios/sync/theme.scenario"] = .failing()
        let bench = Bench(scripts)
        for number in 1...count {
            _ = bench.run("run --shard \(number)/\(count) --report json=out/\(number).json --report junit=out/\(number).xml")
        }
        return bench
    }

    @Test func everyFormatOfTheWhole() throws {
        let bench = bench()
        let ending = bench.run("merge out/1.json out/2.json out/3.json --report junit=all.xml --report tap=all.tap --report html=all.html")
        #expect(ending.status == .failed)
        #expect(ending.errors.isEmpty)
        #expect(ending.output.hasPrefix("Scenarios/sync/theme.scenario:14:1: failed: the watch has another value\n"))
        #expect(
            ending.output.hasSuffix("  replay    pairsim run Scenarios/sync/theme.scenario --seed 1\n\n9 passed, 1 failed: 3 of 3 shards\n")
        )
        _ = bench.run("run --report junit=whole.xml --report tap=whole.tap --report html=whole.html")
        for format in ["xml", "tap", "html"] {
            #expect(bench.files.text("all." + format) == bench.files.text("whole." + format), "\(format)")
        }
    }

    @Test func aFolderStandsForItsReports() {
        let bench = bench()
        #expect(bench.run("merge out -q").status == .failed)
        #expect(bench.run("merge out").output.hasSuffix("9 passed, 1 failed: 3 of 3 shards\n"))
        let ending = bench.run("merge nothing-here")
        #expect(ending.status == .cannotRun && ending.errors == "pairsim: cannot read nothing-here: no such file or directory\n")
        #expect(bench.run("merge Scenarios").status == .nothingSelected)
    }

    /// What may be a report and cannot be seen is no reason to say that everything passed.
    @Test func nothingInAFolderIsPassedOver() throws {
        let bench = Bench(["a.scenario": .passing(), "b.scenario": .failing()])
        #expect(bench.run("run a.scenario --report json=r/a.json --report json=s/1/2/3/4/5/6/7/8/9/10/a.json").status == .passed)
        #expect(bench.run("run b.scenario --report json=r/b.JSON").status == .failed)
        #expect(bench.run("merge r").output.hasSuffix("1 passed, 1 failed: 2 reports\n"))
        #expect(bench.run("merge s").output.hasSuffix("1 passed, 0 failed: 1 report\n"))
        try bench.files.write(Data(), to: "notes/today.txt")
        var ending = bench.run("merge s notes")
        #expect(ending.status == .cannotRun && ending.errors == "pairsim: there is no report in notes\n", "\(ending.errors)")
        #expect(bench.run("merge notes").status == .nothingSelected)
        for (name, reason) in [("x.json", "it is a link that leads nowhere"), ("b\u{FFFD}", "its name is not UTF-8")] {
            var bench = bench
            let report = try #require(bench.files["r/a.json"])
            bench.files = MemoryFiles([], links: ["t/" + name: "nowhere"])
            try bench.files.write(report, to: "t/a.json")
            ending = bench.run("merge t")
            #expect(ending.status == .cannotRun && ending.errors.contains(reason), "\(ending.errors)")
        }
        // A link that leads back is no second report.
        var looped = bench
        let report = try #require(bench.files["r/a.json"])
        looped.files = MemoryFiles([], links: ["t/again": "t"])
        try looped.files.write(report, to: "t/a.json")
        #expect(looped.run("merge t").status == .passed)
    }

    /// A run that was killed leaves an empty report, and one of another day is of other scenarios, though they have the same names.
    @Test(arguments: ["json", "xml"]) func whatIsNotOfThisRunIsNotJoined(ending: String) throws {
        let bench = bench()
        try bench.files.write(Data(), to: "out/2.\(ending)")
        let killed = bench.run("merge out/1.\(ending) out/2.\(ending) out/3.\(ending)")
        #expect(killed.status == .cannotRun && killed.errors.contains("out/2.\(ending): it is empty"), "\(killed.errors)")

        let texts = { (value: String) in
            ["a", "b"].reduce(into: [String: String]()) {
                $0["\($1).scenario"] = "key theme: String\n\nphone set theme \"\(value)\"\nexpect phone theme \"dark\"\n"
            }
        }
        let (yesterday, today) = (Bench.real(texts("dark")), Bench.real(texts("light")))
        let (option, report) = ending == "json" ? ("json", "json") : ("junit", "xml")
        _ = yesterday.run("run a.scenario b.scenario --shard 2/2 --report \(option)=2.\(report)")
        _ = today.run("run a.scenario b.scenario --shard 1/2 --report \(option)=1.\(report)")
        try today.files.write(Data(try #require(yesterday.files.text("2.\(report)")).utf8), to: "2.\(report)")
        let joined = today.run("merge 1.\(report) 2.\(report)")
        #expect(joined.status == .cannotRun || joined.status == .failed && joined.errors.contains("is part of another whole"), "\(joined)")
        #expect(joined.errors.contains("part of another whole"))
    }

    @Test func junitIsJoinedToo() throws {
        let bench = bench()
        let ending = bench.run("merge out/1.xml out/2.xml out/3.xml --report junit=all.xml")
        #expect(ending.status == .failed)
        #expect(ending.output.hasSuffix("9 passed, 1 failed: 3 of 3 shards\n"))
        _ = bench.run("run --report junit=whole.xml")
        #expect(bench.files.text("all.xml") == bench.files.text("whole.xml"))
        let refused = bench.run("merge out/1.xml out/2.json out/3.xml --report json=all.json")
        #expect(refused.status == .usage)
        #expect(refused.errors.contains("--report json=all.json is made of JSON reports, and out/1.xml is JUnit"))
    }

    /// A shard that ran some runs of a scenario says nothing of its faults, and all of them together say what holds.
    @Test(arguments: ["json", "xml"]) func faultsThatNoRunTriggered(_ form: String) throws {
        let key = "# X.\n\nkey note: String\n    domain    fileSystem documents\n    security  none\n\n"
        let late = key + "phone disk fails rename 90 with EIO\nphone set note \"a\"\n"
        let canary =
            key.replacing("# X.\n", with: "# X.\n# Canary: 1\n") + "phone disk fails rename 80 with EIO\nwait 1s\nexpect phone note \"b\"\n"
        let bench = Bench.real(["s/a.scenario": late, "s/b.scenario": canary, "s/c.scenario": key + "wait 1s\n"])
        let whole = bench.run("run s --orders 3 --report json=whole.json").output
        let list =
            "Faults that were never triggered\n  s/a.scenario\n    s/a.scenario:7: phone disk fails rename 90 with EIO\n  s/b.scenario\n    s/b.scenario:8: phone disk fails rename 80 with EIO\n"
        #expect(whole.contains(list), "\(whole)")
        for number in 1...3 {
            let ending = bench.run("run s --orders 3 --shard \(number)/3 --report json=out/\(number).json --report junit=out/\(number).xml")
            #expect(ending.status == .passed && !ending.output.contains("never triggered"), "\(ending.output)")
        }
        let paths = (1...3).map { "out/\($0).\(form)" }
        let ending = bench.run(
            "merge \(paths.joined(separator: " ")) --report tap=all.tap" + (form == "json" ? " --report json=all.json" : ""))
        #expect(ending.status == .passed && ending.output.contains(list), "\(ending.output)")
        // A canary that failed as it must is one, whatever form tells of it.
        #expect(ending.output.hasSuffix("12 passed (4 canaries), 0 failed: 3 of 3 shards\n"), "\(ending.output)")
        #expect(bench.files.text("all.tap")?.contains("rename 90") == true)
        if form == "json" { #expect(bench.files.text("all.json") == bench.files.text("whole.json")) }
        #expect(!bench.run("merge \(paths[0]) \(paths[1])").output.contains("never triggered"))
        #expect(!bench.run("merge \(paths.joined(separator: " ")) -q").output.contains("never triggered"))
        // Reports that are no shards have all runs of their scenarios.
        if form == "json" { #expect(bench.run("merge whole.json").output.contains(list)) }
    }

    /// Times are those of the reports that have them.
    @Test func timesOfJUnitReportsAreKept() throws {
        var bench = Bench(["a.scenario": .passing(), "b.scenario": .passing()])
        let clock = Bench.Counter()
        bench.seconds = { Double(clock.next()) }
        for number in 1...2 { _ = bench.run("run . --jobs 1 --shard \(number)/2 --report junit=\(number).xml") }
        _ = bench.run("merge 1.xml 2.xml --report junit=all.xml")
        let text = try #require(bench.files.text("all.xml"))
        for name in ["a", "b"] {
            let line = try #require(text.split(separator: "\n").first { $0.contains("name=\"\(name).scenario\"") })
            #expect(!line.contains("time=\"0.000\""), "\(line)")
        }
    }

    @Test(arguments: [
        ("out/1.json out/3.json", "pairsim: shard 2 of 3 is missing: what it did is not in here\n"),
        ("out/3.json", "pairsim: shards 1, 2 of 3 are missing: what they did is not in here\n"),
        ("out/1.json out/2.json out/3.json out/2.xml", "pairsim: out/2.xml is left out: shard 2 of 3 is there already, in out/2.json\n"),
        ("out/1.json out/2.json out/3.json other.json", "pairsim: other.json is left out: it is of shard 1 of 4, and others are of 3\n"),
        ("out/1.json out/2.json out/3.json whole.json", "pairsim: whole.json is left out: it is of no shard, and others are\n"),
        ("out/1.json seed.json out/3.json", "pairsim: seed.json is part of another whole than out/1.json: its seed is 7, not 1\n"),
        (
            "out/1.json part.json out/3.json",
            "pairsim: part.json is part of another whole than out/1.json: its selection is 5 scenarios, 5 runs, digest"
        ),
        ("whole.json whole.json", "pairsim: Scenarios/0.scenario is there twice\n"),
        (
            "out/1.json out/2.json out/3.json Scenarios/0.scenario",
            "pairsim: cannot join Scenarios/0.scenario: it is empty: what was to write it did not come to its end\n"
        ),
        ("out/1.json out/2.json out/3.json gone.json", "pairsim: cannot read gone.json: no such file or directory\n"),
    ])
    func whatIsWrongIsSaid(paths: String, complaint: String) {
        let bench = bench()
        _ = bench.run("run --shard 1/4 --report json=other.json")
        _ = bench.run("run --report json=whole.json")
        _ = bench.run("run --shard 2/3 --seed 7 --report json=seed.json")
        _ = bench.run(
            "run Scenarios/0.scenario Scenarios/1.scenario Scenarios/2.scenario Scenarios/3.scenario Scenarios/4.scenario --shard 2/3 --report json=part.json"
        )
        let ending = bench.run("merge \(paths)")
        #expect(ending.status == .cannotRun)
        #expect(ending.errors.contains(complaint), "\(ending.errors)")
    }

    @Test func reportsThatAreNoShardsAreJoinedInTheirOrder() throws {
        let bench = bench()
        _ = bench.run("run Scenarios/8.scenario --report json=one.json")
        _ = bench.run("run Scenarios/2.scenario --report json=two.json")
        let ending = bench.run("merge one.json two.json --report json=all.json")
        #expect(ending.status == .passed)
        #expect(ending.output == "2 passed, 0 failed: 2 reports\n")
        let report = try JSONReport.read(try JSONValue(reading: try #require(bench.files["all.json"])).members("report"))
        #expect(report.records.map(\.name) == ["Scenarios/8.scenario", "Scenarios/2.scenario"])
        #expect(report.extent == nil)
    }

    @Test func theStatusOfAPartIsKept() {
        var bench = Bench(Dictionary(uniqueKeysWithValues: (10..<50).map { ("\($0).scenario", .passing()) }))
        _ = bench.run("run . --shard 1/2 --report json=1.json")
        let count = Bench.Counter()
        let interruption = bench.interruption
        bench.beforeRun = { _, _ in if count.next() == 3 { interruption.request() } }
        #expect(bench.run("run . --jobs 1 --shard 2/2 --report json=2.json").status == .interrupted)
        bench.interruption = Interruption()
        let ending = bench.run("merge 1.json 2.json")
        #expect(ending.status == .interrupted)
        #expect(ending.output.contains(" not run: 2 of 2 shards\n"), "\(ending.output)")
    }

    /// A report that somebody put together by hand, or that a tool has cut: what it says of a run counts.
    @Test func aRunThatFailedIsNotPassedOver() throws {
        let bench = Bench(Dictionary(uniqueKeysWithValues: (0..<9).map { ("\($0).scenario", Bench.Script.passing()) }))
        for number in 1...3 { _ = bench.run("run . --shard \(number)/3 --report json=out/\(number).json") }
        let text = try #require(bench.files.text("out/2.json"))
        let place = try #require(text.range(of: "\"outcome\": \"passed\""))
        try bench.files.write(Data(text.replacingCharacters(in: place, with: "\"outcome\": \"failed\"").utf8), to: "out/2.json")
        let ending = bench.run("merge out --report json=all.json")
        #expect(ending.status == .failed && ending.output.contains("8 passed, 1 failed: 3 of 3 shards\n"), "\(ending.output)")
        #expect(bench.files.text("all.json")?.contains("\n  \"status\": 1,") == true)
    }

    @Test(arguments: ["json", "xml"]) func aReportThatLacksRunsIsNamed(ending: String) throws {
        let bench = bench()
        let path = "out/2.\(ending)"
        try cut(path, in: bench)
        let complaint = try #require(bench.run("merge out/1.\(ending) \(path) out/3.\(ending)").errors.split(separator: "\n").first)
        #expect(complaint.hasPrefix("pairsim: \(path) lacks 1 run: it says that it has "), "\(complaint)")
        #expect(bench.run("merge out/1.\(ending) \(path) out/3.\(ending)").status == .cannotRun)
        _ = bench.run("run --report json=whole.json --report junit=whole.xml")
        try cut("whole.\(ending)", in: bench)
        let whole = bench.run("merge whole.\(ending)")
        #expect(whole.status == .cannotRun && whole.errors.hasPrefix("pairsim: whole.\(ending) lacks 1 run: "), "\(whole.errors)")
    }

    /// Where no report contradicts itself, all of them together still have less than was selected.
    @Test func shardsThatLackRunsTogether() throws {
        let bench = bench()
        for number in 1...3 {
            let path = "out/\(number).json"
            let text = try #require(bench.files.text(path))
            try bench.files.write(Data(text.replacing("\"runs\": 10,", with: "\"runs\": 12,").utf8), to: path)
        }
        let ending = bench.run("merge out")
        #expect(ending.status == .cannotRun, "\(ending.output)")
        #expect(ending.errors.hasPrefix("pairsim: the shards lack 2 runs: 12 were selected, and there are "), "\(ending.errors)")
    }

    /// Takes the first run that passed out of a report.
    private func cut(_ path: String, in bench: Bench) throws {
        let text = try #require(bench.files.text(path))
        guard path.hasSuffix(".json") else {
            let start = try #require(text.range(of: "<testcase "))
            let isEmpty = text[start.lowerBound...].prefix { $0 != "\n" }.hasSuffix("/>")
            let end = try #require(text.range(of: isEmpty ? "/>" : "</testcase>", range: start.lowerBound..<text.endIndex))
            return try bench.files.write(Data((text[..<start.lowerBound] + text[end.upperBound...]).utf8), to: path)
        }
        var object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        object["runs"] = (object["runs"] as? [Any]).map { Array($0.dropFirst()) }
        try bench.files.write(try JSONSerialization.data(withJSONObject: object), to: path)
    }

    @Test(arguments: [
        ("{}", "it is no report of pairsim"), ("[1]", "`the document` is no object"),
        ("{\"format\": \"pairsim-report\", \"version\": 2}", "it is of version 2"),
        ("{\"format\": \"pairsim-report\", \"version\": 1}", "`runs` is no list"),
        ("<a><b></a>", "it is neither JSON nor XML, or is cut off"),
        ("<testsuites name=\"other\"/>", "it is no report of pairsim"), ("", "it is empty: what was to write it did not come to its end"),
        ("x", "it is no JSON"),
        ("<testsuites name=\"pairsim explore\"/>", "are joined from --report json"),
    ])
    func whatIsNoReport(text: String, reason: String) throws {
        let fault = try #require(throws: ReportFault.self) { try ReportPart(path: "x", data: Data(text.utf8)) }
        #expect(fault.reason.contains(reason), "\(fault.reason)")
    }

    /// No number of a report is so large that sums of it are none any more.
    @Test(arguments: ["9223372036854775807", "1000000000000001", "-1"]) func aNumberThatNobodyCountsToIsAFault(number: String) throws {
        let bench = Bench(["a.scenario": .passing()])
        #expect(bench.run("run a.scenario --report json=a.json --report junit=a.xml --seed 18446744073709551615").status == .passed)
        let json = try #require(bench.files.text("a.json"))
        for key in ["notRun", "passed", "runs", "broken", "position", "repetitions", "steps"] {
            let changed = json.replacing(try Regex("\"\(key)\": [0-9]+"), with: "\"\(key)\": \(number)")
            #expect(changed != json)
            #expect(throws: ReportFault.self, "\(key)") { try ReportPart(path: "a.json", data: Data(changed.utf8)) }
        }
        let xml = try #require(bench.files.text("a.xml"))
        for (old, new) in [
            ("tests=\"1\"", "tests=\"\(number)\""), ("time=\"0.000\"", "time=\"\(number)\""), ("time=\"0.000\"", "time=\"nan\""),
            ("<properties>", "<properties><property name=\"notRun\" value=\"\(number)\"/>"),
            ("name=\"selection.runs\" value=\"1\"", "name=\"selection.runs\" value=\"\(number)\""),
        ] {
            #expect(xml.contains(old))
            #expect(throws: ReportFault.self, "\(new)") {
                try ReportPart(path: "a.xml", data: Data(xml.replacing(old, with: new).utf8))
            }
        }
        _ = try ReportPart(path: "a.xml", data: Data(xml.utf8))
    }

    @Test func theVersionOfAReportIsOneLine() throws {
        let bench = Bench(["a.scenario": .passing()])
        #expect(bench.run("run a.scenario --report json=a.json").status == .passed)
        let text = try #require(bench.files.text("a.json")).replacing("\"pairsim\": \"0.1.0\"", with: "\"pairsim\": \"1\\nok 7 - x\"")
        try bench.files.write(Data(text.utf8), to: "a.json")
        _ = bench.run("merge a.json --report tap=a.tap")
        #expect(bench.files.text("a.tap")?.contains("\nok 7") == false)
    }

    @Test func everyCutOfAReportIsAFault() throws {
        let bench = bench(of: 1)
        for path in ["out/1.json", "out/1.xml"] {
            let data = try #require(bench.files[path])
            for length in stride(from: 0, to: data.count - 2, by: 97) {
                #expect(throws: ReportFault.self) { try ReportPart(path: path, data: data.prefix(length)) }
            }
        }
    }
}
