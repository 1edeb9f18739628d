import DeviceSimCore
import DeviceSimLanguage

/// Puts marks in place of the values of secrets in what a failure says: `(secret 1)`. Equal values of a failure have equal marks, different ones different
/// marks, so that one still sees whether what was found is what was expected, or something else that the step names.
///
/// Failures go to terminals, logs of CI systems and reports of many formats, none of which is a place for secrets. Values of keys that are not secret stay.
package struct SecretMarks {
    private let scenario: Scenario
    /// Every value that the scenario gives a secret or expects of one, as a report may write it, longer ones first; and the value that it is.
    private let written: [(text: String, value: String)]
    private var numbers: [String: Int] = [:]

    init(_ scenario: Scenario) {
        self.scenario = scenario
        let values = scenario.steps.flatMap(\.action.keyValues).filter { scenario[$0.key].isSecret }.map(\.value)
        var written: [String: String] = [:]
        for value in values {
            // A word that steps begin with tells nothing where it stands without quotation marks, and would be gone from all of them.
            for (text, value) in TextMask.writings(of: value) where !Vocabulary.beginnings.contains(text) { written[text] = value }
        }
        self.written = written.map { (text: $0.key, value: $0.value) }
            .sorted { ($0.text.utf8.count, $1.text) > ($1.text.utf8.count, $0.text) }
    }

    /// The failure without the values of secrets.
    static func marked(_ failure: ScenarioFailure, of scenario: Scenario) -> ScenarioFailure {
        guard scenario.keys.contains(where: \.isSecret) else { return failure }
        var marks = SecretMarks(scenario)
        let action = scenario.action(at: failure)
        var failure = failure
        failure.expected = failure.expected.map { marks.marked($0, of: action) }
        failure.actual = failure.actual.map { marks.marked($0, of: action) }
        failure.pins = zip(failure.pins, scenario.sweepingSteps).map { marks.marked($0, of: $1.action) }
        failure.message = marks.marked(failure.message, of: nil)
        failure.source = failure.source.map { marks.marked($0, of: action) }
        failure.phase = failure.phase.map { marks.marked($0, of: nil) }
        // Names of actions, of files and of entries are in events, and an app may have made them of a value.
        failure.lastEvents = failure.lastEvents.map { marks.marked($0, of: nil) }
        return failure
    }

    /// What is said of a run of the scenario, without the values of secrets that its steps set or expect.
    package static func marked(_ lines: [String], of scenario: Scenario) -> [String] {
        guard scenario.keys.contains(where: \.isSecret) else { return lines }
        var marks = SecretMarks(scenario)
        return lines.map { marks.marked($0, of: nil) }
    }

    /// Whether a text of a run of the scenario may have a mark in the place of a secret's value, in itself or within one of its texts.
    package static func hasMark(_ text: String, of scenario: Scenario) -> Bool {
        guard scenario.keys.contains(where: \.isSecret) else { return false }
        return text.contains(/\(secret [0-9]+\)/)
    }

    /// Whether a text is a mark, from its beginning.
    static func isMark(_ text: some StringProtocol) -> Bool {
        text.hasPrefix(start) || text.unicodeScalars.first.map { $0.value > base && $0.value <= base + UInt32(maximumCount) } ?? false
    }

    private static let start = "(secret "
    /// While a text is looked through, a mark is one character of no language: a value may be a word of a mark.
    private static let base: UInt32 = 0xF_0000
    private static let maximumCount = 0xFFF0

    private mutating func mark(of value: String) -> String {
        // The name of a variable, in the line as it was written.
        guard !value.hasPrefix("$") else { return value }
        let number = numbers[value] ?? numbers.count + 1
        numbers[value] = number
        guard number <= Self.maximumCount, let scalar = Unicode.Scalar(Self.base + UInt32(number)) else { return TextMask.mark }
        return String(Character(scalar))
    }

    /// The text with the marks that it has already as characters.
    private static func protected(_ text: String) -> String {
        guard text.contains(start) else { return text }
        return text.replacing(/\(secret ([0-9]{1,4})\)/) { match in
            UInt32(match.1).flatMap { Unicode.Scalar(base + $0) }.map { String(Character($0)) } ?? String(match.0)
        }
    }

    /// The text with its marks as one reads them.
    private static func readable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value > base }) else { return text }
        return text.unicodeScalars.reduce(into: "") { text, scalar in
            let isMark = scalar.value > base && scalar.value <= base + UInt32(maximumCount)
            if isMark { text += "\(start)\(scalar.value - base))" } else { text.unicodeScalars.append(scalar) }
        }
    }

    private mutating func marked(_ text: String, of action: ScenarioStep.Action?) -> String {
        // Of a plain key's values nothing is left out, even where a secret has the same.
        if let key = action.flatMap(TextMask.valuedKey), !scenario[key].isSecret { return text }
        var text = Self.protected(text)
        for key in keys(of: action) { text = TextMask.masked(text, after: key.identifier) { mark(of: $0) } }
        // A short number is too often something else.
        for (writing, value) in written where text.contains(writing) && (writing.utf8.count > 3 || writing.contains("\"")) {
            text = TextMask.replacing(writing, in: text, by: mark(of: value))
        }
        return Self.readable(text)
    }

    /// The secrets whose values stand behind their names in what is said of a step, also values that the scenario does not know.
    private func keys(of action: ScenarioStep.Action?) -> [ScenarioKey] {
        guard let action else { return [] }
        if let key = TextMask.valuedKey(of: action) { return [scenario[key]].filter(\.isSecret) }
        if case .expect(let expectation) = action, case .devicesAgree(nil) = expectation.condition {
            return scenario.keys.filter(\.isSecret)
        }
        return []
    }
}

extension Scenario {
    /// What the step at fault does.
    fileprivate func action(at failure: ScenarioFailure) -> ScenarioStep.Action? {
        func find(_ steps: [ScenarioStep]) -> ScenarioStep.Action? {
            for step in steps {
                if case .together(let inner) = step.action, let found = find(inner) { return found }
                let ranges = [step.range] + step.block.map(\.range)
                if ranges.contains(where: { $0.path == failure.path && $0.line == failure.line }) { return step.action }
            }
            return nil
        }
        return find(steps)
    }
}

extension ScenarioResult.Outcome {
    /// The outcome without the values of secrets.
    func marked(of scenario: Scenario) -> Self {
        switch self {
        case .passed: self
        case .failed(let failure): .failed(SecretMarks.marked(failure, of: scenario))
        case .didNotSettle(let failure): .didNotSettle(SecretMarks.marked(failure, of: scenario))
        case .notDeterministic(let failure): .notDeterministic(SecretMarks.marked(failure, of: scenario))
        case .cannotRun(let failure): .cannotRun(SecretMarks.marked(failure, of: scenario))
        }
    }
}
