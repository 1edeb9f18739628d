import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Foundation
import LocalData

/// Puts made values in the place of those that a scenario gives to secrets. What a search finds is printed, reported and saved as a scenario that somebody runs, so
/// values cannot be left out of it as they are of what a run says. Each made one has the type and the length of what it stands for.
struct MadeSecrets {
    private let scenario: Scenario
    /// Each value's notation, and that of the one in its place; longer ones first, since one may be a part of another.
    private let replacements: [(text: String, made: String)]

    init(_ scenario: Scenario) {
        self.scenario = scenario
        var made: [ScenarioValue: ScenarioValue] = [:]
        for (key, value) in scenario.steps.flatMap(\.action.keyValues) where scenario[key].isSecret {
            Self.make(value, in: &made)
        }
        replacements = made.map { ($0.key.notation, $0.value.notation) }
            .sorted { ($0.0.utf8.count, $1.0) > ($1.0.utf8.count, $0.0) }
    }

    /// The scenario with made values; as it is where it gives none to a secret, or where its text does not tell what is a value.
    func scenario(with catalogs: [String: any StorageKeyCatalog]) -> Scenario {
        guard !replacements.isEmpty else { return scenario }
        let text = scenario.notation(header: ["Values of secrets are made."])
        // Within longer texts as well, if that leaves a scenario: a value may be the name of something.
        for isWithinTexts in [true, false] {
            let changed = replacements.reduce(text) { text, replacement in
                var text = TextMask.replacing(replacement.text, in: text, by: replacement.made)
                if isWithinTexts, let bare = Self.content(replacement.text), let made = Self.content(replacement.made) {
                    text = text.replacing(bare, with: made)
                }
                return text
            }
            let files = ScenarioFiles.memory([scenario.path: changed])
            let compilation = ScenarioCompiler.compile(path: scenario.path, files: files, catalogs: catalogs)
            guard let found = compilation.scenarios.first, compilation.scenarios.count == 1, found.steps.count == scenario.steps.count,
                found.keys.map(\.identifier) == scenario.keys.map(\.identifier)
            else { continue }
            return scenario.keeping(steps: found.steps)
        }
        return scenario
    }

    /// What stands between the quotation marks of a text that is no common word.
    private static func content(_ notation: String) -> String? {
        guard notation.count >= 6, notation.hasPrefix("\""), notation.hasSuffix("\"") else { return nil }
        return String(notation.dropFirst().dropLast())
    }

    /// Values and the values within them.
    private static func make(_ value: ScenarioValue, in made: inout [ScenarioValue: ScenarioValue]) {
        guard made[value] == nil else { return }
        switch value {
        case .array(let elements): for element in elements { make(element, in: &made) }
        case .object(let members): for (_, member) in members.sorted(by: { $0.key < $1.key }) { make(member, in: &made) }
        default: made[value] = replacement(for: value, number: made.count + 1)
        }
    }

    private static func replacement(for value: ScenarioValue, number: Int) -> ScenarioValue? {
        switch value {
        case .string(let text): text.isEmpty ? nil : .string(self.text(number, length: text.utf8.count))
        case .data(let data): data.isEmpty ? nil : .data(Data(self.text(number, length: data.count).utf8))
        case .integer(let integer):
            Int64(digits(number, like: "\(integer.magnitude)")).map { .integer(integer < 0 ? -$0 : $0) }
        case .unsigned(let integer): UInt64(digits(number, like: "\(integer)")).map { .unsigned($0) }
        case .double: .double(Double(number) + 0.5)
        case .url: URL(string: "https://made-\(number).example").map { .url($0) }
        case .uuid:
            UUID(uuidString: "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)").map {
                .uuid($0)
            }
        case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number) * 86_400))
        case .bool, .null, .array, .object: nil
        }
    }

    /// Such as `made1xxx`; of few bytes the number alone, in letters.
    private static func text(_ number: Int, length: Int) -> String {
        let whole = "made\(number)"
        if whole.utf8.count <= length { return whole + String(repeating: "x", count: length - whole.utf8.count) }
        var rest = number
        var letters = ""
        for _ in 0..<length {
            letters = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(rest % 26))) + letters
            rest /= 26
        }
        return letters
    }

    /// As many digits, the first of them none but 1, or a single one.
    private static func digits(_ number: Int, like digits: String) -> String {
        let end = "\(number % 10)"
        return digits.count == 1 ? end : "1" + String(repeating: "0", count: digits.count - 2) + end
    }
}
