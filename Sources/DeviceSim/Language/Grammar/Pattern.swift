/// The shape of a line: words that stand there as they are, slots for what varies, optional groups and choices.
///
/// Written such as `DEVICE launch [in background] [CRASH]`: capitals are slots, `[a | b]` may be left out, of `(a | b)` one must stand.
/// Optional groups that follow each other may come in any order. A pattern is read from left to right without going back, so
/// the alternatives of a group must begin differently.
package struct Pattern: Sendable {
    package let text: String
    let elements: [Element]

    indirect enum Element: Sendable, Hashable {
        case word(String)
        case slot(Slot)
        case optional([[Element]])
        case choice([[Element]])
    }

    /// Groups that occur in many patterns, by the name that tables show.
    package static let groups: [(name: String, pattern: String, help: String)] = [
        (
            "OUTCOME",
            "fails ERROR | crashes at (operation COUNT | every operation) | loses power at (operation COUNT | every operation) | is cancelled at (operation COUNT | every operation)",
            "what must come of the step instead of success; operations of the storage are counted from 1 within the step. With `every operation` the scenario runs once for each of them, and once more with the end right after the step. Where its task is cancelled the app goes on: the step succeeds all the same or ends with `CancellationError`, and the last run cancels nothing"
        ),
        (
            "CRASH", "crashes at (operation COUNT | every operation) | loses power at (operation COUNT | every operation)",
            "the app or the device ends just before that operation of the storage, counted from 1 within the step; or before each, in a run for each"
        ),
        (
            "CHANNEL", "context | message | user info | file | complication",
            "a way through the session; complication infos are user infos too, and `complication` counts the urgent ones"
        ),
        ("SINCE", "since MARK", "only events after the mark count; otherwise all since the first step"),
        (
            "TIMING", "within TIME | for TIME",
            "holds at some instant until then, or at every instant until then; otherwise now"
        ),
        (
            "DERIVATION", "hkdf [salt VALUE] [info VALUE] | pbkdf2 [iterations COUNT] [salt VALUE]",
            "how the key is derived; HKDF where nothing is written, PBKDF2 with 600000 iterations where no number is written"
        ),
        ("TIMES", "NUMBER (time | times) | at (least | most) NUMBER (time | times)", "how often"),
    ]

    init(_ text: String) {
        self.text = text
        var reader = Reader(Self.split(text))
        elements = reader.sequence()
    }

    private static func split(_ text: String) -> [String] {
        var parts: [String] = []
        var word = ""
        for character in text {
            if "[]()|".contains(character) || character == " " {
                if !word.isEmpty { parts.append(word) }
                word = ""
                if character != " " { parts.append(String(character)) }
            } else {
                word.append(character)
            }
        }
        return word.isEmpty ? parts : parts + [word]
    }

    private struct Reader {
        private var parts: ArraySlice<String>

        init(_ parts: [String]) {
            self.parts = parts[...]
        }

        mutating func sequence() -> [Element] {
            var elements: [Element] = []
            while let part = parts.first, part != "]", part != ")", part != "|" {
                parts.removeFirst()
                switch part {
                case "[": elements.append(.optional(alternatives()))
                case "(": elements.append(.choice(alternatives()))
                default: elements += Self.element(part)
                }
            }
            return elements
        }

        /// Up to the closing bracket. A group's name alone stands for its alternatives.
        private mutating func alternatives() -> [[Element]] {
            var result: [[Element]] = []
            if let name = parts.first, let group = groups.first(where: { $0.name == name }),
                parts.dropFirst().first.map({ "])".contains($0) }) == true
            {
                parts.removeFirst(2)
                var reader = Reader(Pattern.split(group.pattern + " ]"))
                return reader.alternatives()
            }
            while true {
                result.append(sequence())
                guard let part = parts.popFirst(), part == "|" else { return result }
            }
        }

        private static func element(_ part: String) -> [Element] {
            if let slot = Slot(rawValue: part) { return [.slot(slot)] }
            if let group = groups.first(where: { $0.name == part }) {
                var reader = Reader(Pattern.split(group.pattern + " ]"))
                return [.choice(reader.alternatives())]
            }
            return [.word(part)]
        }
    }
}
