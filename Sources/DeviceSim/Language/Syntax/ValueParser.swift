import DeviceSimCore
import Foundation

/// Reads a value from tokens: JSON (RFC 8259), and `data(…)`, `base64(…)`, `date(…)`, `url(…)`, `uuid(…)`, `repeat(…)`.
struct ValueParser {
    private let tokens: [Token]
    private(set) var index: Int
    /// How many bytes the values of this file may still grow to.
    private(set) var budget: Int

    /// The sum of what all values of a file may grow to, in bytes: 64 MiB.
    static let budget = 64 << 20
    static let maximumDepth = 64

    struct Problem: Error {
        let range: SourceRange
        let message: String
        let hint: String?
    }

    init(_ tokens: [Token], at index: Int, budget: Int) {
        self.tokens = tokens
        self.index = index
        self.budget = budget
    }

    /// Whether a value can begin with the token there.
    static func canStart(_ tokens: [Token], at index: Int) -> Bool {
        guard tokens.indices.contains(index) else { return false }
        let token = tokens[index]
        switch token.kind {
        case .string, .number: return true
        case .sign: return token.text == "{" || token.text == "["
        case .word:
            if ["true", "false", "null"].contains(token.text) { return true }
            return tokens.indices.contains(index + 1) && tokens[index + 1].isSign("(")
        case .variable: return false
        }
    }

    mutating func parse(depth: Int = 0) throws(Problem) -> ScenarioValue {
        guard tokens.indices.contains(index) else { throw endOfLine("the value ends too early", "a value") }
        let token = tokens[index]
        guard depth < Self.maximumDepth else {
            throw Problem(range: token.range, message: "the value is nested deeper than \(Self.maximumDepth) levels", hint: nil)
        }
        try spend(token.text.utf8.count, at: token)
        switch token.kind {
        case .string(let text):
            index += 1
            return .string(text)
        case .number:
            index += 1
            return try NumberNotation.value(of: token)
        case .sign where token.text == "[": return try array(depth: depth)
        case .sign where token.text == "{": return try object(depth: depth)
        case .word: return try word(token)
        default: throw Problem(range: token.range, message: "expected a value, found `\(token.text)`", hint: nil)
        }
    }

    // MARK: Composed values

    private mutating func array(depth: Int) throws(Problem) -> ScenarioValue {
        let opening = tokens[index]
        index += 1
        var values: [ScenarioValue] = []
        if skip("]") { return .array(values) }
        while true {
            values.append(try parse(depth: depth + 1))
            if skip("]") { return .array(values) }
            try require(",", or: "]", opening: opening)
            if isAt("]") { throw here("no comma may stand before the `]`", "remove it") }
        }
    }

    private mutating func object(depth: Int) throws(Problem) -> ScenarioValue {
        let opening = tokens[index]
        index += 1
        var entries: [String: ScenarioValue] = [:]
        if skip("}") { return .object(entries) }
        while true {
            guard tokens.indices.contains(index) else { throw unclosed(opening) }
            let name = tokens[index]
            guard case .string(let key) = name.kind else {
                throw Problem(
                    range: name.range, message: "expected the name of an entry, found `\(name.text)`",
                    hint: name.kind == .word ? "write it in quotation marks: \"\(name.text)\"" : "such as {\"theme\": \"dark\"}")
            }
            index += 1
            guard skip(":") else { throw here("expected `:` after the name of the entry", "such as {\"theme\": \"dark\"}") }
            if entries[key] != nil {
                throw Problem(range: name.range, message: "there is an entry \(name.text) already", hint: "an object has each name once")
            }
            try spend(key.utf8.count, at: name)
            entries[key] = try parse(depth: depth + 1)
            if skip("}") { return .object(entries) }
            try require(",", or: "}", opening: opening)
            if isAt("}") { throw here("no comma may stand before the `}`", "remove it") }
        }
    }

    // MARK: Words

    private mutating func word(_ token: Token) throws(Problem) -> ScenarioValue {
        switch token.text {
        case "true", "false":
            index += 1
            return .bool(token.text == "true")
        case "null":
            index += 1
            return .null
        default: break
        }
        guard tokens.indices.contains(index + 1), tokens[index + 1].isSign("(") else {
            throw Problem(
                range: token.range, message: "`\(token.text)` is not a value",
                hint: Suggestion.nearest(to: token.text, in: ["true", "false", "null"]).map { "did you mean `\($0)`?" }
                    ?? "a text is written in quotation marks: \"\(token.text)\"")
        }
        guard let notation = SpecialNotation(rawValue: token.text) else {
            let words = SpecialNotation.allCases.map(\.rawValue)
            throw Problem(
                range: token.range, message: "there is no notation `\(token.text)(…)`",
                hint: Suggestion.nearest(to: token.text, in: words).map { "did you mean `\($0)(…)`?" }
                    ?? "known are \(Suggestion.list(words, last: "and"))")
        }
        index += 2
        var arguments: [Token] = []
        while tokens.indices.contains(index), !isAt(")") {
            arguments.append(tokens[index])
            index += 1
        }
        guard skip(")") else { throw unclosed(tokens[min(index, tokens.count) - arguments.count - 1]) }
        let range = token.range.through(tokens[index - 1].range)
        guard let size = notation.size(of: arguments) else {
            throw Problem(range: range, message: "`\(token.text)` is not written so", hint: "such as \(notation.example)")
        }
        try spend(size, at: token)
        guard let value = notation.value(of: arguments) else {
            throw Problem(range: range, message: notation.complaint, hint: "such as \(notation.example)")
        }
        return value
    }

    // MARK: Helpers

    private mutating func spend(_ count: Int, at token: Token) throws(Problem) {
        guard count <= budget else {
            throw Problem(
                range: token.range, message: "the values of this file grow beyond \(Self.budget >> 20) MiB",
                hint: "the largest payload that a session takes has 262144 bytes")
        }
        budget -= count
    }

    private func isAt(_ sign: String) -> Bool { tokens.indices.contains(index) && tokens[index].isSign(sign) }

    private mutating func skip(_ sign: String) -> Bool {
        guard isAt(sign) else { return false }
        index += 1
        return true
    }

    private mutating func require(_ sign: String, or other: String, opening: Token) throws(Problem) {
        guard tokens.indices.contains(index) else { throw unclosed(opening) }
        guard skip(sign) else { throw here("expected `\(sign)` or `\(other)`, found `\(tokens[index].text)`", nil) }
    }

    private func unclosed(_ opening: Token) -> Problem {
        Problem(range: opening.range, message: "this `\(opening.text)` is not closed on its line", hint: "a value stands on one line")
    }

    private func here(_ message: String, _ hint: String?) -> Problem {
        guard tokens.indices.contains(index) else { return endOfLine(message, hint ?? "") }
        return Problem(range: tokens[index].range, message: message, hint: hint)
    }

    private func endOfLine(_ message: String, _ hint: String) -> Problem {
        Problem(range: tokens.last?.range.after ?? SourceRange(path: "", line: 0, column: 0, length: 1), message: message, hint: hint)
    }
}

extension SourceRange {
    /// The place just behind.
    var after: SourceRange { SourceRange(path: path, line: line, column: column + length, length: 1) }
}
