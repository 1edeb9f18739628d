import DeviceSim
import Testing

@testable import DeviceSimSearch

/// What the file of a find says of itself.
@Suite struct FoundScenarioTests {
    private static let text = """
        # A.

        key theme: String
            security  none

        # Set it.
        phone set theme "a"
        wait 1s

        # Make everything whole.
        settle

        """

    private func found(_ fails: @escaping (String) -> Bool) throws -> FoundScenario {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": Self.text]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        #expect(scenario.steps.compactMap(\.phase).isEmpty == false)
        let theme = KeyReference(index: 0, identifier: "theme")
        let violation = Violation(
            .durability, key: "theme", device: .phone, step: scenario.steps.count, explanation: ["it was lost"],
            expectation: Expectation(.value(.phone, theme, .equals(.string("a")))))
        return FoundScenario(
            scenario, violation: violation, outcomes: scenario.steps.map { _ in [.succeeded] }, notes: ["A note."],
            replay: "pairsim explore",
            fails: fails)
    }

    private static let note = "# An ordinary run of this file passes: the search alone looks at what fails here."

    @Test(arguments: [true, false]) func whatPassesInAnOrdinaryRunSaysSo(fails: Bool) throws {
        let found = try found { _ in fails }
        #expect(found.isConfirmed == fails)
        #expect(found.text.contains(Self.note) == !fails)
        // Below what was found out, above the command.
        let header = found.text.split(separator: "\n").filter { $0.hasPrefix("#") }
        #expect(header.suffix(2) == ["# Found by: pairsim explore", "# Tags: found"])
        #expect(header.firstIndex(of: "# A note.") == header.count - (fails ? 3 : 4))
    }

    /// What is asked whether it fails is what the file says, without a word about that.
    @Test func whetherItFailsIsAskedOfTheTextAlone() throws {
        var asked: [String] = []
        _ = try found { text in
            asked.append(text)
            return true
        }
        #expect(asked.count == 1 && asked.allSatisfy { !$0.contains(Self.note) && $0.contains("expect phone theme \"a\"") })
    }

    /// The search names its parts for itself.
    @Test func thePhasesOfTheSearchAreLeftOut() throws {
        let text = try found { _ in true }.text
        #expect(!text.contains("# Set it.") && !text.contains("# Make everything whole."), "\(text)")
        #expect(text.contains("phone set theme \"a\"\nwait 1s\nsettle\n"), "\(text)")
    }
}
