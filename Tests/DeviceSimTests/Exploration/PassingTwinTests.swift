import DeviceSim
import Specimens
import Testing

@testable import DeviceSimSearch

/// The passing run that is nearest to a failing one, and the event at which the two part.
@Suite struct PassingTwinTests {
    private func scenario(_ steps: String, order: ReadyOrder? = nil) throws -> Scenario {
        let text = "# A.\n\nkey theme: String\n    domain    fileSystem documents\n    security  none\n\n\(steps)\n"
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]))
        return try #require(compilation.scenarios.first, "\(compilation.diagnostics)").replacing(order: order)
    }

    private func nearestPassing(of scenario: Scenario, stepCount: Int? = nil, _ options: RunOptions) -> PassingTwin? {
        let result = CheckedRun.run(scenario, options: options)
        guard result.violation != nil else { return nil }
        return PassingTwin(of: scenario, failing: result, stepCount: stepCount ?? scenario.steps.count, options: options)
    }

    /// Without the crash, or without the second value that it cuts short, nothing is lost: the runs part where the app crashes.
    @Test func theTwinPartsWhereTheMistakeShows() throws {
        let specimen = try #require(Specimen.all.first { $0.name.contains("deleted before the new one is there") })
        let lines = [
            "phone set theme \"dark\"", "phone set theme \"light\" crashes at operation OPERATION", "phone launch", "phone get theme",
        ]
        let twins = try (1...20).compactMap { number -> PassingTwin? in
            nearestPassing(of: try scenario(lines.joined(separator: "\n").replacing("OPERATION", with: "\(number)")), specimen.bad)
        }
        let twin = try #require(twins.first)
        #expect(twin.difference.hasPrefix("without step "))
        #expect(twin.sharedEvents > 0)
        #expect(twin.failingEvent != twin.passingEvent)
        #expect(twin.diff.first.map { $0.hasPrefix("-") || $0.hasPrefix("+") } == true, "\(twin.diff)")
        // The diff has both sides whole: what is left of it without the other side's lines begins with each side's own event.
        let (here, there) = (twin.diff.first { !$0.hasPrefix("+") }, twin.diff.first { !$0.hasPrefix("-") })
        #expect(here.map { String($0.dropFirst(2)) } == twin.failingEvent)
        #expect(there.map { String($0.dropFirst(2)) } == twin.passingEvent)
    }

    /// Without the launch of the watch nothing is compared there: that run passes, and says nothing of the mistake.
    @Test func aRunThatComparesNothingIsNotNearest() throws {
        let specimen = try #require(Specimen.all.first { $0.name == "received contexts are looked at by nobody" })
        let steps = "start watch not launched\n\nphone set theme \"dark\"\nwatch launch\nsettle"
        let text = "# A.\n\nkey theme: String\n    sync  automaticSmall\n\n\(steps)\n"
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        let vacuous = CheckedRun.covered(scenario.keeping(steps: [scenario.steps[0], scenario.steps[2]]), options: specimen.bad)
        #expect(vacuous.violation == nil && vacuous.coverage?.count(of: .checks, named: "convergence") == 0)
        let twin = try #require(nearestPassing(of: scenario, specimen.bad))
        #expect(twin.difference == "without step 1 (phone set theme \"dark\")")
    }

    /// Without the launch nothing can be read: that run passes since its last step cannot be made. Without the reading itself it passes since nobody looks.
    @Test func neitherTheStepThatShowsItNorWhatThatNeedsIsLeftOut() throws {
        let specimen = try #require(Specimen.all.first { $0.name.contains("deleted before the new one is there") })
        let lines = [
            "phone set theme \"dark\"", "phone set theme \"light\" crashes at operation OPERATION", "phone launch", "phone get theme",
        ]
        let failing = try (1...20).map { try scenario(lines.joined(separator: "\n").replacing("OPERATION", with: "\($0)")) }
            .filter { CheckedRun.run($0, options: specimen.bad).violation?.step == 3 }
        #expect(!failing.isEmpty)
        for scenario in failing {
            let withoutLaunch = CheckedRun.run(
                scenario.keeping(steps: scenario.steps.enumerated().filter { $0.offset != 2 }.map(\.element)), options: specimen.bad)
            #expect(withoutLaunch.violation == nil && withoutLaunch.outcomes.joined().contains(.impossible))
            let twin = try #require(nearestPassing(of: scenario, stepCount: 3, specimen.bad))
            #expect(["without step 1 ", "without step 2 "].contains { twin.difference.hasPrefix($0) }, "\(twin.difference)")
            #expect(nearestPassing(of: scenario, stepCount: 0, specimen.bad) == nil)
        }
    }

    /// A run that passes has none, nor one that fails whatever is left out.
    @Test func aRunThatFailsWithoutStepsHasNone() throws {
        var options = RunOptions()
        options.makeConfiguredApp = { _, _ in RestlessApp() }
        let failing = try scenario("settle")
        #expect(CheckedRun.run(failing, options: options).violation != nil)
        #expect(nearestPassing(of: failing, options) == nil)
    }

    @Test(arguments: [
        (["a", "b", "c"], ["a", "x", "c"], ["  a", "- b", "+ x", "  c"]), ([], ["a"], ["+ a"]), (["a"], [], ["- a"]), ([], [], []),
    ])
    func theDiffIsTheShortest(one: [String], other: [String], lines: [String]) {
        #expect(PassingTwin.diff(one, other) == lines)
    }
}

/// Reads without an end from its launch on.
private final class RestlessApp: ValueKeeping, @unchecked Sendable {
    func didFinishLaunching(inBackground: Bool) async {
        Task { while !Task.isCancelled { try? await Task.sleep(for: .microseconds(1)) } }
    }
}
