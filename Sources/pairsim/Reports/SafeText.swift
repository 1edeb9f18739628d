/// Text that came from files, made safe to show: no control character reaches a terminal raw, and nothing reorders a line.
enum SafeText {
    /// One line: a newline is escaped as well, a tab becomes four spaces.
    static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "\t" {
                result += "    "
            } else if isUnsafe(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Several lines: newlines stay.
    static func block(_ text: String) -> String {
        text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
            .joined(separator: "\n")
    }

    /// The marks that the tool itself writes, for terminals that show no more than ASCII. What comes from files stays as it is.
    static func ascii(_ text: String) -> String {
        let marks: [(String, String)] = [("✓", "ok"), ("✗", "no"), ("→", "->"), ("…", "...")]
        return marks.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F: true
        // Line and paragraph separators; embeddings, overrides and isolates of writing direction; the byte order mark.
        case 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}

extension SafeText {
    /// How many cells of a terminal the text takes, as far as can be told without asking it.
    static func cells(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + cells($1) }
    }

    /// The start of the text that fits.
    static func clipped(_ text: String, to cellLimit: Int) -> String {
        guard cells(text) > cellLimit else { return text }
        var result = ""
        var used = 1
        for character in text {
            used += cells(character)
            guard used <= cellLimit else { break }
            result.append(character)
        }
        return cellLimit > 0 ? result + "…" : ""
    }

    private static func cells(_ character: Character) -> Int {
        guard !character.isASCII else { return 1 }
        let isWide = character.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
                0xFFE0...0xFFE6, 0x20000...0x3FFFD, 0xFE0F:
                true
            default: scalar.properties.isEmojiPresentation
            }
        }
        guard !isWide, let first = character.unicodeScalars.first else { return isWide ? 2 : 0 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }
}

/// Words as a POSIX shell reads them.
enum ShellWord {
    /// The text as one word, quoted where it has to be.
    static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%".utf8)
}

/// Counts in words.
enum Plural {
    static func of(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

/// Numbers as reports write them: the same in every locale.
enum Decimals {
    static func fixed(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let units = (max(0, value) * Double(scale)).rounded()
        guard units < Double(Int.max / 2) else { return "\(value)" }
        let (whole, part) = Int(units).quotientAndRemainder(dividingBy: scale)
        guard places > 0 else { return "\(whole)" }
        let digits = String(part)
        return "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
    }
}
