import DeviceSim
import Testing

@testable import DeviceSimCore
@testable import DeviceSimRunner

/// What a simulation that does not settle says is still to come.
@Suite struct AgendaTests {
    @Test func itSaysWhatIsScheduledWhenAndWhose() throws {
        let text = """
            watch replies {"a": 2} after 2h
            phone send message {"a": 1} expecting reply as question
            settle within 1s

            """
        guard case .didNotSettle(let failure) = ScenarioRunner.run(try scenario(text)).outcome else {
            Issue.record("it settles")
            return
        }
        let lines = failure.message.split(separator: "\n").map(String.init)
        #expect(lines.first?.contains("still scheduled after 1s") == true)
        #expect(lines.contains { $0.hasPrefix("  due at ") && $0.hasSuffix("timeout of a reply (phone)") }, "\(lines)")
        #expect(lines.contains { $0.contains("what the app does later (watch") }, "\(lines)")
    }

    @Test func whatIsAlikeIsOneLineAndTheRestIsCounted() {
        let scheduler = Scheduler()
        for number in 0..<3 { scheduler.schedule(at: .start + .seconds(Int64(number + 1)), as: ScheduledWork("timer", of: "phone")) {} }
        scheduler.schedule(at: .start + .milliseconds(500), as: ScheduledWork("timer", of: "watch")) {}
        scheduler.schedule(at: .start, isIdle: true, as: ScheduledWork("idle")) {}
        scheduler.cancel(scheduler.schedule(at: .start, as: ScheduledWork("cancelled")) {})
        #expect(scheduler.agenda == ["0.500000 timer (watch)", "1.000000 timer (phone), and 2 more of these"])
    }
}
