import DeviceSim
import Testing

@testable import DeviceSimSearch

/// What a checked run expects of migrations whose sources may be gone.
@Suite struct LegacyValuesTests {
    private func violation(_ steps: String) throws -> Violation? {
        let source = """
            # A name of two parts.

            key oldFamily: String
                security  none
                until     0.9
            key oldGiven: String
                security  none
                until     0.9
            key person: String
                security  none
                migrates  from oldGiven and oldFamily by joining awaiting all

            \(steps)
            """
        let scenario = try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": source])).scenarios.first)
        return CheckedRun.run(scenario).violation
    }

    /// The first part went with the app, so the migration waits for ever. Nothing was promised.
    @Test func aPartThatIsGoneMakesNothing() throws {
        let steps = """
            watch plant oldGiven "Ada"
            watch uninstall
            watch install
            watch launch
            watch plant oldFamily "Lovelace"
            watch relaunch
            settle
            """
        #expect(try violation(steps) == nil)
    }

    @Test func bothPartsMakeAWhole() throws {
        let steps = """
            watch plant oldGiven "Ada"
            watch plant oldFamily "Lovelace"
            watch relaunch
            settle
            """
        #expect(try violation(steps) == nil)
    }
}
