import DeviceSim
import Foundation

/// How many contexts the session is handed for many changes within a second of virtual time, and how soon the last one arrives.
enum ContextBenchmark {
    static func run() throws {
        var table = Table(["within a second", "contexts handed over", "aimed at", "contexts delivered", "the last value is there after"])
        let hundred = Array(0..<100)
        for (title, numbers, isDown, aim) in [
            ("one `set`", [0], false, "1"),
            ("100 `set`s of one key", hundred.map { _ in 0 }, false, "at most 3"),
            ("100 `set`s of 100 keys", hundred, false, "at most 3"),
            ("100 `set`s of one key, out of range", hundred.map { _ in 0 }, true, "at most 3"),
        ] {
            Progress.say("contexts: \(title)")
            let result = try Self.result(setting: numbers, isDown: isDown)
            let events = result.trace.events
            guard let last = events.last(where: { $0.kind == .set && $0.device == .phone }), let sent = Self.back(events, isDown),
                let applied = events.last(where: { $0.kind == .applied && $0.device == .watch })
            else { throw BenchmarkError(message: "nothing was set, or nothing arrived") }
            let begin = events.first { $0.kind == .set && $0.device == .phone }?.time ?? .start
            let handed = events.count { $0.kind == .contextUpdated && $0.device == .phone && $0.time >= begin }
            let delivered = events.count { $0.kind == .contextDelivered && $0.device == .watch && $0.time >= begin }
            let after = applied.time - max(sent, last.time)
            table.add(
                title, "\(handed)", aim, "\(delivered)", "\(Double(after.microseconds) / 1_000) ms" + (isDown ? " in range" : ""))
        }
        table.print()
    }

    /// When the devices were in range at last.
    private static func back(_ events: [TraceEvent], _ isDown: Bool) -> VirtualTime? {
        isDown ? events.last { $0.kind == .linkUp }?.time : .start
    }

    private static func result(setting numbers: [Int], isDown: Bool) throws -> ScenarioResult {
        let keys = Set(numbers).sorted().map {
            "key note\($0): String\n    domain fileSystem documents\n    security none\n    sync automaticSmall\n"
        }
        var lines = ["# Counted.", ""] + keys + [""]
        if isDown { lines.append("link down") }
        for (index, number) in numbers.enumerated() { lines += ["phone set note\(number) \"value \(index)\"", "wait 10ms"] }
        if isDown { lines.append("link up") }
        lines += ["settle", "expect devices agree", ""]
        let files = ["contexts.scenario": lines.joined(separator: "\n")]
        let compilation = ScenarioCompiler.compile(path: "contexts.scenario", files: .memory(files))
        guard let scenario = compilation.scenarios.first else {
            throw BenchmarkError(message: compilation.diagnostics.map { "\($0)" }.joined(separator: "\n"))
        }
        let result = ScenarioRunner.run(scenario)
        guard case .passed = result.outcome else { throw BenchmarkError(message: "the scenario fails: \(result.outcome)") }
        return result
    }
}
