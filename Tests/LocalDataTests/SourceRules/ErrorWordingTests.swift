import Foundation
import Testing

/// Errors reach people through `String(describing:)`, so each type of error says itself what it means; else a person reads the source of a Swift value.
@Suite struct ErrorWordingTests {
    /// Those that no person ever sees: they are caught by type, and turned into another, where they are thrown.
    private static let caughtByType: Set<String> = [
        "SendFailure", "PayloadProblem", "ProcessEnded", "UnfitValue", "StepFailure", "ScenarioDiagnostic", "TypeMismatch",
        "Problem",
        "FormattingFailure", "CryptographyFailure", "EnvelopeError", "Failure", "DamagedValue", "ReportFault", "FileError", "UsageError",
        "SourceProblem", "PlaceTaken", "IsNotPlain", "Silence", "Interrupted",
    ]

    @Test func everyErrorThatAPersonMaySeeHasWords() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Sources")
            .standardizedFileURL
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        let sources = try files.filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
        let all = sources.joined(separator: "\n")
        var errors: Set<String> = []
        for match in all.matches(of: #/(?:struct|enum|class) (\w+): ([^{\n]*)\{/#)
        where match.output.2.split(separator: ",").contains(where: { $0.trimmingCharacters(in: .whitespaces) == "Error" }) {
            errors.insert(String(match.output.1))
        }
        #expect(errors.count > 20, "the sources are not read")
        let speaking = Set(
            all.matches(of: #/(?:struct|enum|class|extension) (\w+): [^{\n]*CustomStringConvertible/#).map { String($0.output.1) })
        #expect(errors.subtracting(speaking).subtracting(Self.caughtByType).sorted() == [])
        #expect(Self.caughtByType.subtracting(errors).sorted() == [], "these are no errors any more")
    }
}
