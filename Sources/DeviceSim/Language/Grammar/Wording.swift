import DeviceSimCore

/// A form filled in: what a step says. Its line is made from the form's pattern, so that it is spelt in one place for reading and writing.
struct Wording {
    let form: Form
    /// A word each of the optional groups, and of the choices, that stand in the line and have no slot to tell it by.
    private(set) var words: [String]
    /// The contents of the slots. A slot that occurs twice has two, in order.
    private(set) var contents: [Slot: [String]]

    fileprivate init(_ form: Form, _ contents: KeyValuePairs<Slot, String?>, _ words: [String?]) {
        self.form = form
        self.words = words.compactMap { $0 }
        self.contents = [:]
        for (slot, content) in contents {
            if let content { self.contents[slot, default: []].append(content) }
        }
    }

    /// The same with a slot more.
    func with(_ slot: Slot, _ content: String) -> Wording {
        var wording = self
        wording.contents[slot, default: []].append(content)
        return wording
    }

    /// The line on any device.
    func line() -> String { form.pattern.filled(with: words, contents) }

    /// The line on a device, with what must come of it.
    /// - Parameter word: A word more, as the form is filled with.
    func line(on device: DeviceID, _ word: String? = nil, outcome: StepOutcome = .succeeds) -> String {
        var wording = self
        if let word { wording.words.append(word) }
        wording.contents[.device] = [device.description]
        wording.contents[.watch] = [device.description]
        wording.add(outcome)
        return wording.line()
    }

    /// The first word that all lines of the form have, such as `set`.
    var verb: String {
        for case .word(let word) in form.pattern.elements { return word }
        return ""
    }

    private mutating func add(_ outcome: StepOutcome) {
        switch outcome {
        case .succeeds: break
        case .fails(let error): contents[.error] = [error.name]
        case .crashes(let number):
            words.append("crashes")
            contents[.count] = ["\(number)"]
        case .losesPower(let number):
            words.append("loses")
            contents[.count] = ["\(number)"]
        case .crashesAtEveryOperation: words += ["crashes", "every"]
        case .losesPowerAtEveryOperation: words += ["loses", "every"]
        case .isCancelled(let number):
            words.append("cancelled")
            contents[.count] = ["\(number)"]
        case .isCancelledAtEveryOperation: words += ["cancelled", "every"]
        }
    }
}

extension AppPart {
    /// What a line of the part is filled with; nothing for the app.
    var wording: String? { self == .app ? nil : rawValue }
}

extension Form {
    /// The form with what varies.
    /// - Parameter contents: What stands in the slots; `nil` leaves the slot's group out.
    /// - Parameter words: A word of each group without a slot that is to stand there.
    func filled(_ contents: KeyValuePairs<Slot, String?> = [:], _ words: String?...) -> Wording { Wording(self, contents, words) }
}

extension Pattern {
    /// The line with these words of its groups and these contents of its slots.
    ///
    /// Of a group's alternatives that one stands in the line that has most of the words; without any of them, the first one whose slots
    /// have contents. A slot outside of groups that has none shows its name, which no line reads.
    fileprivate func filled(with words: [String], _ contents: [Slot: [String]]) -> String {
        var filler = Filler(words: words, contents: contents)
        filler.fill(elements)
        return filler.parts.joined(separator: " ")
    }

    private struct Filler {
        let words: [String]
        var contents: [Slot: [String]]
        var parts: [String] = []

        mutating func fill(_ elements: [Element]) {
            for element in elements {
                switch element {
                case .word(let word): parts.append(word)
                case .slot(let slot): parts.append(take(slot))
                case .optional(let alternatives):
                    if let chosen = choose(alternatives) { fill(chosen) }
                case .choice(let alternatives):
                    if let chosen = choose(alternatives) ?? alternatives.first { fill(chosen) }
                }
            }
        }

        private mutating func take(_ slot: Slot) -> String {
            guard let first = contents[slot]?.first else { return slot.rawValue }
            contents[slot]?.removeFirst()
            return first
        }

        private func choose(_ alternatives: [[Element]]) -> [Element]? {
            var best: (count: Int, elements: [Element])?
            for alternative in alternatives {
                let count = words.count { Self.has($0, alternative) }
                if count > best?.count ?? 0 { best = (count, alternative) }
            }
            return best?.elements ?? alternatives.first(where: hasContents)
        }

        private static func has(_ word: String, _ elements: [Element]) -> Bool {
            elements.contains { element in
                switch element {
                case .word(let own): own == word
                case .slot: false
                case .choice(let alternatives), .optional(let alternatives): alternatives.contains { has(word, $0) }
                }
            }
        }

        /// Whether there is a slot, and something for each.
        private func hasContents(_ elements: [Element]) -> Bool {
            let slots = elements.compactMap { element -> Slot? in if case .slot(let slot) = element { slot } else { nil } }
            return !slots.isEmpty && slots.allSatisfy { contents[$0]?.isEmpty == false }
        }
    }
}
