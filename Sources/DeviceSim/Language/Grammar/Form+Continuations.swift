/// What may come next in a line that is being written.
package enum Continuation: Sendable, Hashable {
    case word(String)
    case slot(Slot)
}

extension Vocabulary {
    /// What may follow some words of a line, in the order of the vocabulary, each once.
    /// - Parameters:
    ///   - words: The complete words of the line so far, as ``LineWords`` has them.
    ///   - topics: Which lines may stand there.
    package static func continuations(after words: [String], in topics: Set<Form.Topic>) -> [Continuation] {
        var found: [Continuation] = []
        var known: Set<Continuation> = []
        for form in forms where topics.contains(form.topic) {
            for next in form.continuations(after: words) where known.insert(next).inserted { found.append(next) }
        }
        return found
    }
}

extension Form {
    /// What may follow the words in such a line; empty where it cannot begin with them, or is complete.
    package func continuations(after words: [String]) -> [Continuation] {
        var found: [Continuation] = []
        Self.collect(pattern.elements[...], words[...], into: &found)
        return found
    }

    private static func collect(_ elements: ArraySlice<Pattern.Element>, _ words: ArraySlice<String>, into found: inout [Continuation]) {
        guard let element = elements.first else { return }
        let rest = elements.dropFirst()
        switch element {
        case .word(let own):
            guard let word = words.first else { return found.append(.word(own)) }
            if word == own { collect(rest, words.dropFirst(), into: &found) }
        case .slot(let slot):
            guard let word = words.first else { return found.append(.slot(slot)) }
            guard slot.has(word) != false else { return }
            let count = slot == .bytes ? 2 : 1
            guard words.count >= count else { return found.append(.word("bytes")) }
            collect(rest, words.dropFirst(count), into: &found)
            // A list of facts or arguments may be of any length.
            if [.facts, .arguments, .rest, .setting].contains(slot) { collect(elements, words.dropFirst(), into: &found) }
        case .choice(let alternatives):
            for alternative in alternatives { collect(alternative[...] + rest, words, into: &found) }
        case .optional(let alternatives):
            for alternative in alternatives { collect(alternative[...] + rest, words, into: &found) }
            collect(rest, words, into: &found)
        }
    }
}
