import DeviceSimCore

/// The line that says what another one is meant to say: for lines that people write who know the words of the language and not its forms.
struct LineRemedy {
    /// What is wrong, where more is to be said than that a word is unknown there.
    var message: String?
    let hint: String

    /// - Parameters:
    ///   - tokens: A line that no form fits.
    ///   - index: The first of them that none has.
    ///   - keys: What the file calls its keys.
    init?(_ tokens: [Token], at index: Int, keys: some Collection<String> = []) {
        guard tokens.indices.contains(index), let first = tokens.first, first.kind == .word else { return nil }
        let line = Line(tokens: tokens, index: index, token: tokens[index], keys: Set(keys))
        let isExpectation = first.text == "expect" || first.text == "never"
        if isExpectation, let message = line.excess { self.message = message }
        let found =
            switch first.text {
            case "expect", "never": line.remedyOfExpectation
            case "knob": line.remedyOfKnob
            case "wait", "link": line.remedyOfTime ?? line.remedyOfLink
            default: line.remedyOfStep
            }
        guard let found else { return nil }
        hint = found
    }
}

private struct Line {
    let tokens: [Token]
    let index: Int
    let token: Token
    /// What the file calls its keys.
    let keys: Set<String>

    private var before: ArraySlice<Token> { tokens[..<index] }
    private var next: Token? { tokens.indices.contains(index + 1) ? tokens[index + 1] : nil }
    private func word(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }
    private func isKey(_ index: Int) -> Bool { keys.contains(word(index)) }
    private func isDevice(_ index: Int) -> Bool { DeviceID(scenarioName: word(index)) != nil }

    // MARK: Expectations

    /// What is said of more values than a line may have.
    var excess: String? { isFifthValue ? "a line has at most \(Expectation.ValueCondition.maximumAlternatives) values" : nil }

    private var isFifthValue: Bool {
        token.isWord("or") && before.count { $0.isWord("or") } == Expectation.ValueCondition.maximumAlternatives - 1
    }

    var remedyOfExpectation: String? {
        switch token.text {
        case "not" where index == 3 && isKey(2) && next?.isWord("missing") == true:
            return "write `\(word(0)) \(word(1)) \(word(2)) exists`"
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
        case "or", "and": return remedyOfAlternatives
        default: return remedyOfSubject ?? remedyOfCondition ?? observedProperty
        }
    }

    /// What `or` cannot join, and `and` never does.
    private var remedyOfAlternatives: String? {
        if token.isWord("and") {
            return index == 2 ? "write a line for each device, or `\(word(0)) devices agree`" : "write a line for each"
        }
        if before.contains(where: { $0.isWord("fails") }) {
            return "an error stands alone, and `or` between values, as in `expect phone theme \"dark\" or missing`; "
                + "see to it first which of them comes, such as by `phone unlock` or `settle`"
        }
        if before.contains(where: { $0.isWord("exists") }) {
            return "that there is a value or none is always so; name the values: `expect phone theme \"dark\" or \"light\"`"
        }
        if before.contains(where: { $0.isWord("event") }), isDevice(index - 1) {
            return "without `on \(word(index - 1))` it is an event on whichever device"
        }
        return "`or` stands between values of a key only: `expect phone theme \"dark\" or missing`"
    }

    /// What the expectation is about, where its device or the words before a property are missing.
    private var remedyOfSubject: String? {
        let verb = word(0)
        if index == 1 {
            if isKey(1) { return "say on which device: `\(verb) phone \(token.text) …`" }
            if token.isWord("agree") { return "write `\(verb) devices agree`" }
            guard ["both", "all", "each"].contains(token.text) else { return nil }
            return "write a line for each device, or `\(verb) devices agree on theme`"
        }
        if index == 2, word(1) == "devices", isKey(2) {
            return "write `\(verb) devices agree on \(token.text)`, or a line for each device: `\(verb) phone \(token.text) …`"
        }
        if index == 2, word(1) == "no" { return remedyOfNone }
        guard index == 2, isDevice(1) else { return nil }
        switch token.text {
        case "locked", "unlocked", "on", "off": return "write `\(verb) \(word(1)) is \(token.text)`"
        case "running", "installed", "background", "foreground", "suspended": return "write `\(verb) \(word(1)) app \(token.text)`"
        case "get", "set", "remove":
            return "`\(token.text)` is a step, without `\(verb)`; what it leaves: `\(verb) \(word(1)) theme \"dark\"`"
        case "fails": return "say of which key: `\(verb) \(word(1)) theme fails locked`"
        case "no": return "a key without a value is `missing`: `\(verb) \(word(1)) theme missing`"
        case "keychain", "preferences", "defaults", "storage":
            return "whether something lies in a key's place, wherever that is: `\(verb) \(word(1)) disk contains theme`"
        default: return nil
        }
    }

    private var remedyOfNone: String? {
        guard ["error", "errors", "failure", "failures", "crash", "crashes"].contains(token.text) else { return nil }
        return "`expect no event storage.failed` says it of storage, `expect nothing else` of deliveries and of errors of every kind"
    }

    /// What is said of a key's value, or of the app, in words of elsewhere.
    private var remedyOfCondition: String? {
        if ["always", "throughout", "forever"].contains(token.text) { return "`expect … for 5s` looks whether it is so all the time" }
        guard index == 3, isDevice(1) else { return nil }
        let subject = "\(word(0)) \(word(1)) \(tokens[2].shortText)"
        if word(2) == "app" {
            guard ["is", "was"].contains(token.text), let next, next.kind == .word else { return nil }
            return "write `\(subject) \(next.shortText)`"
        }
        guard token.kind == .word, isKey(2) else { return nil }
        switch token.text {
        case "none", "empty", "absent", "gone", "removed", "deleted":
            return "a key without a value is `missing`: `\(subject) missing`"
        case "syncs", "synced", "arrives", "changes", "changed":
            return "wait for the value: `\(subject) … within 5s`; whether both devices have the same: `expect devices agree within 5s`"
        case "contains", "has", "includes": return "a value is given in whole: `\(subject) …`"
        default:
            guard ScenarioErrorName(name: token.text) != nil else { return nil }
            return "write `\(subject) fails \(token.text)`"
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
        if token.isWord("or"), before.contains(where: { $0.isWord("fails") }) {
            return "a step fails with one error; see to it first which of them comes, such as by `phone unlock` or `settle`"
        }
        if index == 1, token.kind == .word { return remedyOfOtherDevice }
        if index == 2, word(1) == "observes", Expectation.SessionProperty(rawValue: token.text) != nil {
            return "write `\(word(0)) observes the session`: each change of its properties is an event `session.observed` then"
        }
        if index == 2, word(1) == "is" { return remedyOfState }
        if index == 2, word(1) == "update", token.kind == .number { return "write `\(word(0)) update to 2.0`" }
        let verb = word(1) == "widget" ? 2 : 1
        let isAboutKey = index == verb + 2
        if isAboutKey, word(verb) == "get", token.kind != .word || ["is", "equals", "expect"].contains(token.text) {
            let subject = (tokens[..<verb].map(\.text) + [tokens[verb + 1].shortText]).joined(separator: " ")
            return "what it gives is said on a line of its own: `expect \(subject) …`"
        }
        if isAboutKey, word(verb) == "set", ["to", "as", "is", "equals"].contains(token.text) {
            return "values stand behind the key, without a word: `phone set theme \"dark\"`"
        }
        if index == verb + 2, word(verb) == "set", ["nil", "null", "none"].contains(token.text.lowercased()) {
            let words = tokens[..<verb].map(\.text) + ["remove", tokens[verb + 1].shortText]
            return "a value is taken away by `\(words.joined(separator: " "))`"
        }
        return nil
    }

    var remedyOfTime: String? {
        guard index == 1, word(0) == "wait" else { return nil }
        switch token.text {
        case "for": return "write `wait 5s`"
        case "until": return "write `wait 5s`, or `at 10s`, which counts from the first step; `expect … within 5s` waits for something"
        default: return nil
        }
    }

    var remedyOfLink: String? {
        guard index == 1, word(0) == "link" else { return nil }
        switch token.text {
        case "off", "lost", "broken": return "write `link down`"
        case "on", "back": return "write `link up`"
        default: return nil
        }
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
