import DeviceSim

@testable import DeviceSimLanguage

/// Writes scenario texts that no person would: every form of the vocabulary, in any layout that the language allows.
struct DocumentGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func document() -> String {
        var lines: [String] = []
        for _ in 0..<random.below(4) { lines.append(comment()) }
        for _ in 0..<(1 + random.below(12)) {
            for _ in 0..<random.below(3) { lines.append(random.below(2) == 0 ? "" : comment()) }
            lines += statement()
        }
        for _ in 0..<random.below(3) { lines.append(random.below(2) == 0 ? "  " : comment()) }
        let end = random.below(3) == 0 ? "\r\n" : "\n"
        return (random.below(8) == 0 ? "\u{FEFF}" : "") + lines.joined(separator: end) + (random.below(2) == 0 ? end : "")
    }

    /// One line of a form, in canonical spacing.
    mutating func line(of form: Form) -> String {
        words(form.pattern.elements).joined(separator: " ")
    }

    // MARK: Lines

    private mutating func statement() -> [String] {
        let forms = Vocabulary.forms.filter { Form.Topic.topLevel.contains($0.topic) }
        let form = forms[random.below(forms.count)]
        let head = layOut(words(form.pattern.elements)) + trailingComment()
        let topic: Form.Topic? =
            switch form.pattern.elements.first {
            case .word("key")?: .attribute
            case .word("together")?: .data
            case .word("expect")? where form.pattern.text.contains("order"): .event
            default: nil
            }
        if form.pattern.text == "examples" { return [head] + table() }
        guard let topic else { return [head] }
        let inner = Vocabulary.forms.filter { $0.topic == topic }
        return [head]
            + (0..<random.below(4)).flatMap { _ -> [String] in
                let line = indentation() + layOut(words(inner[random.below(inner.count)].pattern.elements)) + trailingComment()
                return random.below(4) == 0 ? [random.below(2) == 0 ? "" : indentation() + comment(), line] : [line]
            }
    }

    private mutating func table() -> [String] {
        let columns = 1 + random.below(3)
        var lines = [indentation() + "|" + (0..<columns).map { " c\($0) |" }.joined()]
        for _ in 0..<random.below(4) {
            lines.append(indentation() + "|" + (0..<columns).map { _ in layOut(["", sample(.value), ""]) + "|" }.joined())
        }
        return lines
    }

    private mutating func comment() -> String {
        ["#", "# a word", "#  two spaces  ", "#no space", "# \"quoted\" $x", "#\ttab"][random.below(6)]
    }

    private mutating func trailingComment() -> String { random.below(6) == 0 ? " " + comment() : "" }
    private mutating func indentation() -> String { ["    ", "  ", "\t", " ", "        "][random.below(5)] }

    private mutating func layOut(_ words: [String]) -> String {
        var line = ""
        for (index, word) in words.enumerated() {
            if index > 0 { line += [" ", "  ", "\t", " "][random.below(4)] }
            line += word
        }
        return line + (random.below(5) == 0 ? "  " : "")
    }

    // MARK: Words

    private mutating func words(_ elements: [Pattern.Element]) -> [String] {
        var result: [String] = []
        for element in elements {
            switch element {
            case .word(let word): result.append(word)
            case .slot(let slot): result.append(sample(slot))
            case .optional(let groups): if random.below(2) == 0 { result += words(groups[random.below(groups.count)]) }
            case .choice(let groups): result += words(groups[random.below(groups.count)])
            }
        }
        return result
    }

    private mutating func sample(_ slot: Slot) -> String {
        if let words = slot.words { return words[random.below(words.count)] }
        let choices: [String] =
            switch slot {
            case .key: ["theme", "token"]
            case .message: ["m1"]
            case .transfer: ["t1"]
            case .snapshot: ["old"]
            case .backup: ["monday"]
            case .mark: ["reconnected"]
            case .name: ["n\(random.below(1_000))"]
            case .string: ["\"\"", "\"x\"", "\"é \\\"q\\\" \\n\""]
            case .object: ["{}", "{\"a\" : 1,\"b\":[ ]}", "{\"x\": {\"y\": null}}"]
            case .value:
                ["1", "-0.5e3", "true", "\"dark\"", "[ 1,2 ,[3]]", "{\"a\":\"b\"}", "data( 16 bytes )", "repeat(\"x\" ,3)", "null"]
            case .bytes: ["0 bytes", "1 byte"]
            case .count: ["1", "12"]
            case .number: ["0", "7"]
            case .time: ["5s", "200ms", "1.5min"]
            case .version: ["2.0", "1.2.3", "\"1.9\""]
            case .type: ["String", "[Int]", "[ [ Any ] ]"]
            case .facts: ["key \"theme\"", "count 2 , key \"x\""]
            case .arguments: ["size 1", "size 1 , name {\"a\": 1}"]
            case .rest, .setting: ["5s", "true", "100 bytes"]
            default: ["x"]
            }
        return choices[random.below(choices.count)]
    }
}
