import DeviceSim
import Foundation
import TestSupport
import Testing

/// A log of a simulated run, read as if it came from devices: the run comes back.
@Suite struct ObservationRoundTripTests {
    static let runs = [
        "session/cleared-context", "session/context-reads-back", "session/sent-and-received-contexts", "session/pairing-changes",
        "session/companion-app-changes", "session/types-before-size", "session/context-too-large", "session/message-too-large",
        "messages/order-is-kept", "messages/both-ways-at-once", "messages/data-message", "messages/late-reply", "messages/never-replies",
        "messages/watch-wakes-phone", "messages/not-reachable", "messages/reachable-at-the-check", "messages/reply-lost-on-the-way",
        "transfers/receiver-not-running", "transfers/cancelled", "transfers/queued-in-order", "transfers/outlives-the-sender",
        "transfers/file-arrives", "transfers/crash-while-receiving", "transfers/restored-after-a-reboot", "transfers/message-overtakes",
        "reachability/out-of-range-and-back", "reachability/watch-app-in-background", "reachability/watch-locked",
        "reachability/phone-reboot", "waking/suspended-watch-app-resumes", "waking/task-never-completed", "waking/task-that-only-suspends",
        "waking/content-launches-the-watch-app", "switching/messages-are-cancelled", "switching/callbacks-in-order", "wrist/glance",
        "wrist/taken-off", "wrist/workout", "complication/launches-the-watch-app",
    ]

    @Test(arguments: runs) func comesBack(_ path: String) throws {
        let run = try SeenRun(path)
        let observation = Observation(["run.jsonl": run.lines])
        #expect(observation.contradicted == [])
        let scenario = observation.scenario()
        #expect(scenario.trouble == nil)
        #expect(scenario.missed == [], "\(scenario.text)")
        #expect(scenario.keptCount > 0)
        #expect(SeenRun.told(try #require(scenario.trace)) == SeenRun.told(run.result.trace), "\(scenario.text)")
    }

    @Test(arguments: runs) func theScenarioIsInOrder(_ path: String) throws {
        let text = Observation(["run.jsonl": try SeenRun(path).lines]).scenario().text
        let compilation = ScenarioCompiler.compile(path: "seen.scenario", files: .memory(["seen.scenario": text]))
        #expect(compilation.diagnostics.map(\.message) == [])
        let source = try SourceText(path: "seen.scenario", bytes: Array(text.utf8))
        #expect(try ScenarioFormatter.format(source).get() == text)
    }

    /// Each setting that a scenario of this package makes is found where the log shows it, and none that was not made.
    @Test(arguments: ["session", "messages", "transfers", "reachability", "waking", "pairing", "switching", "wrist", "complication"])
    func nothingIsCalledWrong(_ folder: String) throws {
        let root = repository.appendingPathComponent("Scenarios/\(folder)")
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".scenario") }.sorted()
        #expect(names.count >= 8)
        for name in names {
            for scenario in ScenarioCompiler.compile(path: root.appendingPathComponent(name).path).scenarios {
                let run = SeenRun(scenario)
                let observation = Observation(["run.jsonl": run.lines])
                #expect(observation.contradicted == [], "\(name)")
                for found in observation.settings where !found.isDefault && found.knob.name != "link.latency" {
                    #expect(scenario.knobs[found.knob] == found.setting, "\(name): \(found.knob.name) \(found.setting)")
                }
            }
        }
    }
}
