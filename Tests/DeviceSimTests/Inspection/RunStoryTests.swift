import DeviceSim
import DeviceSimCore
import DeviceSimLanguage
import Foundation
import Testing

@testable import DeviceSimRunner

/// The story of a run: its steps, its causes, and what the devices were like.
@Suite struct RunStoryTests {
    private static let delivery = """
        # A theme reaches the watch.

        key theme: String
            security none
            sync automaticSmall
        key token: String
            sync automaticSmall

        phone set theme "dark"
        phone set token "S3CRET-TOKEN"
        expect watch theme "dark" within 5s
        expect watch token "S3CRET-TOKEN"
        """

    private func story(_ text: String, showsValues: Bool = false) throws -> RunStory {
        var options = RunOptions()
        options.story = StoryRequest(showsValues: showsValues)
        return try #require(try ScenarioRunner.run(scenario(text), options: options).story)
    }

    @Test func aDeliveryComesOfTheStepThatSetTheValue() throws {
        let story = try story(Self.delivery)
        let delivered = try #require(story.trace.events.lastIndex { $0.kind == .contextDelivered && $0.device == .watch })
        var chain: [TraceEvent.Kind] = []
        var number: Int? = delivered
        while let current = number {
            chain.append(story.trace.events[current].kind)
            number = story.causes[current].foremost
        }
        #expect(chain == [.contextDelivered, .contextArrived, .contextSent, .contextUpdated, .step])
        let set = try #require(story.trace.events.firstIndex { $0.kind == .set })
        #expect(story.trace.events[try #require(story.causes[set].foremost)].kind == .step)
        let applied = try #require(story.trace.events.lastIndex { $0.kind == .applied })
        #expect(story.trace.events[try #require(story.causes[applied].carried)].kind == .sync)
        #expect(story.trace.events[try #require(story.causes[applied].trigger)].kind == .contextDelivered)
    }

    @Test func stepsHaveTheirEventsAndTheirOutcome() throws {
        let story = try story(Self.delivery.replacing("expect watch theme \"dark\"", with: "expect watch theme \"light\""))
        #expect(story.steps.map(\.outcome) == [.passed, .passed, .failed, .notRun])
        #expect(story.steps.map(\.line) == [9, 10, 11, 12])
        #expect(story.steps[2].message == "another value was found")
        let set = try #require(story.trace.events.firstIndex { $0.kind == .set })
        #expect(story.step(ofEvent: set) == 0)
    }

    @Test func equalValuesHaveEqualMarks() throws {
        let story = try story(Self.delivery)
        let first = try #require(story.snapshots.first)
        let last = try #require(story.snapshots.last)
        #expect(first.devices.allSatisfy { $0.keys.allSatisfy { $0.content == .missing } })
        for key in ["theme", "token"] {
            let marks = last.devices.map { device -> Int? in
                guard case .stored(let mark, true, _, _)? = device.keys.first(where: { $0.identifier == key })?.content else { return nil }
                return mark
            }
            #expect(marks == [1, 1], "\(key)")
        }
        #expect(last[.phone]?.keys.first?.version?.counter == last[.watch]?.keys.first?.version?.counter)
        #expect(last[.phone]?.app.state == .foreground && last[.watch]?.session.isEmpty == false)
        #expect(last[.phone]?.pending?.isEmpty == true)
    }

    @Test func noSecretIsTold() throws {
        for shows in [false, true] {
            let story = try story(Self.delivery, showsValues: shows)
            let text = "\(story)"
            #expect(!text.contains("S3CRET"))
            #expect(text.contains("dark") == shows)
            #expect(story.steps[1].text == "phone set token …")
            #expect(story.steps[3].text == "expect watch token …")
            #expect(story.steps[0].text == (shows ? "phone set theme \"dark\"" : "phone set theme …"))
            #expect(story.steps[2].text == (shows ? "expect watch theme \"dark\" within 5s" : "expect watch theme … within 5s"))
        }
    }

    @Test func whatWaitsIsSeen() throws {
        let story = try story(Self.delivery.replacing("phone set theme", with: "link down\nphone set theme"))
        let look = try #require(story.snapshot(afterStep: 1).map { story.snapshots[$0] })
        #expect(!look.isLinkUp)
        #expect(look[.phone]?.held.map(\.place) == [.waiting])
        #expect(look[.phone]?.held.first?.channel == .context)
        #expect(look[.watch]?.keys.first?.content == .missing)
    }

    /// What an app sends by itself is told to who asks for values: whole, without the secrets that the file names, and of LocalData's entry the name alone.
    @Test func whatAnAppSendsIsToldOnRequest() throws {
        let text = """
            # An app that sends dictionaries of its own beside LocalData's.

            key token: String
                sync automaticSmall

            link down
            phone set token "S3CRET-TOKEN"
            phone update context {"list": ["milk", 1], "copy": "S3CRET-TOKEN", "long": "\(String(repeating: "x", count: 370))S3CRET-TOKEN"}
            phone transfer user info {"n": 7}
            link up
            settle
            """
        for shows in [false, true] {
            let story = try story(text, showsValues: shows)
            #expect(!"\(story.snapshots)".contains("S3CRET") && !"\(story.snapshots)".contains("S3C"))
            let waiting = try #require(story.snapshot(afterStep: 3).map { story.snapshots[$0] })
            let held = try #require(waiting[.phone]?.held)
            #expect(held.map(\.names) == [["copy", "list", "long"], ["n"]])
            #expect(held.allSatisfy { $0.values.isEmpty })
            #expect(held.last?.written == (shows ? "{\"n\": 7}" : nil))
            #expect(held.first?.written?.hasPrefix("{\"copy\": …, \"list\": [\"milk\", 1], \"long\": \"xxx") == (shows ? true : nil))
            #expect((held.first?.written?.count ?? 0) <= 400)
            let received = try #require(story.snapshots.last?[.watch]?.session.first { $0.name == "receivedApplicationContext" })
            if shows {
                #expect("\(received.value)".contains(#"\"list\": [\"milk\", 1]"#))
            } else {
                #expect(received.value == .list(["com.localdata.sync", "copy", "list", "long"]))
            }
        }
    }

    /// A message that is on its way, its answer, and the sender that waits for it.
    @Test func aMessageUnderWayIsSeen() throws {
        let story = try story(
            """
            # A message is answered.

            watch replies {"answer": 1} after 1s

            phone send message {"ask": 1} expecting reply
            settle

            """)
        func held(by device: DeviceID) -> [HeldContent] { story.snapshots.flatMap { $0[device]?.held ?? [] } }
        let (phone, watch) = (held(by: .phone), held(by: .watch))
        #expect(phone.contains { $0.channel == .message && $0.place == .onLink }, "\(phone)")
        #expect(phone.contains { $0.channel == .message && $0.place == .awaitsAnswer }, "\(phone)")
        #expect(watch.contains { $0.channel == .reply && $0.place == .onLink }, "\(watch)")
    }

    @Test func theTraceFileTellsStepsAndCauses() throws {
        let story = try story(Self.delivery)
        let text = String(decoding: story.traceJSON(), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.count == story.trace.events.count + story.steps.count + 2)
        #expect(
            lines.first?.hasPrefix(
                #"{"facts":{"version":2,"name":"test.scenario","title":"A theme reaches the watch.","seed":"1","order":"fifo"}"#) == true)
        for line in lines { #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any], "\(line)") }
        #expect(!text.contains("dark") && !text.contains("S3CRET"))
        let step = try #require(lines.first { $0.contains(#""kind":"scenario.step""#) })
        #expect(step.contains(#""text":"phone set theme …""#) && step.contains(#""step":1"#))
        #expect(lines.contains { $0.contains(#""kind":"scenario.stepEnd""#) && $0.contains(#""outcome":"passed""#) })
    }

    private static let keys = """
        # Texts are told without values.

        key theme: String
            security none
        key token: String

        """

    @Test(arguments: [
        ("phone set token \"a, within 5s\"", "phone set token …", "phone set token …"),
        ("expect watch token missing within 5s", "expect watch token missing within 5s", "expect watch token missing within 5s"),
        (
            "expect watch token \"a\" or missing within 5s", "expect watch token … or missing within 5s",
            "expect watch token … or missing within 5s"
        ),
        ("phone set theme \"a\" fails locked", "phone set theme … fails locked", "phone set theme \"a\" fails locked"),
        ("phone update context {\"a\": \"b\"}", "phone update context …", "phone update context {\"a\": \"b\"}"),
        ("expect watch token \"abc\" or \"def\"", "expect watch token … or …", "expect watch token … or …"),
        ("phone set\ttoken\t\"abc\"", "phone set\ttoken\t…", "phone set\ttoken\t…"),
        ("let k = token\nphone set $k \"abc\"", "phone set $k …", "phone set $k …"),
        ("phone overwrite token with \"S3CRET\"", "phone overwrite token with …", "phone overwrite token with …"),
        ("phone app does \"count\" with 42", "phone app does \"count\" with …", "phone app does \"count\" with 42"),
        ("expect phone app shows \"count\" 42", "expect phone app shows … …", "expect phone app shows \"count\" 42"),
        ("wait 5s", "wait 5s", "wait 5s"),
        ("phone get theme", "phone get theme", "phone get theme"),
    ])
    func textsAreToldWithoutValues(_ line: String, _ masked: String, _ shown: String) throws {
        let scenario = try scenario(Self.keys + "\n" + line + "\n")
        let step = try #require(scenario.steps.last)
        #expect(TextMask(scenario, showsValues: false).text(of: step) == masked)
        #expect(TextMask(scenario, showsValues: true).text(of: step) == shown)
    }

    @Test func whatWasFoundOfASecretIsNotTold() throws {
        let scenario = try scenario(Self.keys + "\nexpect devices agree on token\n")
        let action = try #require(scenario.steps.last).action
        let found = "expect phone token \"S3CRET\", expect watch token missing"
        #expect(TextMask(scenario, showsValues: true).text(found, of: action) == "expect phone token …, expect watch token missing")
    }

    @Test func whatWasFoundOfAnyKeyIsNotTold() throws {
        let scenario = try scenario(Self.keys + "\nexpect devices agree\n")
        let action = try #require(scenario.steps.last).action
        let found = "expect phone token \"S3CRET\", expect watch token missing"
        #expect(TextMask(scenario, showsValues: true).text(found, of: action) == "expect phone token …, expect watch token missing")
    }

    @Test func anErrorOfAnAppTellsNoSecretOfTheScenario() throws {
        let scenario = try scenario(Self.keys + "\nphone set token \"S3CRET\"\n")
        #expect(TextMask(scenario, showsValues: true).message("failed: bad(S3CRET)") == "failed: bad(…)")
    }

    @Test func marksAreLetters() {
        #expect([1, 26, 27, 52, 703].map(StateEntries.letters) == ["A", "Z", "AA", "AZ", "AAA"])
    }
}
