import DeviceSim
import Testing

@testable import DeviceSimRunner

/// What a failed expectation of a value says that was found.
@Suite struct FindingTextTests {
    private static func message(_ steps: String, sync: String = "automaticSmall") throws -> String? {
        let run = try scenario("key theme: String\n    domain  fileSystem documents\n    sync    \(sync)\n\n\(steps)")
        guard case .failed(let failure) = ScenarioRunner.run(run).outcome else { return nil }
        return failure.message
    }

    @Test func tellsAValueFromNoneAndFromAFailure() throws {
        #expect(try Self.message("phone set theme \"a\"\nexpect phone theme \"b\"") == "another value was found")
        #expect(try Self.message("expect phone theme \"b\"") == "no value was found")
        #expect(
            try Self.message("phone set theme \"a\"\nphone disk fails every read with EIO\nexpect phone theme \"a\"") == "reading failed")
    }

    /// A key that migrates has the value that a step gave another one.
    @Test func theKeyThatWasSetIsNamed() throws {
        let keys =
            "key a: String\n    until 1.9\nkey b: String\n    until 1.9\n    migrates from a\n"
            + "key c: String\n    since 2.0\n    migrates from b\n"
        let steps = "phone set a \"secret value\"\nphone update to 2.0\nphone launch\nexpect no plaintext of c on phone\n"
        let text = keys + "start phone version 1.9\n" + steps
        guard case .failed(let failure) = ScenarioRunner.run(try scenario(text)).outcome else {
            Issue.record("it passes")
            return
        }
        #expect(failure.message.hasPrefix("no step has set 'c' yet. Its value is that of 'a'"), "\(failure.message)")
    }

    /// Where nothing else is known of an error than its name, the name is said once.
    @Test func anErrorIsNamedOnce() throws {
        let text = "link down\nphone send message {}\n"
        guard case .failed(let failure) = ScenarioRunner.run(try scenario(text)).outcome else {
            Issue.record("it passes")
            return
        }
        #expect(failure.message == "failed with notReachable: The counterpart is not reachable", "\(failure.message)")
    }

    @Test func devicesThatSyncNothingDoNotAgree() throws {
        #expect(
            try Self.message("expect devices agree", sync: "never") == "no key of these apps syncs: there is nothing to agree on")
        #expect(try Self.message("expect devices agree") == nil)
        #expect(try Self.message("expect devices agree on theme", sync: "never") == nil)
    }
}
