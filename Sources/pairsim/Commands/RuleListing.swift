/// The rules and troubles with what covers them: `pairsim list --rules` and `--troubles`.
///
/// As JSON an object by name. A rule has `sentence`, `standing` (`simulated`, `simplified` or `left out`), `remark` (how, or why, or `null`), `evidence`
/// (a list: what kinds of it there are), `sources` (a list of objects: `kind`, `source` by its title or `null`, `says` or `null`), `knobs` (their defaults by name), `scenarios` (files) and `tests` (suites); a trouble `sentence`, `published`, `scenarios`. A rule that only
/// scenarios know, of whatever kind, has `scenarios`.
struct RuleListing {
    private let style: Style
    private let scenarios: [String: [String]]

    init(_ scenarios: [Scenario], style: Style) {
        self.style = style
        var coverage: [String: [String]] = [:]
        for scenario in scenarios {
            for rule in scenario.header.rules where coverage[rule]?.last != scenario.path {
                coverage[rule, default: []].append(scenario.path)
            }
        }
        self.scenarios = coverage
    }

    // MARK: For people

    /// A paragraph for each rule, under the titles of their topics; then the rules that only the scenarios know.
    var rules: [String] {
        var lines: [String] = []
        for topic in SessionRule.topics {
            lines += [style.paint(topic.title, .bold), ""]
            for rule in topic.rules {
                lines += entry(rule.name, rule.sentence, about(rule) + covering(rule.name, tests: rule.tests))
            }
        }
        let others = scenarios.keys.filter { SessionRule(named: $0) == nil && KnownTrouble(named: $0) == nil }
        if !others.isEmpty { lines += [style.paint("Others", .bold), ""] }
        for rule in others.sorted(by: Self.isBefore) { lines += entry(rule, nil, covering(rule, tests: [])) }
        return lines
    }

    /// A paragraph for each trouble.
    var troubles: [String] {
        KnownTrouble.table.flatMap { trouble in
            entry(
                trouble.name, trouble.sentence,
                ["published: \(trouble.sources.joined(separator: ", "))"] + covering(trouble.name, tests: []))
        }
    }

    private func entry(_ name: String, _ sentence: String?, _ details: [String]) -> [String] {
        let indentation = String(repeating: " ", count: 6)
        let head = SafeText.line(name) + String(repeating: " ", count: max(2, 6 - name.count))
        let lines = (sentence.map { [$0] } ?? []) + details.map { style.paint(SafeText.line($0), .dim) }
        return lines.enumerated().map { ($0 == 0 ? head : indentation) + $1 } + [""]
    }

    private func about(_ rule: SessionRule) -> [String] {
        let standard = Knobs()
        return [rule.standing.word + (rule.standing.remark.map { ": \($0)" } ?? "")] + rule.citations
            + rule.knobs.map { "knob \($0.name), \(standard[$0]) by default" }
    }

    private func covering(_ name: String, tests: [String]) -> [String] {
        let lines = (scenarios[name] ?? []) + (tests.isEmpty ? [] : ["tests: \(tests.joined(separator: ", "))"])
        return lines.isEmpty ? ["covered by none of these scenarios"] : lines
    }

    // MARK: For programs

    var rulesJSON: [String: JSONValue] {
        let standard = Knobs()
        var json = scenarios.filter { KnownTrouble(named: $0.key) == nil }.mapValues { JSONValue.object(["scenarios": .texts($0)]) }
        for rule in SessionRule.table {
            json[rule.name] = .object([
                "sentence": .text(rule.sentence),
                "standing": .text(rule.standing.word),
                "remark": .optional(rule.standing.remark),
                "evidence": .texts(rule.kinds.map(\.phrase)),
                "sources": .list(rule.evidence.map(source)),
                "knobs": .object(
                    Dictionary(rule.knobs.map { ($0.name, .text("\(standard[$0])")) }, uniquingKeysWith: { first, _ in first })),
                "scenarios": .texts(scenarios[rule.name] ?? []),
                "tests": .texts(rule.tests),
            ])
        }
        return json
    }

    private func source(_ evidence: SessionRule.Evidence) -> JSONValue {
        .object(["kind": .text(evidence.kind.phrase), "source": .optional(evidence.source), "says": .optional(evidence.says)])
    }

    var troublesJSON: [String: JSONValue] {
        KnownTrouble.table.reduce(into: [:]) { json, trouble in
            json[trouble.name] = .object([
                "sentence": .text(trouble.sentence), "published": .texts(trouble.sources),
                "scenarios": .texts(scenarios[trouble.name] ?? []),
            ])
        }
    }

    /// W9 before W10: letters first, then by number.
    private static func isBefore(_ one: String, _ other: String) -> Bool {
        func parts(_ rule: String) -> (String, Int, String) {
            let letters = rule.prefix { !$0.isNumber }
            let digits = rule.dropFirst(letters.count).prefix { $0.isNumber }
            return (String(letters), Int(digits) ?? 0, rule)
        }
        return parts(one) < parts(other)
    }
}
