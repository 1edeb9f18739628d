/// A line of a scenario whose expected value is to become the one that was found.
struct ExpectationUpdate: Hashable, Sendable {
    let path: String
    /// From 1.
    let line: Int
    let old: String
    let new: String

    init(path: String, line: Int, from old: String, to new: String) {
        self.path = path
        self.line = line
        self.old = old
        self.new = new
    }

    /// Why a failure is not put right by writing what was found.
    struct Refusal: Error, Equatable {
        let reason: String
    }

    /// - Parameters:
    ///   - failure: What did not hold.
    ///   - text: The file that the step stands in, line by line.
    /// - Throws: Why the line stays: only values are written, no secret is, and no other file than the scenario's own.
    init(_ failure: ScenarioFailure, of scenario: Scenario, in text: [String]) throws(Refusal) {
        guard let line = failure.line, text.indices.contains(line - 1), let path = failure.path else {
            throw Refusal(reason: "no line is at fault")
        }
        guard path == scenario.path else { throw Refusal(reason: "other scenarios may include this file") }
        guard let step = scenario.steps.first(where: { $0.range.line == line && $0.range.path == path }),
            let subject = Self.subject(of: step.action)
        else {
            throw Refusal(reason: Self.allowsSeveral(text[line - 1]) ? "the line allows two values" : "it is no expectation of a value")
        }
        if let key = subject.key, scenario[key].isSecret {
            throw Refusal(reason: "values of `\(key.identifier)` are secret, and are never written")
        }
        guard let expected = failure.expected, let actual = failure.actual else { throw Refusal(reason: "it is not told what was found") }
        // What an app sends may have a secret anywhere in it. Of a plain key's values nothing is left out.
        guard subject.key != nil || ![expected, actual].contains(where: { SecretMarks.hasMark($0, of: scenario) }) else {
            throw Refusal(reason: "the value of a secret is in it, and secrets are never written")
        }
        guard expected.hasPrefix(subject.head), actual.hasPrefix(subject.head) else {
            throw Refusal(reason: "something else was found than another value")
        }
        let found = String(actual.dropFirst(subject.head.count))
        guard Self.isValue(found) else { throw Refusal(reason: "no value was found, but: \(found)") }
        let source = text[line - 1]
        let ranges = LineWords.ranges(source)
        guard let name = ranges.lastIndex(where: { source[$0] == subject.word }), ranges.indices.contains(name + 1) else {
            throw Refusal(reason: "the line names its key by a variable")
        }
        var value = ranges[name + 1]
        // `repeat ("x", 3)`, with a space before its bracket.
        if ranges.indices.contains(name + 2), Self.isNotation(source[value]), source[ranges[name + 2]].first == "(" {
            value = value.lowerBound..<ranges[name + 2].upperBound
        }
        guard source[value].first != "$" else { throw Refusal(reason: "the value is the variable \(source[value])") }
        guard Self.variables(source[value]).isEmpty else { throw Refusal(reason: "a variable is in the value") }
        guard !ranges.dropFirst(name + 2).contains(where: { source[$0] == "or" }) else {
            throw Refusal(reason: "the line allows two values")
        }
        self.path = path
        self.line = line
        old = source
        new = source.replacingCharacters(in: value, with: Self.written(found))
        guard new != old else { throw Refusal(reason: "the line says that already") }
    }

    private static func allowsSeveral(_ line: String) -> Bool {
        let words = LineWords.split(line)
        return words.first == "expect" && words.contains("or")
    }

    /// What an expectation of one value begins with, as failures write it, and the word before the value.
    private static func subject(of action: ScenarioStep.Action) -> (head: String, word: String, key: KeyReference?)? {
        guard case .expect(let expectation) = action else { return nil }
        if case .never = expectation.timing { return nil }
        switch expectation.condition {
        case .value(let device, let key, .equals): return ("expect \(device) \(key.identifier) ", key.identifier, key)
        case .widgetValue(let device, let key, .equals): return ("expect \(device) widget \(key.identifier) ", key.identifier, key)
        case .observed(let device, let key, .equals): return ("expect \(device) observed \(key.identifier) ", key.identifier, key)
        case .session(let device, let property, .equals): return ("expect \(device) session \(property.rawValue) ", property.rawValue, nil)
        default: return nil
        }
    }

    /// Whether a word is that of a notation, which goes on in brackets: `repeat`, `data`.
    private static func isNotation(_ word: Substring) -> Bool { word.unicodeScalars.allSatisfy { ("a"..."z").contains($0) } }

    /// The variables that a text names outside of quotation marks.
    private static func variables(_ text: Substring) -> [Unicode.Scalar] {
        var isQuoted = false
        var isEscaped = false
        return text.unicodeScalars.filter { scalar in
            defer { isEscaped = isQuoted && scalar == "\\" && !isEscaped }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            return scalar == "$" && !isQuoted
        }
    }

    /// What stands for a value in a file: where a text has the sign of a variable, which is not replaced there, it says that it is meant.
    private static func written(_ value: String) -> String { value.replacing("$", with: "\\u0024") }

    private static func isValue(_ text: String) -> Bool {
        let words = LineWords.split(text)
        guard words.count == 1, !["missing", "exists"].contains(words[0]) else { return false }
        return true
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
