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

    @Test func devicesThatSyncNothingDoNotAgree() throws {
        #expect(
            try Self.message("expect devices agree", sync: "never") == "no key of these apps syncs: there is nothing to agree on")
        #expect(try Self.message("expect devices agree") == nil)
        #expect(try Self.message("expect devices agree on theme", sync: "never") == nil)
    }
}
