import DeviceSimCore

/// What is wrong with the facts that a line asks of an event. One that no such event has, or that is never so, makes an expectation that
/// nothing happens hold always.
struct FactReader {
    typealias Objection = (message: String, hint: String?)

    /// `nil` where the line names none: then any event's facts will do.
    private let kind: TraceEvent.Kind?
    private let facts: [String: TraceEvent.Fact.Content]

    /// - Parameter words: The line up to its facts. The last event that it names is the one that has them.
    init(of words: ArraySlice<Token>) {
        kind = words.lazy.compactMap { TraceEvent.Kind(rawValue: $0.text) }.last
        facts = kind?.facts ?? [:]
    }

    /// Whether an event has several of it.
    func isList(_ name: String) -> Bool { if case .list? = facts[name] { true } else { false } }

    func objection(toName name: String) -> Objection? {
        guard let kind else {
            guard !TraceEvent.Fact.names.contains(name) else { return nil }
            let near = Suggestion.nearest(to: name, in: TraceEvent.Fact.names)
            return (
                "no event has a fact `\(name)`", near.map { "did you mean `\($0)`?" } ?? "Scenarios/TRACES.md lists the facts of each event"
            )
        }
        guard facts[name] == nil else { return nil }
        return ("no `\(kind.rawValue)` has a fact `\(name)`", remedy(for: name, of: kind))
    }

    private func remedy(for name: String, of kind: TraceEvent.Kind) -> String {
        let names = facts.keys.sorted()
        guard !names.isEmpty else { return "`\(kind.rawValue)` has no facts: leave out `with`" }
        let list = "`\(kind.rawValue)` has the \(names.count == 1 ? "fact" : "facts") \(Suggestion.list(names, limit: 16, last: "and"))"
        // What a fact may be is taken for its name.
        if let fact = names.first(where: { facts[$0]?.words?.contains(name) == true }) { return list + ": write `\(fact) \"\(name)\"`" }
        return list + (Suggestion.nearest(to: name, in: names).map { ": did you mean `\($0)`?" } ?? "")
    }

    func objection(to value: ScenarioValue, as name: String) -> Objection? {
        switch (value, facts[name]) {
        case (.integer, .number?), (.bool, .flag?), (.bool, .flagOrWord?): return nil
        case (.string(let text), .word(let words)?), (.string(let text), .flagOrWord(let words)?):
            return words.contains(text) ? nil : objection(to: text, as: name, words: words)
        // An app's own errors have names of their own.
        case (.string(let text), .text?): return name == "error" ? misspelling(of: text) : name == "from" ? misspelledDevice(text) : nil
        case (.string, .list?): return nil
        case (.integer, nil), (.bool, nil), (.string, nil): return nil
        case (_, .number?): return ("the fact `\(name)` is a whole number", "such as `\(name) 3`")
        case (_, .flag?): return ("the fact `\(name)` is `true` or `false`", "such as `\(name) true`")
        case (_, .flagOrWord?):
            return ("the fact `\(name)` is `true`, `false` or a text in quotation marks", "such as `\(example(of: name))`")
        case (_, .list?), (_, .text?), (_, .word?):
            return ("the fact `\(name)` is a text", "write it in quotation marks, such as `\(example(of: name))`")
        case (_, nil): return ("a fact is a text, a whole number, `true` or `false`", nil)
        }
    }

    private func objection(to text: String, as name: String, words: [String]) -> Objection {
        if name == "error", let misspelling = misspelling(of: text) { return misspelling }
        let flags = if case .flagOrWord? = facts[name] { "`true`, `false`, " } else { "" }
        let near = Suggestion.nearest(to: text, in: words).map { "did you mean \"\($0)\"?" }
        let shown = words.count <= 12 ? words : Array(words.prefix(8))
        let list = shown.map { "\"\($0)\"" }.joined(separator: ", ") + (words.count > shown.count ? " …" : "")
        return ("the fact `\(name)` of `\(kind?.rawValue ?? "")` is never \"\(text)\"", near ?? "it is one of \(flags)\(list)")
    }

    /// A counterpart that lies may call itself anything, and nobody gives it nearly the name of a device.
    private func misspelledDevice(_ text: String) -> Objection? {
        let names = DeviceID.all.map(\.description)
        guard !names.contains(text), let near = Suggestion.nearest(to: text, in: names) else { return nil }
        return ("there is no device \"\(text)\"", "did you mean \"\(near)\"?")
    }

    private func misspelling(of text: String) -> Objection? {
        let names = ScenarioErrorName.allCases.map(\.name)
        guard !names.contains(text), let near = Suggestion.nearest(to: text, in: names) else { return nil }
        return ("there is no error \"\(text)\"", "did you mean \"\(near)\"?")
    }

    /// The fact with a value that it may have.
    func example(of name: String) -> String {
        switch facts[name] {
        case .number?: "\(name) 3"
        case .flag?: "\(name) true"
        case .word(let words)?, .flagOrWord(let words)?: "\(name) \"\(words.first ?? "")\""
        case .text?, .list?, nil: "\(name) \"x\""
        }
    }
}
