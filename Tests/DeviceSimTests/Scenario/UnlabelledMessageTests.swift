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

    /// Only what was looked at after the failure, and wants one, speaks of it; also where the app that is to be told does not run.
    @Test(arguments: [
        ("", "", true), ("expect no event file.failed\n", "", true), ("expect event file.failed 0 times on phone\n", "", true),
        ("", "mark later\nexpect no event file.failed since later\n", true), ("", "expect event file.failed on phone\n", false),
        ("", "expect event file.failed at least 1 time\n", false), ("", "expect event file.failed on watch 0 times\n", true),
        ("", "expect in order\n    phone file.failed\n", false),
    ])
    func whatWasSaidBeforeIsNotOfTheFailure(_ before: String, _ after: String, _ fails: Bool) throws {
        let begin = "phone write file \"Documents/a\" data(1000 bytes)\n\(before)watch disk has 10 bytes free\n"
        let failure = try failure(begin + "phone transfer file \"Documents/a\"\nsettle\n" + after)
        #expect((failure != nil) == fails, "\(failure?.message ?? "")")
        guard before.isEmpty, after.isEmpty else { return }
        let untold = begin + "link down\nphone transfer file \"Documents/a\"\nphone terminate\nlink up\nsettle"
        #expect(try self.failure(untold)?.message.hasPrefix("failed later with ") == true)
    }
}
