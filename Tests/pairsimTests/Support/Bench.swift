import DeviceSim
import Foundation
import Synchronization

@testable import PairsimTool

/// The tool with a made-up world around it: files in memory, scenarios that come out as the test says, a clock that stands still.
struct Bench {
    var files = MemoryFiles()
    var environment: [String: String] = [:]
    var columns: Int?
    var scripts: [String: Script] = [:]
    var interruption = Interruption()
    var seconds: @Sendable () -> Double = { 0 }
    /// Called on the threads of the runs, before each.
    var beforeRun: @Sendable (Scenario, RunOptions) -> Void = { _, _ in }

    /// What keeps runs from being deterministic.
    var obstacle: String?
    /// Takes the place of the made-up scenarios.
    var realEngine: ScenarioEngine?
    /// Takes the place of the files in memory.
    var realFiles: RealFiles?
    /// The current folder.
    var folder = "/"
    /// What standard input has.
    var input: [String] = []
    var pause: (Double) -> Bool = { _ in false }
    /// What tells the program from another build of it.
    var build: String?

    /// What is in a scenario file, and what comes of running it.
    struct Script: Sendable {
        var title = ""
        var tags: [String] = []
        var rules: [String] = []
        var canary: Int?
        var seed: UInt64?
        var rows: [String] = []
        var problems: [FileProblem] = []
        var formatted: String?
        /// By row, seed and order.
        var outcome: @Sendable (String?, RunOptions) -> ScenarioResult.Outcome = { _, _ in .passed }
        /// Changes the trace of each further run, as bad code does.
        var isUnsteady = false
    }

    struct Ending {
        let status: ExitStatus
        let output: String
        let errors: String
    }

    init(_ scripts: [String: Script] = [:]) {
        self.scripts = scripts
        files = MemoryFiles(Array(scripts.keys))
    }

    func run(_ line: String) -> Ending { run(line.split(separator: " ").map(String.init)) }

    func run(_ arguments: [String]) -> Ending {
        let output = Sink()
        let errors = Sink()
        var host = Host(
            environment: environment, files: realFiles ?? files as any FileAccess, output: output, errors: errors, columns: columns,
            cores: 2, seconds: seconds, interruption: interruption, folder: folder, input: Lines(input), pause: pause)
        host.build = { [build] in build }
        let status = Tool(host: host, engine: realEngine ?? engine).run(arguments)
        return Ending(status: status, output: output.text, errors: errors.text)
    }

    /// The language and the simulation, over the files in memory and the lines of the input.
    static func real(_ texts: [String: String], input: [String] = []) -> Bench {
        var bench = Bench()
        for (path, text) in texts { try? bench.files.write(Data(text.utf8), to: path) }
        bench.input = input
        let (files, source) = (bench.files, Lines(input))
        bench.realEngine = .deviceSim(
            files: ScenarioFiles { path throws(ScenarioDiagnostic) in
                guard let data = files[path] else {
                    throw ScenarioDiagnostic(
                        kind: .unreadable, range: SourceRange(path: path, line: 0, column: 0, length: 1), message: "there is no such file")
                }
                return Array(data)
            }.reading("-") { source.readAll(upTo: .max) })
        return bench
    }

    /// Does something before each run that the language and the simulation make.
    mutating func beforeRunOfRealEngine(_ work: @escaping @Sendable () -> Void) {
        guard var engine = realEngine else { return }
        let run = engine.run
        engine.run = { scenario, options in
            work()
            return run(scenario, options)
        }
        realEngine = engine
    }

    /// The lines of a pipe.
    final class Lines: LineSource, @unchecked Sendable {
        private var lines: [String]
        let isInteractive = false

        init(_ lines: [String]) {
            self.lines = lines
        }

        func readLine(prompt: String, complete: @escaping (String) -> [String]) -> String? { lines.isEmpty ? nil : lines.removeFirst() }
        func readBytes() -> [UInt8]? { lines.isEmpty ? nil : Array(lines.removeFirst().utf8) }
        func readAll(upTo limit: Int) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }
    }

    private final class Sink: TextSink {
        var text = ""
        func write(_ text: String) { self.text += text }
    }

    private var engine: ScenarioEngine {
        let scripts = scripts
        let runs = Counter()
        let obstacle = obstacle
        return ScenarioEngine(
            load: { path in
                guard let script = scripts[path] else {
                    return LoadedFile(path: path, problems: [FileProblem(kind: .access, path: path, message: "there is no such file")])
                }
                guard script.problems.isEmpty else { return LoadedFile(path: path, problems: script.problems) }
                guard !script.rows.isEmpty else { return LoadedFile(path: path, scenarios: [script.scenario(path, name: path, row: nil)]) }
                return LoadedFile(
                    path: path,
                    scenarios: script.rows.enumerated().map { script.scenario(path, name: "\(path)[\($0 + 1)]", row: $1) })
            },
            format: { path in
                guard let script = scripts[path], script.problems.isEmpty else { return .problems(scripts[path]?.problems ?? []) }
                return .formatted(old: Data("old".utf8), new: Data((script.formatted ?? "old").utf8))
            },
            run: { [beforeRun] scenario, options in
                beforeRun(scenario, options)
                let script = scripts[scenario.path] ?? Script()
                let number = script.isUnsteady ? runs.next() : 0
                return ScenarioResult(
                    name: scenario.name, path: scenario.path, title: script.title, tags: script.tags, rules: script.rules,
                    seed: options.seed,
                    outcome: script.outcome(scenario.row, options), stepCount: 3, duration: .seconds(5),
                    trace: Self.trace(unsteadiness: number))
            },
            obstacle: obstacle)
    }

    private static func trace(unsteadiness: Int) -> Trace {
        var trace = Trace()
        trace.record(TraceEvent(time: .start, device: .phone, process: 1, kind: .launch))
        trace.record(TraceEvent(time: .start, device: .watch, process: 1, kind: .launch))
        trace.record(
            TraceEvent(
                time: VirtualTime(microseconds: 20_000), device: .watch, process: 1, kind: .contextDelivered,
                facts: [.init("bytes", .number(212 + unsteadiness)), .init("keys", .list(["theme"]))]))
        return trace
    }

    final class Counter: Sendable {
        private let count = Mutex(0)
        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
        var value: Int { count.withLock { $0 } }
    }
}

extension Bench.Script {
    fileprivate func scenario(_ path: String, name: String, row: String?) -> Scenario {
        var header = ScenarioHeader()
        header.title = title
        header.tags = tags
        header.rules = rules
        header.canary = canary
        return Scenario(name: name, path: path, header: header, row: row, seed: seed)
    }

    /// One that passes.
    static func passing(_ title: String = "", tags: [String] = [], rules: [String] = []) -> Bench.Script {
        Bench.Script(title: title, tags: tags, rules: rules)
    }

    /// One whose expectation does not hold.
    static func failing(_ title: String = "A theme chosen out of range reaches the watch when it returns.") -> Bench.Script {
        Bench.Script(title: title, outcome: { _, _ in .failed(theme) })
    }

    static let theme = ScenarioFailure(
        message: "the watch has another value", line: 14, column: 1, length: 35, source: #"expect watch theme "light" within 5s"#,
        phase: "Back in range, the last one counts.", expected: #"expect watch theme "light""#, actual: #"expect watch theme "dark""#)
}
