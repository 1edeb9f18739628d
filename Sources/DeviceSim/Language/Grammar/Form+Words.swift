extension Form {
    /// The words that stand in such lines as they are, in the order of the pattern; those of groups are among them.
    package var fixedWords: [String] {
        Self.flattened(pattern.elements).flatMap { if case .word(let word) = $0 { [word] } else { [String]() } }
    }

    /// The places of such lines that vary, each once, in the order of the pattern.
    package var slots: [Slot] {
        Self.flattened(pattern.elements).reduce(into: []) { slots, element in
            if case .slot(let slot) = element, !slots.contains(slot) { slots.append(slot) }
        }
    }

    /// Whether these words may stand in such a line in this order, with others between them.
    package func hasInOrder(_ words: [String]) -> Bool {
        var rest = Self.flattened(pattern.elements)[...]
        for word in words {
            guard let index = rest.firstIndex(where: { Self.element($0, accepts: word) }) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }

    /// How much of a line is as such lines begin, in points: what tells which form a line is of that may be unfinished or wrong further on. Zero where
    /// its fixed words differ.
    package func agreement(with line: [String]) -> Int { Self.agreement(pattern.elements[...], line[...]) ?? 0 }

    private static func agreement(_ elements: ArraySlice<Pattern.Element>, _ words: ArraySlice<String>) -> Int? {
        guard let element = elements.first, let word = words.first else { return 0 }
        let rest = elements.dropFirst()
        switch element {
        case .word(let own):
            // A word that stands there as it is says more than one of a list.
            return own == word ? agreement(rest, words.dropFirst()).map { $0 + 3 } : nil
        case .slot(let slot):
            guard let has = slot.has(word) else {
                // How far a value goes, its tokens say, which are not looked at here.
                return slot.takesOneWord ? agreement(rest, words.dropFirst()).map { $0 + 1 } ?? 1 : 1
            }
            return has ? agreement(rest, words.dropFirst()).map { $0 + 2 } : nil
        case .choice(let alternatives):
            return alternatives.compactMap { agreement($0[...] + rest, words) }.max()
        case .optional(let alternatives):
            return ([agreement(rest, words)] + alternatives.map { agreement($0[...] + rest, words) }).compactMap { $0 }.max()
        }
    }

    private static func element(_ element: Pattern.Element, accepts word: String) -> Bool {
        switch element {
        case .word(let own): own == word
        case .slot(let slot): slot.has(word) ?? false
        case .optional, .choice: false
        }
    }

    private static func flattened(_ elements: [Pattern.Element]) -> [Pattern.Element] {
        elements.flatMap { element in
            switch element {
            case .word, .slot: [element]
            case .optional(let alternatives), .choice(let alternatives): alternatives.flatMap(flattened)
            }
        }
    }
}

extension Slot {
    /// Whether what stands there is one word, as ``LineWords`` has them.
    fileprivate var takesOneWord: Bool {
        switch self {
        case .facts, .arguments, .rest, .setting, .bytes: false
        default: true
        }
    }
}
