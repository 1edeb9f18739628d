import DeviceSimCore

/// Splits one line into tokens. Linear in the line's length.
struct Lexer {
    private let path: String
    private let lineNumber: Int
    private let bytes: [UInt8]
    private let end: Int
    private var index: Int
    /// 1-based, in Unicode scalars.
    private var column = 1
    private var line: Line
    private(set) var problems: [Problem] = []
    /// With so many tokens or problems nothing more is read of the line: it is no line that anybody wrote, and what is there is refused anyway.
    private static let limits = (tokens: ScenarioParser.maximumTokenCount + 1, problems: DiagnosticList.limit)

    /// What a line consists of.
    struct Line {
        var tokens: [Token] = []
        /// Whether it begins with a space or a tab.
        var isIndented = false
        /// The text after `#`, without one leading space and without trailing spaces; `nil` without a `#`.
        var comment: String?
        /// Whether something in it could not be read, so that nothing more should be said of it.
        var isBroken = false
    }

    struct Problem {
        let range: SourceRange
        let message: String
        let hint: String?
    }

    init(_ source: SourceText, line number: Int) {
        path = source.path
        lineNumber = number
        bytes = source.bytes
        let range = source.lines[number - 1]
        index = range.lowerBound
        end = range.upperBound
        line = Line()
    }

    mutating func lex() -> Line {
        line.isIndented = index < end && (bytes[index] == 0x20 || bytes[index] == 0x09)
        while index < end, line.tokens.count < Self.limits.tokens, problems.count < Self.limits.problems {
            let byte = bytes[index]
            switch byte {
            case 0x20, 0x09: advance()
            case UInt8(ascii: "#"): lexComment()
            case UInt8(ascii: "\""): lexString()
            case UInt8(ascii: "$"): lexVariable()
            case let byte where Self.isSign(byte): lexSign()
            case let byte where Self.isLetter(byte): lexWord()
            case let byte where Self.isDigit(byte) || (byte == UInt8(ascii: "-") && Self.isDigit(peek(1))): lexNumber()
            default: lexUnknown()
            }
        }
        return line
    }

    // MARK: Kinds of tokens

    private mutating func lexComment() {
        let start = index + 1
        var first = start
        if first < end, bytes[first] == 0x20 { first += 1 }
        while index < end {
            if Self.isControl(bytes[index]) { controlCharacter() }
            advance()
        }
        var last = end
        while last > first, bytes[last - 1] == 0x20 || bytes[last - 1] == 0x09 { last -= 1 }
        line.comment = String(decoding: bytes[first..<last], as: UTF8.self)
    }

    private mutating func lexWord() {
        let (start, startColumn) = (index, column)
        while index < end, Self.isLetter(bytes[index]) || Self.isDigit(bytes[index]) || isJoint(at: index) { advance() }
        append(.word, from: start, column: startColumn)
    }

    private mutating func lexVariable() {
        let (start, startColumn) = (index, column)
        advance()
        guard index < end, Self.isLetter(bytes[index]) else {
            return report(startColumn, 1, "a `$` without a name", "write `$name` for the value of a variable, `\"$\"` for the sign")
        }
        while index < end, Self.isLetter(bytes[index]) || Self.isDigit(bytes[index]) { advance() }
        append(.variable(text(from: start + 1)), from: start, column: startColumn)
    }

    private mutating func lexNumber() {
        let (start, startColumn) = (index, column)
        advance()
        while index < end {
            let byte = bytes[index]
            let isExponentSign =
                (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")) && (bytes[index - 1] | 0x20) == UInt8(ascii: "e")
                && Self.isDigit(peek(1))
            guard Self.isLetter(byte) || Self.isDigit(byte) || isExponentSign || (byte == UInt8(ascii: ".") && isJoint(at: index)) else {
                break
            }
            advance()
        }
        append(.number, from: start, column: startColumn)
    }

    private mutating func lexSign() {
        let (start, startColumn) = (index, column)
        advance()
        append(.sign, from: start, column: startColumn)
    }

    private mutating func lexString() {
        let (start, startColumn) = (index, column)
        advance()
        var decoder = StringDecoder()
        while index < end {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                advance()
                append(.string(decoder.finish()), from: start, column: startColumn)
                return
            }
            if byte == UInt8(ascii: "\\") {
                let escapeColumn = column
                let (count, problem) = decoder.escape(bytes[(index + 1)..<end])
                for _ in 0...max(1, count) where index < end { advance() }
                if let problem { report(escapeColumn, column - escapeColumn, problem.message, problem.hint) }
                continue
            }
            if Self.isControl(byte) { controlCharacter() }
            decoder.append(byte)
            advance()
        }
        report(startColumn, column - startColumn, "the string does not end on this line", "close it with a `\"`")
    }

    /// One report for a run of characters that mean nothing here.
    private mutating func lexUnknown() {
        let (start, startColumn) = (index, column)
        while index < end, !Self.isKnown(bytes[index]) {
            if Self.isControl(bytes[index]) {
                if index > start { break }
                controlCharacter()
                return advance()
            }
            advance()
        }
        if index == start { advance() }
        let text = text(from: start)
        let (message, hint) = explanationInLine(of: text) ?? Self.explanation(of: text)
        report(startColumn, column - startColumn, message, hint)
    }

    private mutating func controlCharacter() {
        report(
            column, 1, "a control character (code \(bytes[index]))",
            "remove it; in a string write it as an escape such as `\\n` or `\\u001b`")
    }

    /// What a sign of another language means, where the line's beginning tells.
    private func explanationInLine(of text: String) -> (String, String?)? {
        guard let first = line.tokens.first, first.kind == .word, let last = line.tokens.last, line.tokens.count > 1 else { return nil }
        guard first.text != "key" || line.tokens.contains(where: { $0.isSign(":") }) else { return nil }
        switch (first.text, text) {
        case ("key", "?"), ("key", "!"):
            let type = last.kind == .word ? "write `\(last.shortText)`" : "leave it out"
            return ("no type ends with `\(text)`: every key may be missing", type)
        case ("key", "<"), ("key", ">"):
            let types = Suggestion.list(ScenarioType.names, last: "and")
            return ("no type of scenario files has `<` and `>`", "the types are \(types), and lists such as `[Int]`")
        case ("expect", "!"), ("never", "!"):
            let hint = "that something is not so is said for a time: such as `never phone theme \"dark\" for 1s`"
            return ("there is no `!` and no `!=`", hint)
        default: return nil
        }
    }

    private static func explanation(of text: String) -> (String, String?) {
        if text.hasPrefix("<<<<<<<") || text.hasPrefix(">>>>>>>") {
            return ("a merge has left its conflict here", "decide for one of the sides and remove these marks")
        }
        return switch text.unicodeScalars.first {
        case "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}":
            ("typographic quotation marks are not those of strings", "write straight ones: \"…\"")
        case "'", "`", "\u{2018}", "\u{2019}":
            ("strings are not written with `\(text)`", "write them with straight double quotation marks: \"…\"")
        case "\u{A0}", "\u{2009}", "\u{202F}", "\u{3000}": ("a space of an unusual kind", "write an ordinary space")
        case "\u{FEFF}": ("a byte order mark in the middle of the file", "remove it")
        case "/": ("comments do not begin with `/`", "begin them with `#`")
        default: ("`\(text)` means nothing here", "if it belongs to a text, write that in quotation marks")
        }
    }

    // MARK: Bytes

    private mutating func advance() {
        index += 1
        // A scalar counts when its last byte is behind us.
        if index >= end || bytes[index] & 0xC0 != 0x80 { column += 1 }
    }

    private func peek(_ count: Int) -> UInt8 { index + count < end ? bytes[index + count] : 0 }

    private func text(from start: Int) -> String { String(decoding: bytes[start..<index], as: UTF8.self) }

    /// A dot or dash between letters or digits.
    private func isJoint(at place: Int) -> Bool {
        (bytes[place] == UInt8(ascii: ".") || bytes[place] == UInt8(ascii: "-")) && place + 1 < end
            && (Self.isLetter(bytes[place + 1]) || Self.isDigit(bytes[place + 1]))
    }

    private mutating func append(_ kind: Token.Kind, from start: Int, column startColumn: Int) {
        line.tokens.append(Token(kind: kind, text: text(from: start), range: range(startColumn, column - startColumn)))
    }

    private mutating func report(_ column: Int, _ length: Int, _ message: String, _ hint: String?) {
        line.isBroken = true
        guard problems.count < 20, problems.last?.message != message else { return }
        problems.append(Problem(range: range(column, length), message: message, hint: hint))
    }

    private func range(_ column: Int, _ length: Int) -> SourceRange {
        SourceRange(path: path, line: lineNumber, column: column, length: length)
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "|"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isControl(_ byte: UInt8) -> Bool { (byte < 0x20 && byte != 0x09) || byte == 0x7F }

    private static func isKnown(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "$")
            || isSign(byte) || isLetter(byte) || isDigit(byte)
    }
}
