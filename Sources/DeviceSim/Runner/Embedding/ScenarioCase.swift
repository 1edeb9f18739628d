import DeviceSimCore
import DeviceSimLanguage
import Foundation

/// A scenario file as one case of a test. Cases may run at the same time, each on a thread of its own.
public struct ScenarioCase: Sendable, Identifiable, CustomStringConvertible {
    /// The file, relative to the suite's folder.
    public let id: String
    let path: String?
    let suite: ScenarioSuite

    public var description: String { id }

    /// Runs the scenario, of each row of its examples: twice, which must give the same trace, and under the suite's further orders of ready work. A
    /// canary must fail with its status.
    ///
    /// - Parameter attach: Given, on failure, the trace as text and a name for it: `{ Attachment.record($0, named: $1) }`. Then the same as JSON Lines, with the
    ///   steps, the causes, and what the devices were like after each step; values are left out of it but for those that the scenario writes.
    /// - Throws: ``ScenarioCaseFailure``, whose description is a report for people.
    public func check(attach: (_ text: String, _ name: String) -> Void = { _, _ in }) throws(ScenarioCaseFailure) {
        guard let path else { throw ScenarioCaseFailure("there is no scenario file in \(suite.folder)") }
        let compilation = ScenarioCompiler.compile(path: path, catalogs: suite.catalogs)
        guard compilation.diagnostics.isEmpty else {
            throw ScenarioCaseFailure(ScenarioDiagnostic.rendered(compilation.diagnostics))
        }
        for scenario in compilation.scenarios {
            // The file may name an order of its own, and the suite one for all.
            let order = suite.options.order ?? scenario.order ?? .firstInFirstOut
            let first = run(scenario, order)
            try judge(first, of: scenario, order, replay: "", attach: attach)
            let second = run(scenario, order)
            guard first.trace.fingerprint == second.trace.fingerprint else {
                attach(Self.text(of: first, scenario), "first run of \(name(of: scenario)).trace.txt")
                attach(Self.text(of: second, scenario), "second run of \(name(of: scenario)).trace.txt")
                throw ScenarioCaseFailure(
                    "\(scenario.name): two runs with the seed \(first.seed) differ; something reads the host's clock, randomness or disk")
            }
            for number in 0..<UInt64(max(suite.orders, 0)) {
                let order = ReadyOrder.seeded(number + 1)
                try judge(run(scenario, order), of: scenario, order, replay: " under order \(number + 1)", attach: attach)
            }
        }
    }

    private func run(_ scenario: Scenario, _ order: ReadyOrder, telling story: StoryRequest? = nil) -> ScenarioResult {
        var options = suite.options
        options.order = order
        options.story = story
        return ScenarioRunner.run(scenario, options: options, catalogs: suite.catalogs)
    }

    private func judge(
        _ result: ScenarioResult, of scenario: Scenario, _ order: ReadyOrder, replay: String, attach: (String, String) -> Void
    ) throws(ScenarioCaseFailure) {
        if let canary = scenario.header.canary {
            guard result.outcome.status != canary else {
                guard let objection = result.canaryObjection else { return }
                throw ScenarioCaseFailure("\(scenario.name)\(replay): \(objection): \(result.outcome.failure?.message ?? "")")
            }
            throw ScenarioCaseFailure(
                "\(scenario.name)\(replay): must fail with status \(canary), and its status is \(result.outcome.status)")
        }
        guard let failure = result.outcome.failure else { return }
        attach(Self.text(of: result, scenario), name(of: scenario) + ".trace.txt")
        // A run that was given up would have to be given up again.
        if result.stepCount > 0, let story = run(scenario, order, telling: StoryRequest(showsWrittenValues: true)).story {
            attach(String(decoding: story.traceJSON(), as: UTF8.self), name(of: scenario) + ".trace.jsonl")
        }
        throw ScenarioCaseFailure(result, failure, replay: replay)
    }

    private func name(of scenario: Scenario) -> String {
        let file = URL(fileURLWithPath: scenario.path).lastPathComponent
        return "\(file)\(scenario.name.dropFirst(scenario.path.count))"
    }

    /// What ran, what failed in the apps without any of their code being told, and all events.
    private static func text(of result: ScenarioResult, _ scenario: Scenario) -> String {
        var lines = ["# \(result.name) with the seed \(result.seed): \(result.title)"]
        let unobserved = result.trace.unobservedFailures
        if !unobserved.isEmpty { lines += ["#", "# Failures that nobody observed:"] + unobserved.map { "#   \($0)" } }
        lines += ["#", "# seconds, device, run of the app, event"]
        return SecretMarks.marked(lines + result.trace.log(), of: scenario).joined(separator: "\n") + "\n"
    }
}

/// Why a scenario file did not pass.
public struct ScenarioCaseFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and where, what was expected and found, and the last events.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    init(_ result: ScenarioResult, _ failure: ScenarioFailure, replay: String) {
        var lines = ["\(failure.path ?? result.path)\(failure.line.map { ":\($0)" } ?? ""): \(failure.message)"]
        lines.append("  \(result.name) with the seed \(result.seed)\(replay): \(result.title)")
        if let source = failure.source { lines.append("  step      \(source)") }
        if let expected = failure.expected { lines.append("  expected  \(expected)") }
        if let actual = failure.actual { lines.append("  actual    \(actual)") }
        let unobserved = result.unobservedFailures
        if !unobserved.isEmpty { lines.append("  failures that nobody observed") }
        lines += unobserved.prefix(5).map { "    \($0)" }
        if unobserved.count > 5 { lines.append("    … and \(unobserved.count - 5) more") }
        if !failure.lastEvents.isEmpty { lines.append("  last events (seconds, device, run of the app, event)") }
        lines += failure.lastEvents.map { "    \($0)" }
        description = lines.joined(separator: "\n")
    }
}

extension ScenarioResult.Outcome {
    /// What went wrong; `nil` if nothing did.
    public var failure: ScenarioFailure? {
        switch self {
        case .passed: nil
        case .failed(let failure), .didNotSettle(let failure), .notDeterministic(let failure), .cannotRun(let failure): failure
        }
    }

    /// The exit status of `pairsim` for it.
    var status: Int {
        switch self {
        case .passed: 0
        case .failed: 1
        case .cannotRun: 3
        case .notDeterministic: 5
        case .didNotSettle: 6
        }
    }
}
