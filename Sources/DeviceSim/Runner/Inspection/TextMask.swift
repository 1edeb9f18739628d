import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Leaves out of a scenario's text what a report must not tell: values of secrets always, other values unless somebody asked for them.
package struct TextMask {
    private let scenario: Scenario
    private let showsValues: Bool
    /// Every value that the scenario gives a secret or expects of one, as a report may write it.
    private let secrets: [String]
    /// What stands for what was left out.
    package static let mark = "…"

    package init(_ scenario: Scenario, showsValues: Bool) {
        self.scenario = scenario
        self.showsValues = showsValues
        let values = scenario.steps.flatMap(\.action.keyValues).filter { scenario[$0.key].isSecret }.map(\.value)
        // Longer ones first: one may be a part of another.
        secrets = Set(values.flatMap(Self.writings).map(\.text)).subtracting(Vocabulary.beginnings).sorted {
            ($0.utf8.count, $1) > ($1.utf8.count, $0)
        }
    }

    /// Whether the scenario tells no value of a secret.
    var hidesNothing: Bool { secrets.isEmpty }

    /// The step as written; of a block all its lines.
    package func text(of step: ScenarioStep) -> String {
        if case .together(let inner) = step.action { return ([step.source] + inner.map { text(of: $0) }).joined(separator: "\n") }
        return ([step.source] + step.block.map(\.source)).map { text($0, of: step.action) }.joined(separator: "\n")
    }

    /// What a report says of a step, such as what was found instead.
    package func text(_ text: String, of action: ScenarioStep.Action) -> String { withoutSecrets(withoutValues(text, of: action)) }

    /// What anything else says that concerns the run, such as an error of an app's own.
    package func message(_ text: String) -> String { withoutSecrets(showsValues ? text : Self.withoutLiterals(text)) }

    private func withoutValues(_ text: String, of action: ScenarioStep.Action) -> String {
        if let key = Self.valuedKey(of: action) {
            guard scenario[key].isSecret || !showsValues else { return text }
            return Self.masked(text, after: key.identifier)
        }
        if case .expect(let expectation) = action, case .devicesAgree(nil) = expectation.condition {
            // What was found may be of any key.
            return showsValues && !scenario.keys.contains(where: \.isSecret) ? text : Self.withoutLiterals(text)
        }
        guard !showsValues else { return text }
        switch action {
        case .device, .fault:
            // What comes before names an action of the app, a place or a file.
            guard let with = text.firstRange(of: " with ") else { return text }
            return text[..<with.upperBound] + Self.withoutLiterals(String(text[with.upperBound...]), numbers: true)
        default: return Self.mayHoldValues(action) ? Self.withoutLiterals(text, numbers: Self.isOfApp(action)) : text
        }
    }

    private func withoutSecrets(_ text: String) -> String {
        secrets.reduce(text) { Self.replacing($1, in: $0, by: Self.mark) }
    }

    /// Every place where a value stands, as it was written; a number only where it is no part of a longer one or of a word.
    package static func replacing(_ value: String, in text: String, by mark: String) -> String {
        guard !value.isEmpty, value.allSatisfy({ $0.isNumber || "-.".contains($0) }) else { return text.replacing(value, with: mark) }
        func continues(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" || character == "-" }
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: value) {
            let after = rest[range.upperBound...]
            // A point before a digit belongs to the number, one at the end of a sentence does not.
            let isPart =
                text[..<range.lowerBound].last.map { continues($0) || $0 == "." } ?? false || after.first.map(continues) ?? false
                || (after.first == "." && after.dropFirst().first?.isNumber == true)
            result += rest[..<range.lowerBound] + (isPart ? value : mark)
            rest = after
        }
        return result + rest
    }

    /// As a scenario writes it, and as an app may tell it in a text of its own, where that cannot be a common word; and the same of its parts, each with
    /// the value that it is.
    static func writings(of value: ScenarioValue) -> [(text: String, value: String)] {
        let whole = value.notation
        switch value {
        case .bool: return []
        case .string(let text): return (text.count < 4 ? [whole] : [whole, text] + escapes(whole, of: text)).map { ($0, whole) }
        case .array(let elements): return [(whole, whole)] + elements.flatMap(writingsOfPart)
        case .object(let members):
            return [(whole, whole)] + members.sorted { $0.key < $1.key }.flatMap { writingsOfPart($0.value) }
        default: return [(whole, whole)]
        }
    }

    /// As the text stands in a longer one, in the notation of scenario files or in JSON, and as such a text does in another. Nothing where that is the text itself.
    private static func escapes(_ notation: String, of text: String) -> [String] {
        guard notation.hasPrefix("\""), notation.hasSuffix("\"") else { return [] }
        let inner = String(notation.dropFirst().dropLast())
        guard inner != text else { return [] }
        let twice = ScenarioValue.string(inner).notation
        return [inner] + (twice.hasPrefix("\"") ? [String(twice.dropFirst().dropLast())] : [])
    }

    /// A short part is too often something else.
    private static func writingsOfPart(_ part: ScenarioValue) -> [(text: String, value: String)] {
        if case .string(let text) = part, text.count < 4 { return [] }
        return writings(of: part).filter { $0.text.utf8.count > 3 && part != .null }
    }

    /// Whether a step expects what an app under test shows, which may be of any type.
    private static func isOfApp(_ action: ScenarioStep.Action) -> Bool {
        if case .expect(let expectation) = action, case .app = expectation.condition { true } else { false }
    }

    /// The key whose value a step tells.
    static func valuedKey(of action: ScenarioStep.Action) -> KeyReference? {
        switch action {
        case .data(let step):
            switch step.action {
            case .set(let key, _), .plant(let key, _): key
            default: nil
            }
        case .expect(let expectation):
            switch expectation.condition {
            case .value(_, let key, _), .widgetValue(_, let key, _), .observed(_, let key, _): key
            case .devicesAgree(let key): key
            default: nil
            }
        default: nil
        }
    }

    private static func mayHoldValues(_ action: ScenarioStep.Action) -> Bool {
        switch action {
        case .data, .session, .transfer: true
        case .expect(let expectation):
            switch expectation.condition {
            case .session, .message, .receivedUserInfos, .app: true
            default: false
            }
        case .device, .link, .fault, .time, .together: false
        }
    }

    /// Words that may stand where a value does, and tell none.
    private static let harmless: Set<String> = ["missing", "exists", "fails"]
    /// Words with which the rest of a line begins.
    private static let endings = [" within ", " throughout ", " never ", " since ", " fails ", " crashes ", " loses ", " or "]

    /// Leaves out what stands after the key's name and before the next word that belongs to the line: every time, since a line may name the key twice.
    /// - Parameter replacement: What stands for a value; what is marked already stays.
    static func masked(_ text: String, after identifier: String, by replacement: (String) -> String = { _ in mark }) -> String {
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: identifier + " ") {
            let isWord = range.lowerBound == rest.startIndex || rest[rest.index(before: range.lowerBound)] == " "
            result += rest[..<range.upperBound]
            rest = rest[range.upperBound...]
            guard isWord else { continue }
            let value = rest[..<endOfValue(rest)]
            let isHarmless = value.split(separator: " ").first.map { harmless.contains(String($0)) } ?? true
            result += isHarmless || SecretMarks.isMark(value) ? String(value) : replacement(String(value))
            rest = rest[value.endIndex...]
        }
        return result + rest
    }

    /// Where the next of ``endings`` begins, outside of quotation marks and brackets; also at a comma outside of them.
    private static func endOfValue(_ text: Substring) -> Substring.Index {
        var depth = 0
        var isQuoted = false
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            if isQuoted {
                if character == "\\" { index = text.index(after: index) }
                if character == "\"" { isQuoted = false }
            } else {
                switch character {
                case "\"": isQuoted = true
                case "{", "[", "(": depth += 1
                case "}", "]", ")": depth -= 1
                default: break
                }
                if depth == 0, character == "," || endings.contains(where: { text[index...].hasPrefix($0) }) { return index }
            }
            if index < text.endIndex { index = text.index(after: index) }
        }
        return text.endIndex
    }

    /// Leaves out quoted words, and what stands in braces and brackets.
    /// - Parameter numbers: Also numbers, and `true` and `false`.
    private static func withoutLiterals(_ text: String, numbers: Bool) -> String {
        let text = withoutLiterals(text)
        guard numbers else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            Double(word) != nil || word == "true" || word == "false" ? mark : String(word)
        }.joined(separator: " ")
    }

    private static func withoutLiterals(_ text: String) -> String {
        var result = ""
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if isQuoted {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isQuoted = false
                }
                continue
            }
            switch character {
            case "\"":
                isQuoted = true
                if depth == 0 { result += mark }
            case "{", "[":
                if depth == 0 { result += mark }
                depth += 1
            case "}", "]": depth -= 1
            default: if depth == 0 { result.append(character) }
            }
        }
        return result
    }
}
