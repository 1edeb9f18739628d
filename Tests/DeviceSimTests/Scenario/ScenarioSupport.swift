import DeviceSim
import Foundation
import Testing

@testable import DeviceSimLanguage

/// Compiles a text as if it were the file `test.scenario`.
func compile(_ text: String, with others: [String: String] = [:]) -> ScenarioCompilation {
    var files = others
    files["test.scenario"] = text
    return ScenarioCompiler.compile(path: "test.scenario", files: .memory(files))
}

/// The one scenario of a text that has nothing wrong.
func scenario(_ text: String, with others: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation) throws -> Scenario {
    let compilation = compile(text, with: others)
    #expect(compilation.diagnostics.isEmpty, "\(ScenarioDiagnostic.rendered(compilation.diagnostics))", sourceLocation: sourceLocation)
    return try #require(compilation.scenarios.first, sourceLocation: sourceLocation)
}

/// The action of a step, in a file with a few keys and names that it can speak of.
func action(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> ScenarioStep.Action {
    try #require(scenario(Vocabulary.testPreamble + line + "\n", sourceLocation: sourceLocation).steps.last, sourceLocation: sourceLocation)
        .action
}

extension Vocabulary {
    /// Declares all that the examples of the vocabulary speak of.
    static let testPreamble = """
        key theme: String
        key oldTheme: String
        key token: String
        key secret: String
            security encrypted external "remote.1"
        key count: Int
        start second watch
        phone send message {} expecting reply as m1
        phone transfer user info {} as t1
        phone take snapshot as old
        phone backup as monday
        mark reconnected

        """
}
