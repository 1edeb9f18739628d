import DeviceSimCatalogue
import DeviceSimCore

/// Reads the comment block at the head of a scenario file.
enum HeaderReader {
    /// The exit statuses that a canary can state.
    static let canaryStatuses = [1, 5, 6]

    static func read(
        _ lines: [String], ranges: [SourceRange], source: SourceText, into diagnostics: inout [ScenarioDiagnostic]
    ) -> ScenarioHeader {
        var header = ScenarioHeader()
        var prose: [String] = []
        for (line, range) in zip(lines, ranges) {
            func diagnose(_ message: String, _ hint: String) {
                diagnostics.append(
                    ScenarioDiagnostic(range: range, message: message, hint: hint, sourceLine: source.line(range.line)))
            }
            guard let (field, content) = split(line) else {
                if let (field, meant) = mistypedField(line) ?? bareField(line) {
                    diagnose("`\(field)` is no field of the header", "write `# \(meant): …`")
                }
                prose.append(line)
                continue
            }
            let words = content.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }).map(String.init)
            switch field {
            case "Rules":
                for word in words where !isRule(word) {
                    diagnose("`\(word)` is not the number of a rule", "rules are numbered such as `W41`")
                }
                for word in words where isRule(word) && !exists(word) {
                    diagnose(
                        "there is no rule `\(word)`",
                        "`pairsim explain W48` tells of one, and `pairsim list --rules` lists them in a folder with scenarios")
                }
                header.rules += words.filter(isRule)
            case "Tags":
                for word in words where !isTag(word) {
                    diagnose("`\(word)` is not a tag", "a tag is letters, digits and dashes, such as `relaunch`")
                }
                header.tags += words.filter(isTag)
            default:
                if let canary = header.canary {
                    diagnose("there is a `# Canary: \(canary)` already", "a canary ends with one exit status: remove one of the two")
                } else if let status = Int(content), canaryStatuses.contains(status) {
                    header.canary = status
                } else {
                    diagnose(
                        "`\(content)` is not an exit status that a canary can have",
                        "write `# Canary: 1` (an expectation fails), `5` (not deterministic) or `6` (does not settle)")
                }
            }
        }
        (header.title, header.details) = sentence(of: prose)
        return header
    }

    private static let fields = ["Rules", "Tags", "Canary"]

    /// `Rules: …`, `Tags: …`, `Canary: …`; `nil` for a line of prose.
    private static func split(_ line: String) -> (field: String, content: String)? {
        for field in fields where line.hasPrefix(field + ":") {
            return (field, String(line.dropFirst(field.count + 1)).trimmed)
        }
        return nil
    }

    /// A field in other letters, or with one wrong: taken for prose it would select nothing, and a canary would be none.
    private static func mistypedField(_ line: String) -> (word: String, meant: String)? {
        guard let sign = line.firstIndex(where: { $0 == ":" || $0 == "=" }) else { return nil }
        let word = String(line[..<sign]).trimmed
        guard !word.isEmpty, word.utf8.count <= 8, word.allSatisfy(\.isLetter) else { return nil }
        return fields.first { Suggestion.distance(Array(word.lowercased().unicodeScalars), Array($0.lowercased().unicodeScalars)) <= 1 }
            .map { (String(line[...sign]), $0) }
    }

    /// A field without its colon, `Canary 1`, or behind more signs than one, `## Canary: 1`. A sentence of prose may begin with one of these words, and does not end so.
    private static func bareField(_ line: String) -> (word: String, meant: String)? {
        let plain = String(line.drop { $0 == "#" || $0 == " " })
        if plain != line, let field = split(plain)?.field ?? mistypedField(plain)?.meant {
            return (String(line.prefix { $0 != ":" && $0 != "=" }), field)
        }
        let words = plain.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }).map(String.init)
        guard words.count > 1, let field = fields.first(where: { $0.lowercased() == words[0].lowercased() }) else { return nil }
        let isMeant =
            switch field {
            case "Canary": words.count == 2 && Int(words[1]) != nil
            case "Rules": words.dropFirst().allSatisfy(isRule)
            // Tags are words as any others; a field has them alone, in small letters.
            default: words.dropFirst().allSatisfy { isTag($0) && $0 == $0.lowercased() }
            }
        return isMeant ? (words[0], field) : nil
    }

    /// What reads like a field, below the blank line that ends the header: there it says nothing.
    static func strayField(_ line: String) -> String? { split(line)?.field ?? mistypedField(line)?.meant ?? bareField(line)?.meant }

    /// What says that the file is a canary, in a comment that stands below the first declaration or step. A field of another kind may be prose there.
    static func strayCanary(_ line: String) -> Bool {
        guard strayField(line) == "Canary" else { return false }
        return line.contains { $0.isNumber }
    }

    private static func isRule(_ word: String) -> Bool {
        guard let letter = word.unicodeScalars.first, ("A"..."Z").contains(letter) else { return false }
        return word.utf8.count > 1 && word.utf8.count <= 6 && word.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Of the session's rules and known troubles each has its line in a table; other letters are for numbers of a team's own.
    private static func exists(_ rule: String) -> Bool {
        switch rule.first {
        case "W": SessionRule(named: rule) != nil
        case "P": KnownTrouble(named: rule) != nil
        default: true
        }
    }

    private static func isTag(_ word: String) -> Bool {
        word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
        }
    }

    /// The first sentence: up to a full stop before a space or the end of a line, or to the end of the first paragraph.
    private static func sentence(of lines: [String]) -> (title: String, rest: String) {
        let paragraph = lines.drop { $0.trimmed.isEmpty }.prefix { !$0.trimmed.isEmpty }
        let text = paragraph.map(\.trimmed).joined(separator: " ")
        let after = lines.drop { $0.trimmed.isEmpty }.dropFirst(paragraph.count).map(\.trimmed).joined(separator: "\n").trimmed
        guard let stop = text.firstRange(of: ". ") else { return (text, after) }
        let rest = [String(text[stop.upperBound...]), after].filter { !$0.isEmpty }.joined(separator: "\n")
        return (String(text[..<stop.lowerBound]) + ".", rest)
    }
}

extension String {
    /// Without spaces, tabs and line ends on either side.
    var trimmed: String {
        let blanks: Set<Character> = [" ", "\t", "\n"]
        return String(drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed())
    }
}
