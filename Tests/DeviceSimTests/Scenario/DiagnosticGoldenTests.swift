import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import DeviceSimLanguage

/// What people read when a file is wrong, word for word.
@Suite struct DiagnosticGoldenTests {
    static let folder = "Tests/DeviceSimTests/Scenario/Goldens"

    static let names = ["words", "values", "structure", "start", "includes", "lines", "again", "elsewhere"]

    @Test(arguments: names)
    func aBadFileIsReportedSo(_ name: String) throws {
        let folder = repository.appendingPathComponent(Self.folder)
        let files = ScenarioFiles { path throws(ScenarioDiagnostic) in
            try ScenarioFiles.disk.read(folder.appendingPathComponent(path).path)
        }
        let compilation = ScenarioCompiler.compile(path: "\(name).scenario", files: files)
        let text = ScenarioDiagnostic.rendered(compilation.diagnostics, limit: 100) + "\n"
        #expect(compilation.scenarios.isEmpty)
        Golden("\(name).txt", in: Self.folder).check(text)
    }

    @Test func onlyTheFirstErrorsAreShownAndTheRestCounted() {
        let compilation = compile(String(repeating: "phone lok\n", count: 50))
        #expect(compilation.diagnostics.count == 50)
        let text = ScenarioDiagnostic.rendered(compilation.diagnostics)
        #expect(text.components(separatedBy: "error:").count == 21)
        #expect(text.hasSuffix("\n\n… and 30 more errors"))
    }

    /// A line that says that there is one more takes as much room as that one.
    @Test func theLastErrorIsNotHiddenAlone() {
        let compilation = compile(String(repeating: "phone lok\n", count: 21))
        let text = ScenarioDiagnostic.rendered(compilation.diagnostics)
        #expect(text.components(separatedBy: "error:").count == 22 && !text.contains("more error"))
    }

    @Test(arguments: ["phone lok\n", "'\n", "    wait 1s\n\n", "wait $x\n"])
    func aFileFullOfErrorsIsGivenUp(_ line: String) {
        let compilation = compile(String(repeating: line, count: 3_000))
        #expect(compilation.diagnostics.count <= 1_000)
        guard compilation.diagnostics.count == 1_000 else { return #expect(line.hasPrefix(" "), "one block has one error") }
        let text = ScenarioDiagnostic.rendered(compilation.diagnostics)
        #expect(text.hasSuffix("… and 980 more errors, and the rest was not looked at"))
    }

    @Test func aLongLineIsCutAroundTheCaret() throws {
        let line = "phone set theme " + String(repeating: "\"x\" ", count: 5_000) + "oops"
        let compilation = compile("key theme: String\n" + line)
        let text = ScenarioDiagnostic.rendered(compilation.diagnostics)
        #expect(text.utf8.count < 600, "\(text)")
        #expect(text.contains("^"))
    }

    @Test func controlCharactersDoNotReachTheTerminal() {
        let text = ScenarioDiagnostic.rendered(compile("phone set \u{1B}[31m\nphone lok # \u{7}\n\u{85}").diagnostics)
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" }, "\(text)")
    }
}
