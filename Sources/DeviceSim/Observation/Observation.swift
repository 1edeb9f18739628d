import DeviceSimCatalogue
import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// What logs of devices tell: of each rule whether it was kept, which settings fit, and what happened.
///
/// Same logs, same result. Safe to call from any thread.
package struct Observation: Sendable {
    package let log: JoinedLog
    /// One for each rule, in the order of their numbers.
    package let verdicts: [RuleVerdict]
    /// Sorted by the names of the knobs.
    package let settings: [KnobFinding]

    /// - Parameter logs: Their names, as the user gave them, with their bytes.
    package init(_ logs: [(name: String, bytes: [UInt8])]) {
        log = JoinedLog(logs.enumerated().map { ObservedLog(name: $1.name, file: $0, bytes: $1.bytes) })
        verdicts = RuleJudge.verdicts(on: log)
        settings = KnobInference.findings(in: log)
    }

    /// The scenario that makes the simulation do what the logs tell, as far as they do. It is run, so that it says what does not come again.
    package func scenario(options: RunOptions = RunOptions()) -> ObservedScenario {
        var writer = ScenarioWriter(log, settings: settings)
        return ObservedScenario(trying: writer.text(), options: options)
    }
}

/// A scenario that was made of logs, and was run.
package struct ObservedScenario: Sendable {
    /// In canonical layout. It passes, but where ``trouble`` says why not.
    package private(set) var text: String
    /// The lines that came true.
    package private(set) var keptCount = 0
    /// What the logs have and the simulation has not, as the scenario would have said it.
    package private(set) var missed: [String] = []
    /// Why the scenario cannot be run, or does not end.
    package private(set) var trouble: String?
    /// What the last run did.
    package private(set) var trace: Trace?

    /// More lines than this are not taken back one by one.
    private static let limit = 60

    init(trying text: String, options: RunOptions) {
        self.text = text
        for _ in 0...Self.limit {
            let compilation = ScenarioCompiler.compile(path: "observed.scenario", files: .memory(["observed.scenario": self.text]))
            guard let scenario = compilation.scenarios.first, compilation.diagnostics.isEmpty else {
                guard let problem = compilation.diagnostics.first, takeBack(line: problem.range.line) else {
                    trouble = compilation.diagnostics.first?.message ?? "there is no step"
                    return
                }
                continue
            }
            let result = ScenarioRunner.run(scenario, options: options)
            trace = result.trace
            switch result.outcome {
            case .passed:
                keptCount = self.text.split(separator: "\n").count { $0.hasPrefix("expect ") }
                return
            case .failed(let failure):
                guard let line = failure.line, takeBack(line: line) else {
                    trouble = failure.message
                    return
                }
            case .didNotSettle(let failure):
                // Such as a step of an app that does not run any more.
                guard let line = failure.line, takeBack(line: line) else {
                    trouble = failure.message
                    return
                }
            case .notDeterministic(let failure), .cannotRun(let failure):
                trouble = failure.message
                return
            }
        }
        trouble = "too much of it does not come again"
    }

    /// Makes a comment of a line that did not come true, and of the block below it.
    private mutating func takeBack(line: Int) -> Bool {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.indices.contains(line - 1), !lines[line - 1].hasPrefix("#"), !lines[line - 1].isEmpty else { return false }
        missed.append(lines[line - 1])
        lines[line - 1] = "# Not so in the simulation: " + lines[line - 1]
        // A file without a step is none.
        let words = ["#", "start ", "knob "]
        if !lines.contains(where: { line in !line.isEmpty && !words.contains { line.hasPrefix($0) } }) { lines.append("wait 1s") }
        text = lines.joined(separator: "\n")
        if let source = try? SourceText(path: "observed.scenario", bytes: Array(text.utf8)),
            case .success(let formatted) = ScenarioFormatter.format(source)
        {
            text = formatted
        }
        return true
    }
}
