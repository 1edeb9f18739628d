extension Form {
    /// Whoever makes a line of a form: decides what the pattern leaves open, from left to right.
    package protocol SentenceMaker {
        /// Which of so many alternatives of a group the line has.
        mutating func alternative(of count: Int) -> Int
        /// Whether the line has an optional group.
        mutating func hasOptional() -> Bool
        /// What stands in a slot; `nil` if nothing can.
        mutating func content(of slot: Slot, in form: Form) -> String?
    }

    /// A line of this form, such as a person could write it: what it means, or whether it means anything there, only the compiler knows. It expects no failure, since
    /// that depends on what was before.
    /// - Returns: `nil` where nothing can stand in one of its slots.
    package func sentence(by maker: inout some SentenceMaker) -> String? {
        words(of: pattern.elements, by: &maker)?.joined(separator: " ")
    }

    private func words(of elements: [Pattern.Element], by maker: inout some SentenceMaker) -> [String]? {
        var words: [String] = []
        for element in elements {
            let added: [String]?
            switch element {
            case .word(let word): added = [word]
            case .slot(let slot): added = maker.content(of: slot, in: self).map { [$0] }
            case .optional(let alternatives):
                let possible = alternatives.filter { !Self.isFailure($0) }
                added = !possible.isEmpty && maker.hasOptional() ? chosen(of: possible, by: &maker) : []
            case .choice(let alternatives): added = chosen(of: alternatives, by: &maker)
            }
            guard let added else { return nil }
            words += added
        }
        return words
    }

    private func chosen(of alternatives: [[Pattern.Element]], by maker: inout some SentenceMaker) -> [String]? {
        words(of: alternatives[maker.alternative(of: alternatives.count)], by: &maker)
    }

    private static func isFailure(_ elements: [Pattern.Element]) -> Bool { elements.first == .word("fails") }
}
