import DeviceSimCatalogue
import DeviceSimCore
import DeviceSimLanguage
import Foundation

/// The tables of `Scenarios/GRAMMAR.md`, made from the vocabulary so that they cannot tell anything else than the parser does.
enum GrammarTables {
    /// What stands around the tables in the file.
    static let opening = "<!-- The tables are made from the vocabulary by `swift run documents`. -->\n\n"
    static let closing = "\n<!-- End of the tables. -->"

    /// The page with its tables made anew, and everything around them as it was.
    static func page(from old: String) throws(DocumentError) -> String {
        guard let start = old.range(of: opening)?.upperBound, let end = old.range(of: closing, range: start..<old.endIndex)?.lowerBound
        else {
            throw .noPlaceForTables(opening: opening, closing: closing)
        }
        return old.replacingCharacters(in: start..<end, with: markdown)
    }

    static var markdown: String {
        var sections = Form.Topic.allCases.map { topic in
            section(
                topic.rawValue, columns: ["Line", "What it does", "Example"],
                rows: Vocabulary.forms.filter { $0.topic == topic }.map { [code($0.pattern.text), escaped($0.help), code($0.example)] })
        }
        sections.append(
            section(
                "Groups", columns: ["Group", "Stands for", "Meaning"],
                rows: Pattern.groups.map { [code($0.name), code($0.pattern), escaped($0.help)] }))
        sections.append(
            section(
                "Slots", columns: ["Slot", "What stands there", "Words"],
                rows: Slot.allCases.map { slot in
                    let hasTable = slot == .knob || slot == .app
                    return [
                        code(slot.rawValue), escaped(slot.help), hasTable ? "" : (slot.words ?? []).map(code).joined(separator: " "),
                    ]
                }))
        sections.append(
            section(
                "Values beyond JSON", columns: ["Notation", "Meaning"],
                rows: SpecialNotation.allCases.map { [code($0.example), escaped($0.help)] }))
        sections.append(
            section(
                "Apps", columns: ["App", "What it does"],
                rows: NamedApp.table.map { [code($0.name), escaped($0.summary)] }))
        let standard = Knobs()
        sections.append(
            section(
                "Knobs", columns: ["Knob", "Default", "What it decides", "Rule"],
                rows: Knobs.table.map { [code($0.name), code("\(standard[$0])"), escaped($0.meaning), $0.rule ?? ""] }))
        sections.append(
            section("Limits", columns: ["What", "At most"], rows: LanguageLimits.table.map { [escaped($0.what), $0.most] }))
        return sections.joined(separator: "\n")
    }

    private static func section(_ title: String, columns: [String], rows: [[String]]) -> String {
        var lines = ["### \(title)", "", row(columns), row(columns.map { _ in "---" })]
        lines += rows.map(row)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    private static func code(_ text: String) -> String { "`" + escaped(text) + "`" }

    /// A bar would end the cell.
    private static func escaped(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
