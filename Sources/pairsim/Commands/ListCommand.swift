import DeviceSim

/// `pairsim list`: what there is.
///
/// With `--json` an array of objects, one for each run, in the order of the files: `name`, `path`, `title`, `tags`, `rules`, `canary`
/// (a status or `null`), `row` (of the table of examples, as written, or `null`), `keys` and `steps` (counts), `seed` (of the file, or `null`). With `--rules` as well, an object of lists of
/// names by rule.
struct ListCommand {
    let command: ParsedCommand
    let host: Host
    let engine: ScenarioEngine

    func run() -> ExitStatus {
        let console = Console(host: host, colour: command.text(.color))
        let selection = Selection(command, host: host, engine: engine)
        var statuses: Set<ExitStatus> = []
        for trouble in selection.troubles {
            console.complain(trouble)
            statuses.insert(.cannotRun)
        }
        // What does not parse is another command's business; here it only must not go missing silently.
        for file in selection.broken {
            let status = file.problems.contains { $0.kind == .access } ? ExitStatus.cannotRun : .unparsable
            statuses.insert(status)
            let path = ShellWord.quoted(file.path)
            console.complain(SafeText.line("\(file.path) is left out: \(status.phrase); see pairsim check \(path)"))
        }
        guard !selection.scenarios.isEmpty else {
            if command.has(.json) { console.emit(command.has(.rules) ? "{}\n" : "[]\n") }
            guard statuses.isEmpty else { return ExitStatus.foremost(statuses) }
            console.complain(selection.emptyMessage)
            return .nothingSelected
        }
        switch (command.has(.rules), command.has(.json)) {
        case (false, false): listScenarios(selection.scenarios, on: console)
        case (true, false): listRules(selection.scenarios, on: console)
        case (false, true): console.emit(JSONValue.list(selection.scenarios.map(json)).rendered())
        case (true, true): console.emit(JSONValue.object(coverage(selection.scenarios).mapValues { .texts($0) }).rendered())
        }
        if host.interruption.isRequested { statuses.insert(.interrupted) }
        return ExitStatus.foremost(statuses)
    }

    // MARK: For people

    /// A paragraph for each folder, and for each scenario two lines: its name with tags and rules, and its title.
    private func listScenarios(_ scenarios: [Scenario], on console: Console) {
        var shownFolder: String?
        var shownPath: String?
        for scenario in scenarios {
            let folder = Self.folder(of: scenario.path)
            if folder != shownFolder {
                if shownFolder != nil { console.print() }
                console.print(console.style.paint(SafeText.line(folder), .bold))
                shownFolder = folder
            }
            let start = folder == "." ? 0 : folder.count + 1
            var marks: [String] = []
            if let canary = scenario.header.canary { marks.append("canary \(canary)") }
            marks += scenario.header.tags.map { "#\($0)" } + scenario.header.rules
            let name = SafeText.line(String(scenario.name.dropFirst(start)))
            // The rows of one table say the same of themselves; only what differs is worth repeating.
            if scenario.path == shownPath { marks = [] }
            if let row = scenario.row { marks.append(row) }
            console.print(
                "  " + name + (marks.isEmpty ? "" : "  " + console.style.paint(SafeText.line(marks.joined(separator: " ")), .dim)))
            if !scenario.header.title.isEmpty, scenario.path != shownPath { console.print("      " + SafeText.line(scenario.header.title)) }
            shownPath = scenario.path
        }
        console.print()
        console.print(summary(scenarios))
    }

    private func summary(_ scenarios: [Scenario]) -> String {
        let folders = Set(scenarios.map { Self.folder(of: $0.path) }).count
        let canaries = scenarios.count { $0.header.canary != nil }
        let rules = Set(scenarios.flatMap(\.header.rules)).count
        var text = "\(Plural.of(scenarios.count, "scenario")) in \(Plural.of(folders, "folder")), covering \(Plural.of(rules, "rule"))"
        if canaries > 0 { text += "; \(canaries == 1 ? "1 is a canary" : "\(canaries) are canaries") that must fail" }
        return text
    }

    private func listRules(_ scenarios: [Scenario], on console: Console) {
        let coverage = coverage(scenarios)
        let width = coverage.keys.map(\.count).max() ?? 0
        for rule in coverage.keys.sorted(by: Self.isBefore) {
            for (index, name) in (coverage[rule] ?? []).enumerated() {
                let head = index == 0 ? rule : ""
                console.print(SafeText.line(head + String(repeating: " ", count: width - head.count + 2) + name))
            }
        }
        console.print()
        console.print(summary(scenarios))
    }

    // MARK: For programs

    private func json(_ scenario: Scenario) -> JSONValue {
        .object([
            "name": .text(scenario.name),
            "path": .text(scenario.path),
            "title": .text(scenario.header.title),
            "tags": .texts(scenario.header.tags),
            "rules": .texts(scenario.header.rules),
            "canary": .optional(scenario.header.canary),
            "keys": .number(Int64(scenario.keys.count)),
            "steps": .number(Int64(scenario.steps.count)),
            "row": .optional(scenario.row),
            "seed": scenario.seed.map { .unsigned($0) } ?? .null,
        ])
    }

    private func coverage(_ scenarios: [Scenario]) -> [String: [String]] {
        var coverage: [String: [String]] = [:]
        for scenario in scenarios {
            for rule in scenario.header.rules where coverage[rule]?.last != scenario.name {
                coverage[rule, default: []].append(scenario.name)
            }
        }
        return coverage
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
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
