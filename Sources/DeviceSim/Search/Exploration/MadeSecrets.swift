import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Foundation
import LocalData

/// Puts made values in the place of those that a scenario gives to secrets. What a search finds is printed, reported and saved as a scenario that somebody runs, so
/// values cannot be left out of it as they are of what a run says. Each made one has the type and the length of what it stands for.
struct MadeSecrets {
    private let scenario: Scenario
    private let made: [ScenarioValue: ScenarioValue]
    /// Of values that are told from other words of the file: each one's notation, and that of the one in its place; longer ones first, since one may be a part of
    /// another.
    private let replacements: [(text: String, made: String)]

    init(_ scenario: Scenario) {
        self.scenario = scenario
        var made: [ScenarioValue: ScenarioValue] = [:]
        for (key, value) in scenario.steps.flatMap(\.action.keyValues) where scenario[key].isSecret {
            Self.make(value, in: &made)
        }
        self.made = made
        // A short one is too often something else: a count, an operation, the name of an entry.
        replacements = made.map { ($0.key.notation, $0.value.notation) }.filter { $0.0.utf8.count > ($0.0.hasPrefix("\"") ? 5 : 3) }
            .sorted { ($0.0.utf8.count, $1.0) > ($1.0.utf8.count, $0.0) }
    }

    /// The scenario with made values; as it is where it gives none to a secret, or where its text does not tell what is a value.
    func scenario(with catalogs: [String: any StorageKeyCatalog]) -> Scenario {
        guard !made.isEmpty else { return scenario }
        return withMadeTexts(catalogs).withValues(from: made)
    }

    /// The scenario with made values wherever the longer ones stand, such as in what an app sends by itself.
    private func withMadeTexts(_ catalogs: [String: any StorageKeyCatalog]) -> Scenario {
        guard !replacements.isEmpty else { return scenario }
        let names = scenario.keys.flatMap { [$0.identifier, $0.name] }
        let text = scenario.notation(header: ["Values of secrets are made."])
        // Within longer texts as well, if that leaves a scenario: a value may be the name of something.
        for isWithinTexts in [true, false] {
            let changed = replacements.reduce(text) { text, replacement in
                var text = TextMask.replacing(replacement.text, in: text, by: replacement.made)
                if isWithinTexts, let bare = Self.content(replacement.text), let made = Self.content(replacement.made),
                    !names.contains(where: { $0.contains(bare) })
                {
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

    /// What stands between the quotation marks of a text.
    private static func content(_ notation: String) -> String? {
        guard notation.hasPrefix("\""), notation.hasSuffix("\"") else { return nil }
        return String(notation.dropFirst().dropLast())
    }

    /// Values and the values within them.
    private static func make(_ value: ScenarioValue, in made: inout [ScenarioValue: ScenarioValue]) {
        guard made[value] == nil else { return }
        switch value {
        case .array(let elements): for element in elements { make(element, in: &made) }
        case .object(let members): for (_, member) in members.sorted(by: { $0.key < $1.key }) { make(member, in: &made) }
        default:
            let number = made.count + 1
            let first = replacement(for: value, number: number)
            made[value] = first == value ? replacement(for: value, number: number + 1) : first
        }
    }

    /// - Returns: `nil` for what needs none: what a file writes as a pattern or a repetition is made already, and has no other short notation.
    private static func replacement(for value: ScenarioValue, number: Int) -> ScenarioValue? {
        guard !value.isWrittenByItsLength else { return nil }
        return switch value {
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

extension Scenario {
    /// The scenario with made values in the place of those that it gives to secrets: it can be shown to anybody, and run.
    package func withMadeSecrets(catalogs: [String: any StorageKeyCatalog]) -> Scenario {
        MadeSecrets(self).scenario(with: catalogs)
    }
}

extension Scenario {
    /// The scenario with other values in the steps that give one to a secret.
    fileprivate func withValues(from made: [ScenarioValue: ScenarioValue]) -> Scenario {
        keeping(steps: steps.map { $0.mappingSecrets(of: self) { $0.replacing(with: made) } })
    }
}

extension ScenarioStep {
    fileprivate func mappingSecrets(of scenario: Scenario, _ map: (ScenarioValue) -> ScenarioValue) -> ScenarioStep {
        if case .together(let steps) = action {
            return .drawn(.together(steps.map { $0.mappingSecrets(of: scenario, map) }), phase: phase)
        }
        guard action.keyValues.contains(where: { scenario[$0.key].isSecret }) else { return self }
        return mappingValues(map)
    }
}

extension ScenarioValue {
    fileprivate func replacing(with made: [ScenarioValue: ScenarioValue]) -> ScenarioValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.replacing(with: made) })
        case .object(let members): .object(members.mapValues { $0.replacing(with: made) })
        default: made[self] ?? self
        }
    }
}
