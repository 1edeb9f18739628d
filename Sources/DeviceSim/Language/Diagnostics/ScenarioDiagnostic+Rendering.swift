extension ScenarioDiagnostic: CustomStringConvertible {
    public var description: String { rendered() }

    /// `file:line:column: error: …`, the line, a caret under the words at fault, and what would be right. No newline at the end.
    ///
    /// Control characters of the file do not come through, and long lines are cut around the caret.
    public func rendered() -> String {
        var lines: [String] = []
        let path = Self.printable(range.path)
        lines.append(
            range.line == 0
                ? "\(path): error: \(Self.printable(message))" : "\(path):\(range.line):\(range.column): error: \(Self.printable(message))")
        if let sourceLine, range.line > 0 {
            let excerpt = Excerpt(of: sourceLine, column: range.column, length: range.length)
            lines.append("    " + Self.printable(excerpt.text))
            lines.append("    " + excerpt.underline)
        }
        if let hint { lines.append("    " + Self.printable(hint)) }
        for place in includedFrom {
            lines.append("    included from \(Self.printable(place.path)):\(place.line)")
        }
        return lines.joined(separator: "\n")
    }

    /// All of a file's diagnostics, at most `limit` of them written out, and how many more there are.
    public static func rendered(_ diagnostics: [ScenarioDiagnostic], limit: Int = 20) -> String {
        // A line that says that there is one more takes the place of that one.
        var parts = diagnostics.prefix(diagnostics.count == limit + 1 ? limit + 1 : limit).map { $0.rendered() }
        let more = diagnostics.count - parts.count
        let isCut = diagnostics.count >= DiagnosticList.limit
        if more > 0 { parts.append("… and \(more) more error\(more == 1 ? "" : "s")\(isCut ? ", and the rest was not looked at" : "")") }
        return parts.joined(separator: "\n\n")
    }

    /// Control characters as their pictures, so that a file cannot drive the terminal. Tabs stay.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\t" }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09: result.append(scalar)
            case 0..<0x20: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "?")
            case 0x7F: result.append("\u{2421}")
            case 0x80..<0xA0: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

/// The part of a line around the words at fault, and the carets for the line below it.
private struct Excerpt {
    let text: String
    let underline: String

    private static let width = 120

    init(of line: String, column: Int, length: Int) {
        let scalars = Array(line.unicodeScalars.prefix(column + Self.width * 2))
        let start = max(0, column - 1)
        var first = 0
        if start > Self.width * 2 / 3 { first = min(start, scalars.count) - Self.width / 2 }
        let last = min(scalars.count, first + Self.width)
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[first..<max(first, last)])
        let isCutAtEnd = last < line.unicodeScalars.count
        let prefix = first > 0 ? "…" : ""
        self.text = prefix + String(text) + (isCutAtEnd ? "…" : "")
        var pad = String(repeating: " ", count: prefix.count)
        for index in first..<max(first, start) {
            pad.append(index < scalars.count && scalars[index] == "\t" ? "\t" : " ")
        }
        let visible = max(1, min(length, max(1, last - start)))
        underline = pad + String(repeating: "^", count: visible)
    }
}
