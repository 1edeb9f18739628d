import DeviceSimLanguage
import Testing

@testable import DeviceSimRunner

/// A canary fails at its last step, for what came of that step; a broken set-up does not make it pass.
@Suite struct CanaryJudgementTests {
    static let key = """
        key theme: String
            domain    userDefaults
            security  none


        """

    private func objection(_ steps: String, status: Int = 1) throws -> String? {
        let text = "# A canary.\n# Canary: \(status)\n\n" + Self.key + steps
        let result = ScenarioRunner.run(try scenario(text))
        #expect(result.outcome.status == status)
        return result.canaryObjection
    }

    @Test(arguments: [
        "phone set theme \"dark\"\nexpect phone theme \"light\"", "phone update context {\"n\": null}",
        "phone update context {\"n\": 1} fails payloadTooLarge", "phone set theme \"a\" crashes at operation 900",
        "phone update context {\"n\": 1} crashes at every operation",
        "expect in order\n    phone app.launch\n    watch message.delivered",
        "together\n    phone set theme \"a\"\n    phone update context {\"n\": null}",
        "examples\n    | value |\n    | \"a\" |\nphone set theme $value\nexpect phone theme \"b\"",
    ])
    func failsAtItsEnd(_ steps: String) throws {
        #expect(try objection(steps + "\n") == nil)
    }

    @Test(arguments: [
        ("phone update context {\"n\": null}\nexpect phone theme \"light\"", "it failed in line 8, which is its set-up"),
        ("expect phone theme \"x\"\nexpect phone theme \"light\"", "a canary must fail at its last step, in line 9"),
        ("phone terminate\nexpect phone theme \"light\"", "could not be tried"),
        ("phone terminate\nphone update context {\"n\": null}", "could not be tried"),
        ("wait 5s\nat 1s", "could not be tried"), ("phone app does \"choose\"", "could not be tried"),
        ("expect phone app shows \"theme\" \"dark\" within 5s", "could not be tried"), ("expect devices agree", "could not be tried"),
        ("together\n    phone set theme \"a\" crashes at operation 900\n    phone terminate", "could not be tried"),
    ])
    func failsInItsSetUp(_ steps: String, _ reason: String) throws {
        #expect(try #require(try objection(steps + "\n")).contains(reason))
    }

    /// The app has no such key: nobody has looked for its value.
    @Test func asksForAKeyThatTheAppDoesNotHave() throws {
        let text = "# A canary.\n# Canary: 1\n\nkey theme: String\n    since 2.0\n\nexpect watch theme \"dark\" within 5s\n"
        #expect(ScenarioRunner.run(try scenario(text)).canaryObjection == "its last step could not be tried, so nothing was shown")
    }

    /// A line of an included file is another one, though it has the last step's number.
    @Test func failsInAnIncludedFile() throws {
        let files = [
            "a.scenario": "# A canary.\n# Canary: 1\n\n\(Self.key)include \"b.inc\"\nexpect phone theme \"light\"\n",
            "b.inc": "# What comes before.\n\n\n\n\n\n\n\nexpect phone theme \"dark\"\n",
        ]
        let compilation = ScenarioCompiler.compile(path: "a.scenario", files: .memory(files))
        let canary = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        #expect(try #require(ScenarioRunner.run(canary).canaryObjection).contains("which is its set-up"))
    }

    @Test func anUnsettledOneToo() throws {
        let unsettled = "watch never replies\nphone send message {} expecting reply as lost\nsettle within 1min\n"
        #expect(try objection(unsettled, status: 6) == nil)
        #expect(try objection(unsettled + "wait 1s\n", status: 6)?.contains("its set-up") == true)
    }
}
