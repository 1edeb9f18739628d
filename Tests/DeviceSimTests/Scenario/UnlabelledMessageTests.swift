import DeviceSim
import Testing

@testable import DeviceSimRunner

/// What comes of a message later than at its step, where no line speaks of it.
@Suite struct UnlabelledMessageTests {
    private func failure(_ steps: String) throws -> ScenarioFailure? {
        try ScenarioRunner.run(scenario("# A message.\n\n" + steps + "\n")).outcome.failure
    }

    @Test func aFailureThatNobodySpeaksOfFailsTheScenario() throws {
        let failure = try #require(try failure("phone never replies\nwatch send message {\"n\": 1} expecting reply\nwait 10min"))
        #expect(failure.message.hasPrefix("failed later with messageReplyTimedOut: "))
        #expect(failure.message.contains("`fails messageReplyTimedOut`") && failure.line == 4)
    }

    @Test(arguments: [
        "phone never replies\nwatch send message {\"n\": 1} expecting reply fails messageReplyTimedOut\nwait 10min",
        "phone never replies\nwatch send message {\"n\": 1} expecting reply as m\nwait 10min\nexpect message m failed messageReplyTimedOut",
        "watch send message {\"n\": 1} expecting reply\nwait 10min",
        // Nothing has come of it yet.
        "phone never replies\nwatch send message {\"n\": 1} expecting reply\nwait 1s",
    ])
    func whatIsSpokenOfOrWellDoesNot(_ steps: String) throws {
        let failure = try failure(steps)
        #expect(failure == nil, "\(failure?.message ?? "")")
    }
}
