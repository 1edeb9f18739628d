/// All lines that scenario files can have: the one table that the parser, its suggestions, the grammar's tables and completions go by.
package enum Vocabulary {
    package static let forms: [Form] =
        structure + attributes + start + steps + expectations + eventPatterns + TimeStep.Forms.all

    /// The lines that are steps: each topic's lie beside its model.
    private static let steps: [Form] =
        DeviceStep.Forms.all + WatchChange.Forms.all + LinkStep.Forms.all + SessionStep.Forms.all + TransferStep.Forms.all
        + DataStep.Forms.all + FaultStep.Forms.all

    /// The forms of some topics that can begin with a word.
    static func forms(of topics: Set<Form.Topic>, beginningWith word: String) -> [Form] {
        if topics == Form.Topic.topLevel { return topLevelByFirstWord[word] ?? [] }
        return (byFirstWord[word] ?? []).filter { topics.contains($0.topic) }
    }

    /// The words that lines of some topics can begin with, sorted.
    static func firstWords(of topics: Set<Form.Topic>) -> [String] {
        byFirstWord.filter { $0.value.contains { topics.contains($0.topic) } }.keys.sorted()
    }

    /// Words that no key can be called by, because they may stand where a key may.
    /// The words that a line may begin with.
    package static let beginnings = Set(firstWords(of: Form.Topic.topLevel))

    static let reservedWords: Set<String> = {
        var reserved: Set<String> = []
        for form in forms {
            for (index, element) in form.pattern.elements.enumerated() where element == .slot(.key) {
                let prefix = form.pattern.elements[..<index]
                for other in forms where other.pattern.elements.starts(with: prefix) && other.pattern.elements.count > index {
                    reserved.formUnion(firstWords(of: other.pattern.elements[index], skippingKeys: true))
                }
            }
        }
        return reserved
    }()

    private static let byFirstWord: [String: [Form]] = {
        var table: [String: [Form]] = [:]
        for form in forms {
            guard let first = form.pattern.elements.first else { continue }
            for word in firstWords(of: first, skippingKeys: false) { table[word, default: []].append(form) }
        }
        return table
    }()

    private static let topLevelByFirstWord = byFirstWord.mapValues { $0.filter { Form.Topic.topLevel.contains($0.topic) } }

    private static func firstWords(of element: Pattern.Element, skippingKeys: Bool) -> [String] {
        switch element {
        case .word(let word): [word]
        case .slot(let slot): slot.words ?? []
        case .choice(let alternatives), .optional(let alternatives):
            alternatives.compactMap(\.first).flatMap { firstWords(of: $0, skippingKeys: skippingKeys) }
        }
    }
}
