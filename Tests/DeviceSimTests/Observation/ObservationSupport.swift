import DeviceSim
import Foundation
import TestSupport
import Testing

/// A run of a scenario of this package, as logs.
struct SeenRun {
    let scenario: Scenario
    let result: ScenarioResult

    /// - Parameters:
    ///   - path: Below `Scenarios`, without its ending.
    ///   - row: Of the examples, from 0.
    init(_ path: String, row: Int = 0) throws {
        let file = repository.appendingPathComponent("Scenarios/\(path).scenario").path
        let compilation = ScenarioCompiler.compile(path: file)
        try #require(compilation.scenarios.indices.contains(row), "\(path) has no run \(row)")
        self.init(compilation.scenarios[row])
    }

    init(_ scenario: Scenario) {
        self.scenario = scenario
        result = ScenarioRunner.run(scenario)
    }

    /// A scenario in the test itself.
    init(text: String) throws {
        let compilation = ScenarioCompiler.compile(path: "run.scenario", files: .memory(["run.scenario": text]))
        try #require(compilation.diagnostics.isEmpty, "\(compilation.diagnostics.map(\.message))")
        self.init(try #require(compilation.scenarios.first))
    }

    /// All lines, as `pairsim run --trace` writes them.
    var lines: [String] { result.trace.events.map(\.json) }

    /// What a recorder on that device could have written: what the app itself does and is told, by a clock of its own.
    /// - Parameter skew: How far that clock is ahead, in microseconds.
    func lines(of device: DeviceID, skew: Int64 = 0) -> [String] {
        result.trace.events.filter { $0.device == device && $0.kind.isSeenByApp }.map { event in
            TraceEvent(
                time: event.time + VirtualDuration(microseconds: skew), device: device, process: event.process, kind: event.kind,
                facts: event.facts
            )
            .json
        }
    }

    /// What the apps were told, in order, device by device. What they are told at one instant may come in any order.
    static func told(_ trace: Trace) -> [String] {
        let start = trace.events.firstIndex { $0.kind == .step } ?? 0
        return DeviceID.all.flatMap { device -> [String] in
            let events = trace.events[start...].filter { $0.device == device && $0.kind.isToldToApp }
            let sorted = events.sorted { ($0.time, $0.kind.rawValue) < ($1.time, $1.kind.rawValue) }
            return sorted.map { "\(device) \($0.kind.rawValue)" }
        }
    }
}

extension TraceEvent.Kind {
    /// Whether code of the app can know of it.
    var isSeenByApp: Bool {
        let others: Set<Self> = [
            .launch, .launchInBackground, .foreground, .background, .terminate, .crash, .activate, .contextUpdated, .messageSent,
            .messageReplied,
            .userInfoQueued, .userInfoCancelled, .fileQueued, .fileCancelled, .backgroundTask, .backgroundTaskCompleted,
        ]
        return isToldToApp || others.contains(self)
    }
}

extension Observation {
    /// Of logs in a test, by their lines.
    init(_ logs: [String: [String]]) {
        self.init(logs.sorted { $0.key < $1.key }.map { ($0.key, Array(($0.value.joined(separator: "\n") + "\n").utf8)) })
    }

    var contradicted: [String] {
        verdicts.filter { $0.state == .contradicted }.map { "\($0.rule.name): \($0.contradictions.map(\.text))" }
    }

    /// The settings that are not the defaults, as scenario files say them.
    var unusual: [String] { settings.filter { !$0.isDefault }.map { "\($0.knob.name) \($0.setting)" } }

    func state(_ rule: String) -> RuleVerdict.State? { verdicts.first { $0.rule.name == rule }?.state }
}
