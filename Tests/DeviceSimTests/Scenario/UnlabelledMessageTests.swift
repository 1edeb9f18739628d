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

    /// A transfer, too, fails later than at its step.
    @Test(arguments: [
        ("", true), ("expect event userInfo.failed on phone", false), ("expect event userInfo.failed", false),
        ("expect no event userInfo.failed on watch", true),
    ])
    func aTransferThatNobodySpeaksOfFailsTheScenario(_ line: String, _ fails: Bool) throws {
        let steps =
            "knob transfer.keptForRemovedApp false\nlink down\nphone transfer user info {\"n\": 1}LABEL\nwatch uninstall\nlink up\nsettle\n"
        let failure = try failure(steps.replacing("LABEL", with: "") + line)
        #expect((failure != nil) == fails, "\(failure?.message ?? "")")
        if let failure {
            #expect(failure.message.hasPrefix("failed later with ") && failure.message.contains("(`as t`)") && failure.line == 5)
        }
        #expect(try self.failure(steps.replacing("LABEL", with: " as t") + "expect transfer t failed watchAppNotInstalled") == nil)
    }
}
