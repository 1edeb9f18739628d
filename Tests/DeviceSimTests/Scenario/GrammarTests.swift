import DeviceSim
import Foundation
import Testing

@testable import DeviceSimLanguage

@Suite struct GrammarTests {
    /// With `UPDATE_GOLDENS` set, the tables are written anew, and the test fails.
    @Test func theGrammarListsWhatTheParserKnows() throws {
        let file = repository.appendingPathComponent("Scenarios/GRAMMAR.md")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let start = try #require(text.range(of: GrammarTables.opening + "\n\n"))
        let end = try #require(text.range(of: "\n" + GrammarTables.closing))
        if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
            let updated = text.replacingCharacters(in: start.upperBound..<end.lowerBound, with: GrammarTables.markdown)
            try Data(updated.utf8).write(to: file)
            Issue.record("rewritten: GRAMMAR.md")
        }
        #expect(String(text[start.upperBound..<end.lowerBound]) == GrammarTables.markdown)
    }

    /// Every block of scenario text in the grammar is a scenario.
    @Test func theExamplesOfTheGrammarCompile() throws {
        let file = repository.appendingPathComponent("Scenarios/GRAMMAR.md")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let blocks = text.components(separatedBy: "```scenario\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count >= 5)
        let included = ["shared/keys.inc": "key theme: String\nparameter size = 1\n"]
        for block in blocks {
            let compilation = compile(block, with: included)
            #expect(compilation.diagnostics.isEmpty, "\(ScenarioDiagnostic.rendered(compilation.diagnostics))\n\(block)")
            let source = try SourceText(path: "x", bytes: Array(block.utf8))
            #expect(try ScenarioFormatter.format(source).get() == block, "the grammar shows canonical layout")
        }
    }
}
