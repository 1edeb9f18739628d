import DeviceSimCore

/// Finds the form that a line fits, or what is wrong with it: what stands at the first place where no form goes on.
struct FormMatcher {
    private let tokens: [Token]
    private let context: LineContext
    private var words: [String] = []
    private var captures: [Capture] = []
    private var failure = Failure()

    /// What was expected at the farthest place that any form reached.
    private struct Failure {
        /// Off while a line may still fit: only of a line that fits nothing is it asked what was expected.
        var isCollecting = false
        var index = -1
        var words: Set<String> = []
        var slots: Set<Slot> = []
        var canEnd = false
        var problem: ValueParser.Problem?

        mutating func note(at place: Int) -> Bool {
            guard isCollecting, place >= index else { return false }
            if place > index { self = Failure(isCollecting: true, index: place) }
            return true
        }
    }

    init(_ tokens: [Token], in context: LineContext) {
        self.tokens = tokens
        self.context = context
    }

    /// The first of `forms` that fits and its match; `nil` if none does, which is reported.
    mutating func match(_ forms: [Form]) -> (form: Form, match: Match)? {
        let budget = context.budget
        let second = tokens.count > 1 ? tokens[1].text : ""
        // By their places: to go over the forms themselves copies each, and nearly all are of another second word.
        for place in forms.indices where forms[place].secondWord == nil || forms[place].secondWord == second {
            context.budget = budget
            if fits(forms[place]) { return (forms[place], Match(tokens: tokens, words: words, captures: captures, context: context)) }
        }
        failure.isCollecting = true
        for form in forms {
            context.budget = budget
            _ = fits(form)
        }
        context.budget = budget
        report()
        return nil
    }

    /// Whether one of `forms` fits; where none does nothing is reported.
    mutating func fitsOne(of forms: [Form]) -> Bool {
        let budget = context.budget
        defer { context.budget = budget }
        return forms.contains { form in
            context.budget = budget
            return fits(form)
        }
    }

    private mutating func fits(_ form: Form) -> Bool {
        words.removeAll(keepingCapacity: true)
        captures.removeAll(keepingCapacity: true)
        guard let end = sequence(form.pattern.elements[...], at: 0) else { return false }
        if end < tokens.count, failure.note(at: end) { failure.canEnd = true }
        return end == tokens.count
    }

    // MARK: Matching

    private mutating func sequence(_ elements: ArraySlice<Pattern.Element>, at start: Int) -> Int? {
        var index = start
        var rest = elements
        while let element = rest.popFirst() {
            switch element {
            case .word(let word):
                guard take(word, at: index) else { return nil }
                index += 1
            case .slot(let slot):
                guard let next = take(slot, at: index) else { return nil }
                index = next
            case .choice(let alternatives):
                guard let chosen = alternatives.first(where: { begins($0, at: index) }) else { return nil }
                guard let next = sequence(chosen[...], at: index) else { return nil }
                index = next
            case .optional(let alternatives):
                var groups = [alternatives]
                while case .optional(let more)? = rest.first {
                    groups.append(more)
                    rest.removeFirst()
                }
                guard let next = optionals(groups, at: index) else { return nil }
                index = next
            }
        }
        return index
    }

    /// Groups that may each stand once, in any order.
    private mutating func optionals(_ groups: [[[Pattern.Element]]], at start: Int) -> Int? {
        var index = start
        var left = groups
        while let (place, chosen) = nextGroup(left, at: index) {
            guard let next = sequence(chosen[...], at: index) else { return nil }
            index = next
            left.remove(at: place)
        }
        return index
    }

    private mutating func nextGroup(_ groups: [[[Pattern.Element]]], at index: Int) -> (Int, [Pattern.Element])? {
        for (place, alternatives) in groups.enumerated() {
            for alternative in alternatives where begins(alternative, at: index) { return (place, alternative) }
        }
        return nil
    }

    /// Whether the first element stands there. What was expected is noted.
    private mutating func begins(_ elements: [Pattern.Element], at index: Int) -> Bool {
        let (savedWords, savedCaptures, savedBudget) = (words.count, captures.count, context.budget)
        defer {
            words.removeLast(words.count - savedWords)
            captures.removeLast(captures.count - savedCaptures)
            context.budget = savedBudget
        }
        switch elements.first {
        case .word(let word)?: return take(word, at: index)
        case .slot(let slot)?: return take(slot, at: index) != nil
        case .choice(let inner)?, .optional(let inner)?: return inner.contains { begins($0, at: index) }
        case nil: return true
        }
    }

    private mutating func take(_ word: String, at index: Int) -> Bool {
        // A type is set off by a sign, so a pattern may have one as a word.
        if tokens.indices.contains(index), tokens[index].text == word, tokens[index].kind == .word || tokens[index].kind == .sign {
            words.append(word)
            return true
        }
        if failure.note(at: index) { failure.words.insert(word) }
        return false
    }

    private mutating func take(_ slot: Slot, at index: Int) -> Int? {
        switch slot.read(tokens, at: index, in: context) {
        case .found(let capture, let next):
            captures.append(capture)
            return next
        case .other:
            if failure.note(at: index) { failure.slots.insert(slot) }
            return nil
        case .faulty(let problem, let place):
            if failure.note(at: place), failure.problem == nil { failure.problem = problem }
            return nil
        }
    }

    // MARK: Reporting

    private func report() {
        if let problem = failure.problem { return context.diagnose(problem.range, problem.message, hint: problem.hint) }
        let index = max(0, failure.index)
        let before = tokens.prefix(index).suffix(4).map(\.shortText).joined(separator: " ")
        let after = index == 0 ? "" : " after `\(before)`"
        guard tokens.indices.contains(index) else {
            let range = tokens.last?.range.after ?? SourceRange(path: "", line: 0, column: 0, length: 1)
            return context.diagnose(range, "something is missing\(after)", hint: "expected \(expected())")
        }
        let token = tokens[index]
        let candidates = candidateWords()
        if failure.canEnd, failure.words.isEmpty, failure.slots.isEmpty {
            let rest = token.range.through(tokens[tokens.count - 1].range)
            let hint = LineRemedy(tokens, at: index, keys: context.keys.keys)?.hint
            return context.diagnose(
                rest, "nothing more can stand\(after)", hint: hint ?? "remove it, or write a step of its own on the next line")
        }
        let kind = failure.slots == [.key] && token.kind == .word ? "there is no key `\(token.shortText)`" : nil
        let message =
            kind
            ?? (token.kind == .word
                ? "`\(token.shortText)` is unknown\(after)" : "`\(token.shortText)` cannot stand\(after.isEmpty ? " here" : after)")
        if tokens.first?.isWord(DeviceID.watch2.description) == true, !context.devices.contains(.watch2) {
            return context.diagnose(token.range, message, hint: "write `start second watch` first: without it there is no `watch2`")
        }
        if let remedy = LineRemedy(tokens, at: index, keys: context.keys.keys) {
            return context.diagnose(token.range, remedy.message ?? message, hint: remedy.hint)
        }
        if let meant = meant(by: token, at: index) { return context.diagnose(token.range, message, hint: meant) }
        if token.kind == .word, let near = Suggestion.nearest(to: token.text, in: candidates) {
            return context.diagnose(token.range, message, hint: "did you mean `\(near)`?")
        }
        context.diagnose(token.range, message, hint: hint(for: token))
    }

    /// What the word at that place means here, said of the device that the line speaks of.
    private func meant(by token: Token, at index: Int) -> String? {
        if token.isWord("for") || token.isWord("within"), tokens[..<index].contains(where: { $0.isWord("within") || $0.isWord("for") }) {
            return "write two lines: `expect … within 5s`, and then `expect … for 3s`"
        }
        if token.isWord("reachable"), tokens.first?.isWord("start") == true {
            return "they are, where no line says otherwise: both apps are launched, and the link is up"
        }
        guard let meant = Suggestion.meant(by: token.text) else { return nil }
        let isOfPhone = ["isPaired", "isWatchAppInstalled", "complication"].contains { meant.contains($0) }
        let device = isOfPhone ? nil : context.devices.first { device in tokens[..<index].contains { $0.isWord(device.description) } }
        return device.map { meant.replacing("`phone ", with: "`\($0) ").replacing(" phone session", with: " \($0) session") } ?? meant
    }

    private func hint(for token: Token) -> String {
        if token.kind == .word, failure.slots.contains(.value) || failure.slots.contains(.string),
            failure.slots.count + failure.words.count <= 6
        {
            return "expected \(expected()); a text is written in quotation marks: \"\(token.shortText)\""
        }
        if failure.words.isEmpty {
            switch failure.slots {
            case [.mark]: return "no line above says `mark \(token.shortText)`"
            case [.message]: return "no line above sends a message `as \(token.shortText)`"
            case [.snapshot]: return "no line above says `take snapshot as \(token.shortText)`"
            case [.backup]: return "no line above says `backup as \(token.shortText)`"
            default: break
            }
        }
        if failure.slots == [.key], context.keys.isEmpty { return "declare it with `key \(token.shortText): String`" }
        return "expected \(expected())"
    }

    /// All words that could stand at the place, also the file's own.
    private func candidateWords() -> [String] {
        var candidates = Array(failure.words)
        for slot in failure.slots {
            candidates += slot.words ?? names(of: slot)
        }
        return candidates
    }

    private func names(of slot: Slot) -> [String] {
        switch slot {
        case .key: Array(context.keys.keys)
        case .message: Array(context.messages)
        case .transfer: Array(context.transfers)
        case .snapshot: Array(context.snapshots)
        case .backup: Array(context.backups)
        case .mark: Array(context.marks)
        case .catalog: context.catalogs
        default: []
        }
    }

    private func expected() -> String {
        var parts = failure.words.sorted().map { "`\($0)`" }
        for slot in failure.slots.sorted(by: { $0.rawValue < $1.rawValue }) {
            let names = names(of: slot).sorted()
            parts.append(names.isEmpty ? slot.expectation : "\(slot.expectation) (\(Suggestion.list(names, limit: 6)))")
        }
        if failure.canEnd { parts.append("the end of the line") }
        guard parts.count <= 16 else {
            return parts.prefix(15).joined(separator: ", ") + " or \(parts.count - 15) more, see Scenarios/GRAMMAR.md"
        }
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "the end of the line" }
        return parts.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension Token {
    /// As written, cut where it is long.
    var shortText: String { text.unicodeScalars.count > 40 ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(39))) + "…" : text }
}
