import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import DeviceSimLanguage

@Suite struct GrammarTests {
    /// Every block of scenario text in the grammar is a scenario.
    @Test func theExamplesOfTheGrammarCompile() throws {
        let file = repository.appendingPathComponent("Scenarios/GRAMMAR.md")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let blocks = text.components(separatedBy: "```scenario\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count >= 5)
        let included = [
            "shared/keys.inc": "key theme: String\nparameter size = 1\nphone write file \"Documents/filler\" repeat(\"x\", $size)\n"
        ]
        for block in blocks {
            let compilation = compile(block, with: included)
            #expect(compilation.diagnostics.isEmpty, "\(ScenarioDiagnostic.rendered(compilation.diagnostics))\n\(block)")
            let source = try SourceText(path: "x", bytes: Array(block.utf8))
            #expect(try ScenarioFormatter.format(source).get() == block, "the grammar shows canonical layout")
        }
    }
}
