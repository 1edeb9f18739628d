import DeviceSim
import Foundation
import Testing

@testable import DeviceSimLanguage
@testable import DeviceSimSearch

/// What a check expects is written into the scenario that a search prints, and has to be read from there.
@Suite struct AlternativesTests {
    private static let (one, two, three): (ScenarioValue, ScenarioValue, ScenarioValue) = (.string("one"), .string("two"), .string("three"))

    @Test(
        arguments: [
            ([nil, one], #""one" or missing"#), ([one, nil, two], #""one" or "two" or missing"#),
            ([one, two, one, three, nil], #""one" or "two" or "three" or missing"#), ([nil], "missing"), ([two, two], #""two""#),
        ] as [([ScenarioValue?], String)])
    func whatIsExpectedCanBeRead(values: [ScenarioValue?], notation: String) throws {
        #expect(try #require(InvariantChecker.anyOf(values)).notation == notation)
        let text = "# One of some.\n\nkey theme: String\n\nexpect phone theme \(notation)\n"
        let compilation = ScenarioCompiler.compile(path: "a.scenario", files: .memory(["a.scenario": text]))
        #expect(compilation.diagnostics.isEmpty, "\(compilation.diagnostics)")
        let scenario = try #require(compilation.scenarios.first)
        #expect(scenario.steps.map(\.action.notation) == ["expect phone theme \(notation)"])
    }

    @Test func moreThanALineMayNameIsNotWritten() {
        #expect(InvariantChecker.anyOf((0..<5).map { .integer($0) }) == nil)
        #expect(InvariantChecker.anyOf([]) == nil)
    }

    @Test func absenceMayComeFirst() throws {
        let text = "# One of two.\n\nkey theme: String\n\nexpect phone theme missing or \"one\"\n"
        let compilation = ScenarioCompiler.compile(path: "a.scenario", files: .memory(["a.scenario": text]))
        #expect(compilation.diagnostics.isEmpty, "\(compilation.diagnostics)")
        #expect(compilation.scenarios.first?.steps.map(\.action.notation) == ["expect phone theme missing or \"one\""])
    }
}
