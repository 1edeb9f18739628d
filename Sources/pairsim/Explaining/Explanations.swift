import LocalData
import WatchConnectivity

/// Everything that can be explained, and how it is found.
enum Explanations {
    /// All that the words can mean, what is nearest to them first; empty where nobody knows them.
    /// - Parameter query: One word, several words of a line, or a whole line of a scenario.
    static func find(_ query: String) -> [Explanation] {
        let query = query.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !query.isEmpty, query.utf8.count <= 1_000 else { return [] }
        // What stands in a list has least to say of itself.
        let found = (byName[query] ?? []) + lines(of: query) + (wordsOfLists[query] ?? [])
        return found.isEmpty ? byName[query.lowercased()] ?? byName[query.uppercased()] ?? [] : found
    }

    /// The word that was probably meant.
    static func suggestion(for query: String) -> String? {
        Suggestion.closest(
            to: query, among: Set(byName.keys).union(wordsOfLists.keys).union(Vocabulary.forms.flatMap(\.fixedWords)).sorted())
    }

    /// What a line of a scenario is of, by its words; `nil` where no form begins so.
    static func line(_ line: String) -> Explanation? {
        let words = LineWords.split(line)
        let scored = Vocabulary.forms.map { (form: $0, score: $0.agreement(with: words)) }.filter { $0.score > 1 }
        return scored.max { $0.score < $1.score }.map { Explanation($0.form) }
    }

    /// Everything by its name, for completions and tests.
    static let all: [Explanation] =
        Vocabulary.forms.map(Explanation.init) + Slot.allCases.map(Explanation.init)
        + Pattern.groups.map { Explanation(kind: .group, name: $0.name, meaning: $0.help, details: [.init("form", $0.pattern)]) }
        + SpecialNotation.allCases.map {
            Explanation(kind: .notation, name: $0.rawValue, meaning: $0.help, details: [.init("example", $0.example)])
        }
        + ScenarioErrorName.allCases.map(Explanation.init) + TraceEvent.Kind.allCases.map(Explanation.init)
        + Knobs.table.map(Explanation.init)
        + SessionRule.table.map(Explanation.init) + KnownTrouble.table.map(Explanation.init) + NamedApp.table.map(Explanation.init)
        + Invariant.allCases.map {
            Explanation(kind: .promise, name: $0.rawValue, meaning: $0.sentence, details: [.init("checked by", "pairsim explore")])
        }
        + ExitStatus.allCases.map { Explanation(kind: .status, name: "\($0.rawValue)", meaning: $0.meaning) }
        + ownWords + CommandTable.commands.map(Explanation.init)
        + CommandTable.commands.flatMap { spec in (spec.options).map { Explanation($0, of: spec) } }
        + CommandTable.common.map { Explanation($0, of: nil) }

    /// What people ask for that no table has: each with its meaning and an example.
    private static let ownWords: [Explanation] =
        [
            (
                "secret",
                "a key that lies in the keychain, or whose `security` is not `none`: without a line `security` values are sealed. Reports and terminals show `(secret 1)` in place of its values; equal ones have equal numbers. `security none` says that a key is none",
                "security  none"
            ),
            (
                "wrongSide",
                "code used a member of `WCSession` that the other device's system has: on Apple's it would not compile. What the call got says nothing, and the trace has a `session.misuse`",
                "expect no event session.misuse"
            ),
            (
                "Tags", "a field of the comment at the head of a file: words that `--tag` and `--skip-tag` select by",
                "# Tags: sync relaunch"
            ),
            ("Rules", "a field of the comment at the head of a file: the rules and troubles that the scenario is about", "# Rules: W41 P5"),
            (
                "Canary",
                "a field of the comment at the head of a file: the scenario must fail with this exit status at its last step, or it counts as failed",
                "# Canary: 1"
            ),
            (
                "pairsim.conf",
                "a file with a project's defaults: paths, and options without their dashes, each as NAME = VALUE. The nearest one above the current folder counts",
                "paths = Scenarios"
            ),
        ].map { name, meaning, example in Explanation(kind: .word, name: name, meaning: meaning, details: [.init("example", example)]) }
        + Suggestion.notSimulated.flatMap { topic in
            topic.words.map { Explanation(kind: .word, name: $0, meaning: topic.meaning, details: [.init("example", topic.example)]) }
        }

    private static let byName: [String: [Explanation]] = {
        var table: [String: [Explanation]] = [:]
        let lines: Set<Explanation.Kind> = [.step, .expectation, .attribute, .structure, .start]
        for explanation in all where !lines.contains(explanation.kind) {
            table[explanation.name, default: []].append(explanation)
            // `seed` for `--seed`, and an error also by its number.
            if explanation.kind == .option { table[String(explanation.name.dropFirst(2)), default: []].append(explanation) }
            if explanation.kind == .error, let code = explanation.details.first(where: { $0.name == "number" }) {
                table[code.text, default: []].append(explanation)
            }
        }
        return table
    }()

    /// The words that may stand in a slot and have no table of their own.
    private static let wordsOfLists: [String: [Explanation]] = {
        var table: [String: [Explanation]] = [:]
        for slot in Slot.allCases where ![.error, .event, .knob, .app].contains(slot) {
            for word in slot.words ?? [] {
                table[word, default: []].append(
                    Explanation(kind: .word, name: word, meaning: "may stand for \(slot.rawValue): \(slot.help)"))
            }
        }
        return table
    }()

    /// The forms of lines that have the words, those that begin with them first.
    private static func lines(of query: String) -> [Explanation] {
        let words = LineWords.split(query)
        guard !words.isEmpty else { return [] }
        let begin = Vocabulary.forms.filter { form in
            form.fixedWords.starts(with: words) || form.fixedWords.first == words.last && form.hasInOrder(words)
        }
        let has = Vocabulary.forms.filter { form in form.hasInOrder(words) && !Set(form.fixedWords).isDisjoint(with: words) }
        let all = (begin + has.filter { form in !begin.contains { $0.pattern.text == form.pattern.text } }).map(Explanation.init)
        if !all.isEmpty { return words.count == 1 && begin.count > 0 ? begin.map(Explanation.init) : all }
        return words.count > 1 ? line(query).map { [$0] } ?? [] : []
    }
}

extension Explanation {
    init(_ form: Form) {
        let kind: Kind =
            switch form.topic {
            case .structure: .structure
            case .attribute: .attribute
            case .start: .start
            case .expect, .event: .expectation
            case .device, .link, .session, .transfer, .data, .fault, .time: .step
            }
        var details = [Detail("example", form.example), Detail("topic", form.topic.rawValue)]
        details += form.slots.filter { $0.words != nil && $0 != .device && $0 != .expect }.map { slot in
            let words = slot.words ?? []
            let shown = words.count > 12 ? words.prefix(12).joined(separator: " ") + " …" : words.joined(separator: " ")
            return Detail(slot.rawValue, shown)
        }
        self.init(kind: kind, name: form.pattern.text, meaning: form.help, details: details)
    }

    init(_ slot: Slot) {
        self.init(
            kind: .slot, name: slot.rawValue, meaning: slot.help,
            details: slot.words.map { [Detail("words", $0.joined(separator: " "))] } ?? [])
    }

    init(_ error: ScenarioErrorName) {
        switch error {
        case .storage(let code):
            let full = StorageError(code, operation: "").description.drop { $0 == ":" || $0 == " " }
            let remedy = StorageError(code).recoverySuggestion ?? ""
            let meaning = full.hasSuffix(remedy) ? full.dropLast(remedy.count) : full
            self.init(
                kind: .error, name: error.name, meaning: Self.withoutStop(String(meaning)),
                details: [Detail("type", "StorageError, of LocalData"), Detail("remedy", remedy)])
        case .migration(let name):
            self.init(kind: .error, name: error.name, meaning: name.meaning, details: [Detail("type", "MigrationError, of LocalData")])
        case .session(let code):
            self.init(
                kind: .error, name: error.name, meaning: Self.withoutStop(WCError(code).localizedDescription),
                details: [Detail("type", "WCError, of the session"), Detail("number", "\(code.rawValue)")])
        }
    }

    init(_ event: TraceEvent.Kind) {
        self.init(
            kind: .event, name: event.rawValue, meaning: event.meaning,
            details: [Detail("example", "expect event \(event.rawValue) at least 1 time")]
                + (event.facts.isEmpty ? [] : [Detail("facts", event.facts.keys.sorted().joined(separator: " "))]))
    }

    init(_ knob: Knobs.Descriptor) {
        let standard = Knobs()
        var details = [
            Detail("default", "\(standard[knob])"), Detail("range", knob.range), Detail("example", "knob \(knob.name) \(standard[knob])"),
        ]
        if let rule = knob.rule { details.append(Detail("rule", rule)) }
        self.init(kind: .knob, name: knob.name, meaning: knob.meaning, details: details)
    }

    init(_ rule: SessionRule) {
        let standard = Knobs()
        self.init(
            kind: .rule, name: rule.name, meaning: Self.withoutStop(rule.sentence),
            details: [Detail("here", rule.standing.word + (rule.standing.remark.map { ": \($0)" } ?? ""))]
                + rule.citations.map { Detail("known", $0) } + rule.knobs.map { Detail("knob", "\($0.name), \(standard[$0]) by default") }
                + (rule.tests.isEmpty ? [] : [Detail("tests", rule.tests.joined(separator: ", "))]))
    }

    init(_ trouble: KnownTrouble) {
        self.init(
            kind: .trouble, name: trouble.name, meaning: Self.withoutStop(trouble.sentence),
            details: [Detail("scenarios", "Scenarios/troubles/\(trouble.folder)")] + trouble.sources.map { Detail("published", $0) })
    }

    init(_ app: NamedApp) {
        self.init(kind: .app, name: app.name, meaning: app.summary, details: [Detail("example", "start devices with app \(app.name)")])
    }

    init(_ command: CommandSpec) {
        self.init(
            kind: .command, name: command.name.rawValue, meaning: command.summary,
            details: command.examples.map { Detail("example", $0.line) } + [Detail("more", "pairsim \(command.name.rawValue) --help")])
    }

    init(_ option: OptionSpec, of command: CommandSpec?) {
        self.init(
            kind: .option, name: option.flag, meaning: option.help,
            details: [Detail("of", command.map { "pairsim \($0.name.rawValue)" } ?? "every command")])
    }

    private static func withoutStop(_ text: String) -> String {
        let text = text.hasSuffix(" ") ? String(text.dropLast()) : text
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}

extension ScenarioErrorName.MigrationErrorName {
    fileprivate var meaning: String {
        switch self {
        case .deferred: "the migration is not possible for now"
        case .verificationFailed: "what the migration wrote did not read back"
        case .transformFailed: "the old value does not convert"
        case .conflictingSources: "the sources of the migration contradict each other"
        }
    }
}
