import Foundation
import TestSupport
import Testing

@testable import PairsimTool

/// The built tool as a process of its own.
@Suite(.enabled(if: builtTool != nil, "the built pairsim is not beside the tests"))
struct ProcessTests {
    private struct Ending {
        let status: Int32
        let output: Data
        let errors: Data
    }

    private func run(_ arguments: [String], in folder: URL? = nil) throws -> Ending {
        let tool: URL = try #require(builtTool)
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Both stay far below what a pipe holds, so neither has to be emptied while the other is read.
        let outputData = try output.fileHandleForReading.readToEnd() ?? Data()
        let errorData = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Ending(status: process.terminationStatus, output: outputData, errors: errorData)
    }

    @Test func statusAndStreams() throws {
        let version = try run(["--version"])
        #expect(version.status == 0)
        #expect(version.output == Data("pairsim 0.1.0\n".utf8))
        #expect(version.errors.isEmpty)
        let usage = try run(["rnu"])
        #expect(usage.status == 64)
        #expect(usage.output.isEmpty)
        #expect(String(decoding: usage.errors, as: UTF8.self).contains("Did you mean: pairsim run\n"))
    }

    /// Hashing differs from process to process; the trace must not.
    @Test func twoProcessesGiveTheSameTrace() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pairsim-process-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = """
            key theme: String
                sync  automaticSmall

            phone set theme "dark"
            watch set theme "light"
            settle
            expect devices agree on theme

            """
        try Data(text.utf8).write(to: folder.appendingPathComponent("theme.scenario"))
        for order in ["0", "7"] {
            let arguments = ["run", "theme.scenario", "--seed", "3", "--order", order, "--trace", "-"]
            let first = try run(arguments, in: folder)
            #expect(first.status == 0, "\(String(decoding: first.errors, as: UTF8.self))")
            #expect(!first.output.isEmpty)
            #expect(try run(arguments, in: folder).output == first.output)
        }
        #expect(try run(["run"], in: folder).status == 3)
    }

    /// Where nothing is yet, nothing but the way of its name tells where a file will lie.
    @Test(arguments: [
        "run a.scenario --report json=rep/R --report junit=ROOT/rep/R", "run a.scenario --report json=../W/rep/R --report junit=linked/R",
        "run a.scenario --report json=rep/D --report junit=dangling", "run a.scenario --report json=./rep/D --trace ROOT/dangling",
        "run a.scenario --report mermaid=rep/{name}.md --report json=linked/a.md",
        "run a.scenario --report json={name}.x --report tap=./{name}.x",
        "run a.scenario --trace rep/ --report json=linked/a.jsonl", "run a.scenario --report json=ROOT/new/../new/R --report tap=new/R",
        "merge one.json --report json=rep/R --report junit=ROOT/linked/R", "explore --report json=rep/R --report junit=linked/R",
    ])
    func oneFileIsOneFileHoweverItIsNamed(line: String) throws {
        let root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(
            "pairsim-out-\(UUID().uuidString)/W")
        let files = FileManager.default
        defer { try? files.removeItem(at: root.deletingLastPathComponent()) }
        try files.createDirectory(at: root.appendingPathComponent("rep"), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: root.path + "/linked", withDestinationPath: "rep")
        try files.createSymbolicLink(atPath: root.path + "/dangling", withDestinationPath: "rep/D")
        try Data("# A.\n\nwait 1s\n".utf8).write(to: root.appendingPathComponent("a.scenario"))
        let ending = try run(line.replacing("ROOT", with: root.path).split(separator: " ").map(String.init), in: root)
        let errors = String(decoding: ending.errors, as: UTF8.self)
        #expect(ending.status == 64 && errors.contains("would write the same file"), "\(errors)")
        #expect(try files.contentsOfDirectory(atPath: root.path).sorted() == ["a.scenario", "dangling", "linked", "rep"])
        #expect(try files.contentsOfDirectory(atPath: root.path + "/rep").isEmpty)
    }

    /// What only a process of its own shows: a full disk behind standard output, a limit on the length of files, arguments that are not UTF-8, and devices.
    @Test(
        arguments: [
            ("\"$0\" run bad.scenario > /dev/full", 3, "cannot write the output: "),
            ("\"$0\" run good.scenario > /dev/full", 3, "cannot write the output: "),
            ("ulimit -f 1; \"$0\" run bad.scenario --report html=x.html", 3, "cannot write the html report x.html: "),
            ("\"$0\" run \"$(printf 'bad\\377.scenario')\"", 3, "its name is not UTF-8; rename it"),
            ("\"$0\" run nowhere.scenario", 3, "nowhere.scenario: it is a link that leads nowhere"),
            ("\"$0\" new \"$(printf '\\377')\"", 64, "give the scenario another name"),
            ("\"$0\" merge /dev/zero", 3, "cannot read /dev/zero: it is not a regular file"),
            ("\"$0\" observe /dev/zero", 3, "cannot read /dev/zero: it is not a regular file"),
            ("\"$0\" run - < /dev/zero", 2, "a scenario file may have"),
            ("mkfifo p; \"$0\" run good.scenario --report junit=p; s=$?; rm p; exit $s", 3, "nobody reads it"),
            ("GITHUB_STEP_SUMMARY=/dev/null \"$0\" run good.scenario", 0, "1 passed"),
        ])
    func aShellSays(_ line: String, _ status: Int32, _ message: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pairsim-shell-\(getpid())-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(NewScenario.text(title: "A").utf8).write(to: folder.appendingPathComponent("good.scenario"))
        try Data("expect watch is off\n".utf8).write(to: folder.appendingPathComponent("bad.scenario"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("nowhere.scenario").path, withDestinationPath: "gone")
        let tool: URL = try #require(builtTool)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "touch \"$(printf 'bad\\377.scenario')\"; " + line, tool.path]
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == status && text.contains(message), "\(text)")
        let left = try RealFiles().names(in: folder.path).sorted()
        #expect(left == ["bad.scenario", "bad\u{FFFD}.scenario", "good.scenario", "nowhere.scenario"])
    }

    /// As `pairsim run | head -1` does: the reports are those of all runs, and the process ends as others do.
    @Test func whoeverReadsTheOutputMayLeave() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pairsim-unheard-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("phone lock\n".utf8).write(to: folder.appendingPathComponent("a.scenario"))
        for options in ["--report json=out.json", ""] {
            let process = Process()
            let tool: URL = try #require(builtTool)
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "(\"$0\" run a.scenario --seeds 50 --verbose \(options); echo $? > status) | true", tool.path]
            process.currentDirectoryURL = folder
            process.environment = ["PATH": "/usr/bin:/bin"]
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            let status = try String(contentsOf: folder.appendingPathComponent("status"), encoding: .utf8)
            // Who starts the tests may have the signal ignored, which what it starts takes over.
            #expect(status == "141\n" && text.isEmpty || status == "3\n" && text.contains("cannot write the output"), "\(status)\(text)")
        }
        let report = try JSONReport.read(
            JSONValue(reading: Data(contentsOf: folder.appendingPathComponent("out.json"))).members("report"))
        #expect(report.status == .passed && report.records.count == 50)
    }

    /// Ctrl-C, what CI systems send, and the end of the terminal: the first line has come, so the tool listens.
    @Test(
        arguments: [SIGINT, SIGTERM, SIGHUP],
        [
            ["run", "theme.scenario", "--seeds", "20000", "--verbose"], ["explore", "--runs", "3000", "--jobs", "1"],
        ])
    func aSignalEndsTheRunWithAReport(signal: Int32, arguments: [String]) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pairsim-signal-\(getpid())-\(signal)-\(arguments[0])")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("phone lock\n".utf8).write(to: folder.appendingPathComponent("theme.scenario"))
        let process = Process()
        let tool: URL = try #require(builtTool)
        process.executableURL = tool
        process.arguments = arguments + ["--report", "json=out.json"]
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "/usr/bin:/bin"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        var text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        kill(process.processIdentifier, signal)
        text += String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 130)
        #expect(text.split(separator: "\n").last?.hasPrefix("interrupted: ") == true, "\(text.suffix(500))")
        let report = try JSONValue(reading: Data(contentsOf: folder.appendingPathComponent("out.json"))).members("report")
        #expect(try report.status("status") == .interrupted)
    }

    /// While the tool waits for a file from a pipe nothing was begun: it ends at once, as other programs do.
    @Test(arguments: [["run", "-"], ["check", "-"], ["fmt", "-"], ["lsp"]]) func aSignalEndsTheReadingOfStandardInput(arguments: [String])
        throws
    {
        let process = Process()
        let tool: URL = try #require(builtTool)
        process.executableURL = tool
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin"]
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("phone lo".utf8))
        // One that comes before the tool listens ends it by itself.
        kill(process.processIdentifier, SIGTERM)
        let hasEnded = ended.wait(timeout: .now() + 60) == .success
        if !hasEnded { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        #expect(hasEnded && (process.terminationReason == .uncaughtSignal || [0, 130].contains(process.terminationStatus)))
        withExtendedLifetime(input) {}
    }

    /// A quarter of the package's scenarios, in two processes: each trace is the same, byte for byte. `Scripts/check-archive` compares all of them, also those of
    /// crashes, which are hundreds of runs each.
    @Test func scenariosGiveTheSameTraceInTwoProcesses() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pairsim-traces-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let traces = try ["first", "second"].map { name in
            let target = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            let ending = try run(["run", "--quiet", "--skip-tag", "crash", "--shard", "1/4", "--trace", target.path + "/"], in: repository)
            #expect(ending.status == 0, "\(String(decoding: ending.output + ending.errors, as: UTF8.self))")
            let files = try FileManager.default.subpathsOfDirectory(atPath: target.path).filter { $0.hasSuffix(".jsonl") }.sorted()
            return try files.map { ($0, try Data(contentsOf: target.appendingPathComponent($0))) }
        }
        #expect(traces[0].count >= 250)
        #expect(traces[0].map(\.0) == traces[1].map(\.0))
        for (first, second) in zip(traces[0], traces[1]) {
            #expect(first.1 == second.1, "\(first.0) differs between two processes")
        }
    }
}

/// Beside the bundle of the tests, where the package manager puts it.
let builtTool: URL? = {
    guard let tests = CommandLine.arguments.first else { return nil }
    let binary = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("pairsim")
    return FileManager.default.isExecutableFile(atPath: binary.path) ? binary : nil
}()
