import DeviceSimCore

/// A line that a form fits: the words and slots that were found in it, in order.
struct Match {
    let tokens: [Token]
    /// The words of the pattern that stand in the line, in order.
    let words: [String]
    let captures: [Capture]
    let context: LineContext

    func has(_ word: String) -> Bool { words.contains(word) }

    /// The whole line.
    var range: SourceRange {
        guard let first = tokens.first, let last = tokens.last else { return SourceRange(path: "", line: 0, column: 0, length: 1) }
        return first.range.through(last.range)
    }

    func diagnose(_ range: SourceRange, _ message: String, hint: String? = nil) {
        context.diagnose(range, message, hint: hint)
    }

    func capture(_ slot: Slot, _ index: Int = 0) -> Capture? {
        captures.lazy.filter { $0.slot == slot }.dropFirst(index).first
    }

    // MARK: Contents

    var device: DeviceID? { capture(.device).flatMap { DeviceID(scenarioName: word($0)) } }
    var watch: DeviceID? { capture(.watch).flatMap { DeviceID(scenarioName: word($0)) } }

    func key(_ index: Int = 0) -> KeyReference? {
        guard case .key(let reference, _)? = capture(.key, index)?.content else { return nil }
        return reference
    }

    func word(_ slot: Slot, _ index: Int = 0) -> String? { capture(slot, index).map(word) }

    func count(_ slot: Slot = .count) -> Int? {
        guard case .number(let number)? = capture(slot)?.content else { return nil }
        return number
    }

    var seed: UInt64? {
        guard case .seed(let seed)? = capture(.seed)?.content else { return nil }
        return seed
    }

    func time(_ index: Int = 0) -> VirtualDuration? {
        guard case .time(let time)? = capture(.time, index)?.content else { return nil }
        return time
    }

    func string(_ index: Int = 0) -> String? {
        guard case .string(let text)? = capture(.string, index)?.content else { return nil }
        return text
    }

    func version() -> AppVersion? {
        guard case .version(let version)? = capture(.version)?.content else { return nil }
        return version
    }

    func value(_ slot: Slot = .value, _ index: Int = 0) -> ScenarioValue? {
        guard case .value(let value)? = capture(slot, index)?.content else { return nil }
        return value
    }

    var facts: [EventPattern.Fact] {
        guard case .facts(let facts)? = capture(.facts)?.content else { return [] }
        return facts
    }

    func tokens(of slot: Slot) -> [Token]? {
        guard case .tokens(let tokens)? = capture(slot)?.content else { return nil }
        return tokens
    }

    func token(_ slot: Slot) -> Token? {
        // Words that a variable stands for have one range in common.
        capture(slot).flatMap { capture in
            tokens.first { token in
                switch capture.content {
                case .word(let word) where token.text != word: false
                case .string(let text) where token.kind != .string(text): false
                default: token.range == capture.range
                }
            }
        }
    }

    private func word(_ capture: Capture) -> String {
        guard case .word(let word) = capture.content else { return "" }
        return word
    }

    // MARK: What is common to many lines

    /// The name that the line gives to something. One that another line above gave is reported: later lines could not say which of the two they mean.
    /// - Parameter kind: What is named, such as `message`.
    func newName(of kind: String, in names: ReferenceWritableKeyPath<LineContext, Set<String>>) -> String? {
        guard let name = word(.name), let capture = capture(.name) else { return nil }
        if !context[keyPath: names].insert(name).inserted {
            diagnose(capture.range, "there is a \(kind) `\(name)` already", hint: "give each \(kind) a name of its own")
        }
        return name
    }

    /// The value of the line, as the type of the line's key has it. A value of another type is reported.
    func typedValue(_ index: Int = 0) -> ScenarioValue? {
        guard case .key(let reference, let type)? = capture(.key)?.content, let capture = capture(.value, index),
            case .value(let value) = capture.content
        else { return nil }
        switch type.check(value) {
        case .success(let value): return value
        case .failure(let mismatch):
            let isWithoutValue = value == .null
            let place = mismatch.path.isEmpty ? "" : " at \(mismatch.path)"
            diagnose(
                capture.range, "`\(reference.identifier)` is of the type \(type), and this has \(mismatch.found)\(place)",
                hint: isWithoutValue ? hintOfAbsence(of: reference) : mismatch.hint)
            return nil
        }
    }

    /// What to write instead of `null` for a key of another type: there is no such value, and a key may have none.
    private func hintOfAbsence(of key: KeyReference) -> String {
        guard word(.expect) == nil else { return "a key without a value is `missing`, such as `expect phone theme missing`" }
        let device = (device?.description ?? "phone") + (has("widget") ? " widget" : "")
        return "a value is taken away by `\(device) remove \(key.identifier)`"
    }

    /// A path in the app's container.
    func pathInContainer() -> String? {
        guard let path = string(), let capture = capture(.string) else { return nil }
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.isEmpty, !path.hasPrefix("/"), !names.contains("..") else {
            diagnose(
                capture.range, "the path is relative to the app's container", hint: "such as \"Documents/notes\" or \"Library/Caches/x\"")
            return nil
        }
        // Another spelling would be taken for another file.
        guard !names.contains("."), !names.contains("") else {
            let plain = names.filter { !$0.isEmpty && $0 != "." }.joined(separator: "/")
            diagnose(
                capture.range, names.last == "" ? "a path that ends with `/` is no file's" : "a path has no empty name and no `.` in it",
                hint: plain.isEmpty ? "such as \"Documents/notes\" or \"Library/Caches/x\"" : "write \(ScenarioValue.quoted(plain))")
            return nil
        }
        return path
    }

    /// What stands for names that are made at run time.
    func placeholder() -> String? {
        guard let text = string(), let capture = capture(.string) else { return nil }
        guard let begin = text.firstIndex(of: "<"), text[begin...].contains(">") else {
            diagnose(capture.range, "nothing in it stands for what varies", hint: "a part in angle brackets does, such as \"draft_<id>\"")
            return nil
        }
        return text
    }

    var outcome: StepOutcome {
        if has("crashes") { return count().map { .crashes(atOperation: $0) } ?? .crashesAtEveryOperation }
        if has("loses") { return count().map { .losesPower(atOperation: $0) } ?? .losesPowerAtEveryOperation }
        if has("cancelled") { return count().map { .isCancelled(atOperation: $0) } ?? .isCancelledAtEveryOperation }
        if let error = error { return .fails(error) }
        return .succeeds
    }

    var error: ScenarioErrorName? { word(.error).flatMap { ScenarioErrorName(name: $0) } }

    var since: String? { word(.mark) }

    /// From `within` and `for`, and from the `never` at the head; `nil` if they do not go together, which is reported.
    func timing() -> Expectation.Timing? {
        let isNever = word(.expect) == "never"
        guard let time = time() else {
            guard isNever else { return .now }
            diagnose(tokens[0].range, "`never` without a time", hint: "write until when: `never … for 5s`")
            return nil
        }
        if has("within") {
            guard isNever else { return .within(time) }
            diagnose(capture(.time)?.range ?? range, "`never` does not go with `within`", hint: "write `never … for \(time)`")
            return nil
        }
        return isNever ? .never(time) : .throughout(time)
    }

    var times: Expectation.CountCondition? {
        guard let count = count(.number) else { return nil }
        if has("least") {
            guard count == 0 else { return .atLeast(count) }
            diagnose(capture(.number)?.range ?? range, "at least 0 times it always is", hint: "write `0 times`, or `at least 1 time`")
            return nil
        }
        if has("most") { return .atMost(count) }
        return .exactly(count)
    }
}

extension DeviceID {
    package init?(scenarioName: String) {
        switch scenarioName {
        case "phone": self = .phone
        case "watch": self = .watch
        case "watch2": self = .watch2
        default: return nil
        }
    }
}
