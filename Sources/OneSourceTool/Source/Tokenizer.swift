/// Reads Swift source into tokens, as far as it takes to know what is code, and what only looks like it in a string, a comment or a regular expression.
///
/// Any text gives tokens; what is no Swift is for the compiler to say.
struct Tokenizer {
    private let text: String
    private let bytes: [UInt8]
    private var position = 0
    private var startsLine = true
    private(set) var tokens: [Token] = []

    static func tokens(of text: String) -> [Token] {
        var tokenizer = Tokenizer(text)
        tokenizer.readAll()
        return tokenizer.tokens
    }

    private init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    private mutating func readAll() {
        while position < bytes.count {
            let start = position
            if let kind = readOne() {
                let range = start..<position
                let lower = text.utf8.index(text.startIndex, offsetBy: start)
                let upper = text.utf8.index(lower, offsetBy: range.count)
                tokens.append(Token(kind: kind, range: range, text: text[lower..<upper], startsLine: startsLine))
                startsLine = false
            }
        }
    }

    /// Reads a token, or what is none.
    private mutating func readOne() -> Token.Kind? {
        switch bytes[position] {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            startsLine = true
            position += 1
            return nil
        case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0B, 0x0C, 0:
            position += 1
            return nil
        case UInt8(ascii: "/"): return readSlash()
        case UInt8(ascii: "\""):
            skipString(hashes: 0)
            return .string
        case UInt8(ascii: "#"): return readHash()
        case UInt8(ascii: "`"):
            position += 1
            while let byte = peek(), byte != UInt8(ascii: "`"), byte != UInt8(ascii: "\n") { position += 1 }
            if peek() == UInt8(ascii: "`") { position += 1 }
            return .word
        case let byte where byte.isDigit:
            skipWord()
            return .number
        case let byte where byte.startsWord:
            skipWord()
            return .word
        default:
            position += 1
            return .sign
        }
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    private mutating func skipWord() {
        while let byte = peek(), byte.continuesWord { position += 1 }
    }

    // MARK: Slashes

    private mutating func readSlash() -> Token.Kind? {
        switch peek(1) {
        case UInt8(ascii: "/"):
            while let byte = peek(), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { position += 1 }
            return nil
        case UInt8(ascii: "*"):
            skipBlockComment()
            return nil
        default:
            if let end = endOfRegex() {
                position = end
                return .regex
            }
            position += 1
            return .sign
        }
    }

    /// Block comments nest.
    private mutating func skipBlockComment() {
        var depth = 0
        while position < bytes.count {
            if peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth += 1
                position += 2
            } else if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                position += 2
                if depth == 0 { return }
            } else {
                if peek() == UInt8(ascii: "\n") { startsLine = true }
                position += 1
            }
        }
    }

    /// Where a regular expression between slashes ends, if one starts here: where a value may stand, and with its end on the same line.
    private func endOfRegex() -> Int? {
        guard mayStartValue, let first = peek(1), first != UInt8(ascii: " "), first != UInt8(ascii: "\t") else { return nil }
        var index = position + 1
        var isInSet = false
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "["): isInSet = true
            case UInt8(ascii: "]"): isInSet = false
            case UInt8(ascii: "/") where !isInSet: return index + 1
            default: break
            }
            index += 1
        }
        return nil
    }

    /// Whether a value, rather than an operator between values, may come next.
    private var mayStartValue: Bool {
        guard let last = tokens.last, !startsLine else { return true }
        switch last.kind {
        case .sign: return !(last.text == ")" || last.text == "]" || last.text == "}")
        case .word:
            return ["return", "in", "case", "where", "if", "while", "throw", "try", "await", "else", "is", "as"].contains(last.text)
        case .directive: return true
        case .number, .string, .regex: return false
        }
    }

    // MARK: Hashes and strings

    private mutating func readHash() -> Token.Kind {
        var hashes = 0
        while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
        switch peek(hashes) {
        case UInt8(ascii: "\""):
            position += hashes
            skipString(hashes: hashes)
            return .string
        case UInt8(ascii: "/"):
            position += hashes + 1
            while position < bytes.count {
                if peek() == UInt8(ascii: "/"), hasHashes(hashes, after: 1) {
                    position += 1 + hashes
                    return .regex
                }
                position += peek() == UInt8(ascii: "\\") ? 2 : 1
            }
            position = bytes.count
            return .regex
        case let byte? where hashes == 1 && byte.startsWord:
            position += 1
            skipWord()
            return .directive
        default:
            position += hashes
            return .sign
        }
    }

    private func hasHashes(_ count: Int, after distance: Int) -> Bool {
        (0..<count).allSatisfy { peek(distance + $0) == UInt8(ascii: "#") }
    }

    /// Skips a string literal, from its first quotation mark to its last hash. One on a single line ends with the line at the latest.
    private mutating func skipString(hashes: Int) {
        let quote = UInt8(ascii: "\"")
        let isLong = peek(1) == quote && peek(2) == quote
        let width = isLong ? 3 : 1
        position += width
        while let byte = peek() {
            if byte == UInt8(ascii: "\\"), hasHashes(hashes, after: 1) {
                position += 1 + hashes
                if peek() == UInt8(ascii: "(") {
                    skipInterpolation()
                } else if let escaped = peek(), isLong || escaped != UInt8(ascii: "\n") {
                    position += 1
                }
            } else if byte == quote, !isLong || (peek(1) == quote && peek(2) == quote), hasHashes(hashes, after: width) {
                position += width + hashes
                return
            } else if !isLong, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                return
            } else {
                position += 1
            }
        }
    }

    /// Skips `(…)` in a string, which holds code: its strings and comments may hold brackets.
    private mutating func skipInterpolation() {
        let outer = (tokens, startsLine)
        defer { (tokens, startsLine) = outer }
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 {
                    position += 1
                    return
                }
            default: break
            }
            let start = position
            if let kind = readOne() {
                tokens.append(Token(kind: kind, range: start..<position, text: "", startsLine: false))
            }
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    fileprivate var startsWord: Bool {
        self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: "$")
            || (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z")
    }

    fileprivate var continuesWord: Bool { startsWord || isDigit }
}

/// A piece of Swift source that the rewriters look at; comments and blanks are none.
struct Token: Equatable {
    enum Kind: Equatable {
        /// A name or a keyword.
        case word
        /// `#if` and the like.
        case directive
        case number
        /// A whole string literal, with what is interpolated.
        case string
        case regex
        /// One character of an operator, or a bracket.
        case sign
    }

    let kind: Kind
    /// Its bytes in the source.
    let range: Range<Int>
    let text: Substring
    /// Whether it is the first on its line.
    let startsLine: Bool

    func isSign(_ sign: Substring) -> Bool { kind == .sign && text == sign }
    func isWord(_ word: Substring) -> Bool { kind == .word && text == word }
}
