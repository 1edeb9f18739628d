import DeviceSimCore

/// The line that says what another one is meant to say: for lines that people write who know the words of the language and not its forms.
struct LineRemedy {
    /// What is wrong, where more is to be said than that a word is unknown there.
    var message: String?
    let hint: String

    /// - Parameters:
    ///   - tokens: A line that no form fits.
    ///   - index: The first of them that none has.
    init?(_ tokens: [Token], at index: Int) {
        guard tokens.indices.contains(index), let first = tokens.first, first.kind == .word else { return nil }
        let line = Line(tokens: tokens, index: index, token: tokens[index])
        let isExpectation = first.text == "expect" || first.text == "never"
        if isExpectation, let message = line.excess { self.message = message }
        let found = isExpectation ? line.remedyOfExpectation : first.text == "knob" ? line.remedyOfKnob : line.remedyOfStep
        guard let found else { return nil }
        hint = found
    }
}

private struct Line {
    let tokens: [Token]
    let index: Int
    let token: Token

    private var before: ArraySlice<Token> { tokens[..<index] }
    private var next: Token? { tokens.indices.contains(index + 1) ? tokens[index + 1] : nil }
    private func word(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }
    private func isDevice(_ index: Int) -> Bool { DeviceID(scenarioName: word(index)) != nil }

    // MARK: Expectations

    /// What is said of more values than a line may have.
    var excess: String? { isFifthValue ? "a line has at most \(Expectation.ValueCondition.maximumAlternatives) values" : nil }

    private var isFifthValue: Bool {
        token.isWord("or") && before.count { $0.isWord("or") } == Expectation.ValueCondition.maximumAlternatives - 1
    }

    var remedyOfExpectation: String? {
        switch token.text {
        case "not", "isNot":
            return "that something is not so is said for a time: such as `never phone theme \"dark\" for 1s`"
        case "never" where index == 1: return "leave out `expect`: such as `never phone theme \"dark\" for 1s`"
        case "in":
            guard let next, NumberNotation.duration(of: next) != nil else { return nil }
            let time = next.shortText
            return "did you mean `\(word(0) == "never" ? "for" : "within") \(time)`?"
        case "or" where isFifthValue: return "leave some out, or expect only that there is a value: `expect phone theme exists`"
        case "or" where before.contains { $0.isWord("missing") }:
            return "of several, `missing` stands last: such as `expect watch theme \"dark\" or \"light\" or missing`"
        default: return observedProperty
        }
    }

    /// A property of the session, where only keys are followed one by one.
    private var observedProperty: String? {
        guard index == 3, isDevice(1), word(2) == "observed", TraceEvent.Kind.observedProperties.contains(token.text) else { return nil }
        var value = ""
        if let next, next.kind == .word {
            if next.text == "true" || next.text == "false" { value = ", value \(next.text)" }
            if Expectation.SessionProperty.activationStates.contains(next.text) { value = ", value \"\(next.text)\"" }
        }
        return "write `\(word(0)) event session.observed on \(word(1)) with keyPath \"\(token.text)\"\(value)`"
    }

    // MARK: Steps

    var remedyOfStep: String? {
        guard isDevice(0) else { return nil }
        if index == 1, token.kind == .word { return remedyOfOtherDevice }
        if index == 2, word(1) == "observes", Expectation.SessionProperty(rawValue: token.text) != nil {
            return "write `\(word(0)) observes the session`: each change of its properties is an event `session.observed` then"
        }
        if index == 2, word(1) == "is" { return remedyOfState }
        let verb = word(1) == "widget" ? 2 : 1
        if index == verb + 2, word(verb) == "set", ["nil", "null", "none"].contains(token.text.lowercased()) {
            let words = tokens[..<verb].map(\.text) + ["remove", tokens[verb + 1].shortText]
            return "a value is taken away by `\(words.joined(separator: " "))`"
        }
        return nil
    }

    /// A step that only the other kind of device has.
    private var remedyOfOtherDevice: String? {
        let own = Self.secondWords(of: word(0))
        guard !own.contains(token.text) else { return nil }
        let isPhone = word(0) == "phone"
        guard Self.secondWords(of: isPhone ? "watch" : "phone").contains(token.text) else { return nil }
        return isPhone ? "only a watch has this: `watch \(token.text) …`" : "only the phone does this: `phone \(token.text) …`"
    }

    private static func secondWords(of device: String) -> Set<String> {
        Set(Vocabulary.forms(of: Form.Topic.topLevel, beginningWith: device).compactMap(\.secondWord))
    }

    /// The step, the start and the expectation of what a device can be like.
    private var remedyOfState: String? {
        let device = word(0)
        let expectation = "`expect \(device) is \(token.text)` looks whether it is so"
        switch token.text {
        case "off": return "`\(device) power off` switches it off, `start \(device) off` begins so, and \(expectation)"
        case "on": return "`\(device) power on` switches it on, and \(expectation)"
        case "locked": return "`\(device) lock` locks it, `start \(device) locked` begins so, and \(expectation)"
        case "unlocked": return "`\(device) unlock` unlocks it, and \(expectation)"
        default: return nil
        }
    }

    // MARK: Knobs

    /// The knobs of the same group whose names have the word, or one that is nearly it.
    var remedyOfKnob: String? {
        guard index == 1, token.kind == .word, let dot = token.text.firstIndex(of: ".") else { return nil }
        let group = token.text[...dot]
        let typed = String(token.text[dot...].dropFirst())
        let names = Knobs.table.map(\.name).filter { $0.hasPrefix(group) }.map { String($0.dropFirst(group.count)) }
        if let near = Suggestion.nearest(to: typed, in: names) { return "did you mean `\(group)\(near)`?" }
        let words = Set(names.flatMap(Self.words))
        guard let word = Suggestion.nearest(to: typed, in: words.sorted()) else { return nil }
        return "did you mean \(Suggestion.list(names.filter { Self.words($0).contains(word) }.sorted().map { group + $0 }))?"
    }

    /// `reply` and `timeout` of `replyTimeout`.
    private static func words(_ name: String) -> [String] {
        var words = [""]
        for character in name {
            if character.isUppercase { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words
    }
}
