import DeviceSimCatalogue
import DeviceSimCore
import DeviceSimLanguage
import Foundation

/// `Examples/Editors/vscode/scenario.tmLanguage.json`: what editors colour scenario files by, made from the vocabulary.
enum TextMateGrammar {
    static var json: String {
        let heads = Vocabulary.forms.filter { $0.topic != .attribute && $0.topic != .event }.compactMap(\.fixedWords.first)
        let attributes = Vocabulary.forms.filter { $0.topic == .attribute }.compactMap(\.fixedWords.first)
        let words = Vocabulary.forms.flatMap(\.fixedWords).filter { $0.first?.isLetter == true }
        let lists = Slot.allCases.filter { ![.event, .knob, .error, .app].contains($0) }.flatMap { $0.words ?? [] }
        let patterns: [(name: String, match: String)] = [
            ("comment.line.number-sign.scenario", "#.*$"),
            ("keyword.control.scenario", "^\\s*(?:\(alternatives(["expect", "never"] + heads.filter { structure.contains($0) })))\\b"),
            ("variable.language.device.scenario", "\\b(?:\(alternatives(Slot.device.words ?? [])))\\b"),
            ("support.type.event.scenario", "\\b(?:\(alternatives(Slot.event.words ?? [])))(?![\\w.-])"),
            ("support.constant.knob.scenario", "\\b(?:\(alternatives(Slot.knob.words ?? [])))(?![\\w.-])"),
            ("support.constant.error.scenario", "\\b(?:\(alternatives(Slot.error.words ?? [])))(?![\\w.-])"),
            ("entity.name.type.app.scenario", "(?<=with app )(?:\(alternatives(Slot.app.words ?? [])))(?![\\w.-])"),
            ("support.type.property-name.scenario", "^\\s+(?:\(alternatives(attributes)))\\b"),
            ("variable.other.scenario", "\\$[A-Za-z_][A-Za-z0-9_]*"),
            ("constant.numeric.scenario", "(?<![\\w.-])-?[0-9][0-9_.]*(?:us|ms|s|min|h|d)?\\b"),
            ("constant.language.scenario", "\\b(?:true|false|null)\\b"),
            ("keyword.other.scenario", "(?<![\\w.-])(?:\(alternatives(words + lists)))(?![\\w.-])"),
        ]
        var lines = [
            "{", "  \"name\": \"Scenario\",", "  \"scopeName\": \"source.scenario\",", "  \"fileTypes\": [\"scenario\", \"inc\"],",
            "  \"patterns\": [",
            "    {\"name\": \"string.quoted.double.scenario\", \"begin\": \"\\\"\", \"end\": \"\\\"|$\", \"patterns\": [{\"name\": \"constant.character.escape.scenario\", \"match\": \"\\\\\\\\.\"}]},",
        ]
        lines += patterns.enumerated().map { index, pattern in
            "    {\"name\": \(quoted(pattern.name)), \"match\": \(quoted(pattern.match))}" + (index + 1 < patterns.count ? "," : "")
        }
        return (lines + ["  ]", "}"]).joined(separator: "\n") + "\n"
    }

    /// The first words that are no device's.
    private static let structure: Set<String> = Set(
        Vocabulary.forms.filter { $0.topic == .structure || $0.topic == .start || $0.topic == .time }.compactMap(\.fixedWords.first))

    /// Longer words first, so that none is cut by one that it begins with.
    private static func alternatives(_ words: [String]) -> String {
        Set(words).sorted { ($1.count, $0) < ($0.count, $1) }.map { word in
            word.map { "\\.+*?()[]{}|^$/".contains($0) ? "\\\($0)" : String($0) }.joined()
        }.joined(separator: "|")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined() + "\""
    }
}
