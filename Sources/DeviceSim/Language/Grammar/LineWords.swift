/// The words of a line as a person sees them, complete or not: what completions and explanations go by, where the lexer's tokens would be too strict.
package enum LineWords {
    /// The words: texts in quotation marks, and what stands in brackets, are each one word, with what stands close before them; `:`, `=`, `,` and `|` are
    /// words of their own. A comment is left out.
    package static func split(_ line: some StringProtocol) -> [String] {
        let line = String(line)
        return ranges(line).map { String(line[$0]) }
    }

    /// Where the words stand.
    package static func ranges(_ line: String) -> [Range<String.Index>] {
        var scanner = Scanner(line: line)
        return scanner.scan()
    }

    /// The words before the last one, and what is there of that: empty where the line ends with a space or is empty. `nil` within a text, a comment or a
    /// bracket, where no word of the language stands.
    package static func unfinished(_ line: some StringProtocol) -> (before: [String], word: String)? {
        let words = split(line + "\u{1}")
        guard let last = words.last, last.hasSuffix("\u{1}") else { return nil }
        let word = String(last.dropLast())
        guard !word.contains(where: { "\"{[(".contains($0) }) else { return nil }
        return (Array(words.dropLast()), word)
    }

    private struct Scanner {
        let line: String
        private var words: [Range<String.Index>] = []
        private var start: String.Index?
        private var depth = 0

        init(line: String) {
            self.line = line
        }

        mutating func scan() -> [Range<String.Index>] {
            var isQuoted = false
            var isEscaped = false
            var index = line.startIndex
            while index < line.endIndex {
                let character = line.unicodeScalars[index]
                if isQuoted {
                    if character == "\"", !isEscaped { isQuoted = false }
                    isEscaped = character == "\\" && !isEscaped
                } else if character == "#" {
                    break
                } else if character == "\"" {
                    isQuoted = true
                    begin(index)
                } else {
                    take(character, at: index)
                }
                index = line.unicodeScalars.index(after: index)
            }
            end(index)
            return words
        }

        private mutating func take(_ character: Unicode.Scalar, at index: String.Index) {
            switch character {
            case "{", "[", "(":
                depth += 1
                begin(index)
            case "}", "]", ")":
                depth = max(0, depth - 1)
                begin(index)
            case _ where depth > 0: return
            case _ where character.properties.isWhitespace: end(index)
            case ":", "=", ",", "|":
                end(index)
                words.append(index..<line.unicodeScalars.index(after: index))
            default: begin(index)
            }
        }

        private mutating func begin(_ index: String.Index) {
            if start == nil { start = index }
        }

        private mutating func end(_ index: String.Index) {
            if let start { words.append(start..<index) }
            start = nil
        }
    }
}
