import DeviceSim
import Testing

/// A step that could do nothing of what it says fails and tells what to do instead.
@Suite struct IdleStepTests {
    /// It waits for what never comes, and that is a mistake of the scenario: nothing else runs that could end it.
    @Test(arguments: [
        ("phone suspend\n", "phone sync", "app"), ("phone widget launch\nphone widget suspend\n", "phone widget get theme", "widget"),
    ])
    func whatTheSystemHasSuspendedSaysSo(_ before: String, _ step: String, _ part: String) throws {
        let source =
            "# A.\n\nkey theme: String\n    domain    appGroupUserDefaults \"group.com.example\"\n    security  none\n\n" + before + step
            + "\n"
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": source]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        guard case .failed(let failure) = ScenarioRunner.run(scenario).outcome else {
            Issue.record("no failure of the step")
            return
        }
        #expect(failure.message.hasPrefix("the system has suspended the \(part): "), "\(failure.message)")
    }

    /// What is written then would survive the power coming back, and not its next loss: no disk is like that.
    @Test func nobodyWritesOnADeviceThatIsOff() throws {
        let result = ScenarioRunner.run(
            try scenario("key theme: String\n    security  none\n\nphone power loss\nphone plant theme \"dark\"\n"))
        guard case .failed(let failure) = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(failure.message.contains("the device is off") && failure.message.contains("power it on first"), "\(failure.message)")
    }

    @Test(arguments: ["", "phone background\n", "phone suspend\n"])
    func cachesStayWhileTheAppRuns(_ before: String) throws {
        let result = ScenarioRunner.run(try scenario("\(before)phone purge caches\n"))
        guard case .failed(let failure) = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(failure.source == "phone purge caches")
        #expect(failure.message.contains("`terminate` it first"))
    }
}
