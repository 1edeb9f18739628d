import Foundation
import Testing

/// Errors reach people through `String(describing:)`, so each type of error says itself what it means; else a person reads the source of a Swift value.
@Suite struct ErrorWordingTests {
    /// Those that no person ever sees: they are caught by type, and turned into another, where they are thrown. By their whole names: another type of the same last
    /// name has to speak.
    private static let caughtByType: Set<String> = [
        "BuildComparison.Silence", "CryptographyFailure", "DamagedValue", "DebugCommand.Refusal", "EnvelopeError",
        "ExpectationUpdate.Refusal", "FileError", "FormattingFailure", "KeychainFileFormat.Failure", "LanguageServer.Refusal",
        "OtherTool.Fault", "PayloadProblem", "PayloadReading.IsNotPlain", "PlaceTaken", "ProcessEnded", "ReportFault", "SendFailure",
        "Silence",
        "SourceProblem", "StepFailure", "TypeMismatch", "UnfitValue", "UpdateRun.Interrupted", "UsageError", "ValueParser.Problem",
    ]

    @Test func everyErrorThatAPersonMaySeeHasWords() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Sources")
            .standardizedFileURL
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        var (errors, speaking): ([String: Int], Set<String>) = ([:], [])
        for file in files where file.pathExtension == "swift" {
            for type in Self.types(in: try String(contentsOf: file, encoding: .utf8)) {
                if type.inherited.contains("Error"), !type.isExtension { errors[type.name, default: 0] += 1 }
                if type.inherited.contains("CustomStringConvertible") { speaking.insert(type.name) }
            }
        }
        #expect(errors.count > 20, "the sources are not read")
        #expect(errors.filter { $0.value > 1 }.isEmpty, "two of one name: nobody could tell which one speaks")
        let silent = Set(errors.keys).subtracting(speaking)
        #expect(silent.subtracting(Self.caughtByType).sorted() == [])
        #expect(Self.caughtByType.subtracting(silent).sorted() == [], "these are no errors without words any more")
    }

    @Test func namesAreWhole() {
        let text = """
            public struct Outer: Sendable {
                enum Failure: Error {
                    case one
                }
                private struct Other: Swift.Error {}
            }

            extension Outer {
                struct Problem: Error, Hashable {}
            }

            extension Outer.Problem: CustomStringConvertible {
            }
            """
        let names = Self.types(in: text).map { "\($0.name): \($0.inherited.joined(separator: " "))" }
        #expect(
            names == [
                "Outer: Sendable", "Outer.Failure: Error", "Outer.Other: Error", "Outer: ", "Outer.Problem: Error Hashable",
                "Outer.Problem: CustomStringConvertible",
            ])
    }

    private struct DeclaredType {
        let name: String
        let inherited: [String]
        let isExtension: Bool
    }

    /// The types that a file declares or extends, under their whole names: what is further to the right is within.
    private static func types(in text: String) -> [DeclaredType] {
        let words = #"(?:@\w+(?:\([^)]*\))? |(?:public|package|private|fileprivate|open|final|indirect|nonisolated) )*"#
        let kinds = #"(struct|enum|class|actor|protocol|extension) "#
        guard let declaration = try? Regex(#"^( *)"# + words + kinds + #"([\w.]+)(?:<[^>{]*>)?(?:: ([^{]*))?"#) else { return [] }
        var outer: [(indent: Int, name: String)] = []
        var types: [DeclaredType] = []
        for line in text.split(separator: "\n") {
            guard let match = line.prefixMatch(of: declaration), let name = match.output[3].substring else { continue }
            let indent = match.output[1].substring?.count ?? 0
            while let last = outer.last, last.indent >= indent { outer.removeLast() }
            outer.append((indent, String(name)))
            let inherited = (match.output[4].substring ?? "").split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "Swift.", with: "")
            }
            types.append(
                DeclaredType(
                    name: outer.map(\.name).joined(separator: "."), inherited: inherited,
                    isExtension: match.output[2].substring == "extension"))
        }
        return types
    }
}
