import DeviceSim
import Foundation
import Testing

/// A log of a run with a knob set: the setting is found, and the scenario has it.
@Suite struct ObservationKnobTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        let knob: String
        let steps: String
        var start = ""
        var testDescription: String { knob }
    }

    static let settings = [
        Setting(knob: "link.latency 700ms", steps: "phone send message {\"n\": 1} as m1\nwait 5s"),
        Setting(knob: "activation.latency 1s", steps: "watch relaunch\nwait 5s"),
        Setting(
            knob: "message.replyTimeout 12s", steps: "watch never replies\nphone send message {\"n\": 1} expecting reply as m1\nwait 1min"),
        Setting(
            knob: "message.transferTimeout 7s",
            steps: "watch send message {\"n\": 1} expecting reply as m1\nwait 1min",
            start: "start phone not launched\nstart phone not activated"),
        Setting(
            knob: "message.badReplyFails true",
            steps: "phone replies {\"n\": null}\nwatch send message {\"n\": 1} expecting reply as m1\nwait 1s"),
        Setting(
            knob: "message.lostReplyFails true",
            steps:
                "link latency 2s\nphone replies {\"n\": 1} after 1s\nwatch send message {\"n\": 1} expecting reply as m1\nwait 4s\nlink down\nwait 1s"
        ),
        Setting(knob: "context.limit 1000 bytes", steps: "phone update context {\"n\": data(2000 bytes)} fails payloadTooLarge"),
        Setting(knob: "message.limit 1000 bytes", steps: "phone send message {\"n\": data(2000 bytes)} as m1\nwait 1s"),
        Setting(knob: "userInfo.limit 1000 bytes", steps: "phone transfer user info {\"n\": data(2000 bytes)} as t1\nwait 1s"),
        Setting(
            knob: "context.duplicates true",
            steps: "watch terminate\nphone update context {\"n\": 1}\nwait 1s\nwatch launch\nwait 2s", start: "knob wake.watch false"),
        Setting(
            knob: "transfer.finishAfterCancel true", steps: "link down\nphone transfer user info {\"n\": 1} as t1\nphone cancel t1\nwait 1s"
        ),
        Setting(
            knob: "transfer.endsWithReceipt true",
            steps: "watch terminate\nphone transfer user info {\"n\": 1} as t1\nwait 5s"),
        Setting(
            knob: "file.bandwidth 5000 bytes",
            steps: "phone write file \"Documents/a\" data(100000 bytes)\nphone transfer file \"Documents/a\" as f1\nwait 1min"),
        Setting(
            knob: "wake.coldTaskLimit 9s",
            steps: "watch never completes refresh tasks\nwatch terminate\nphone transfer user info {\"n\": 1} as t1\nwait 1min"),
        Setting(
            knob: "wake.taskLimit 8s",
            steps:
                "watch never completes refresh tasks\nwatch background\nwatch suspend\nphone transfer user info {\"n\": 1} as t1\nwait 1min"
        ),
        Setting(
            knob: "wake.expiredTaskCrashes false",
            steps: "watch never completes refresh tasks\nwatch terminate\nphone transfer user info {\"n\": 1} as t1\nwait 1min"),
        Setting(knob: "wake.phoneForContexts true", steps: "phone terminate\nwatch update context {\"n\": 1}\nwait 2s"),
        Setting(
            knob: "wake.phoneForFiles true",
            steps: "phone terminate\nwatch write file \"Documents/a\" data(100 bytes)\nwatch transfer file \"Documents/a\" as f1\nwait 5s"),
        Setting(knob: "switch.handover 3s", steps: "phone switches to watch2\nwait 10s", start: "start second watch"),
        Setting(
            knob: "switch.messageError notReachable",
            steps: "link latency 1s\nphone send message {\"n\": 1} expecting reply as m1\nphone switches to watch2\nwait 10s",
            start: "start second watch"),
        Setting(
            knob: "wrist.lowered foreground",
            steps: "watch wrist down\nwait 1s\nphone send message {\"n\": 1} as m1\nwait 1s\nwatch wrist up"),
    ]

    @Test(arguments: settings) func comesBack(_ setting: Setting) throws {
        let run = try SeenRun(text: "# A run.\n\nknob \(setting.knob)\n\(setting.start)\n\n\(setting.steps)\n")
        if case .failed(let failure) = run.result.outcome { Issue.record("\(failure.message) \(failure.actual ?? "")") }
        let observation = Observation(["run.jsonl": run.lines])
        #expect(observation.contradicted == [])
        #expect(observation.unusual.contains(setting.knob), "\(observation.unusual)\n\(run.lines.joined(separator: "\n"))")
        let scenario = observation.scenario()
        #expect(scenario.text.contains("knob \(setting.knob)\n"))
        #expect(scenario.missed == [] && scenario.trouble == nil, "\(scenario.text)")
    }
}
