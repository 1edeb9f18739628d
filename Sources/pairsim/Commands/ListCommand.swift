/// `pairsim list`: what there is.
///
/// With `--json` the result is an array of objects, one for each run, in the order of the files: `name`, `path`, `title`, `tags`, `rules`, `canary`
/// (a status or `null`), `row` (of the table of examples, as written, or `null`), `keys` and `steps` (counts), `seed` (of the file, or `null`). For
/// `--rules` and `--troubles` see ``RuleListing``.
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
            console.answer(command.has(.rules) || command.has(.troubles) ? .object([:]) : .list([]))
            guard statuses.isEmpty else { return ExitStatus.foremost(statuses) }
            console.complain(selection.emptyMessage)
            return .nothingSelected
        }
        if command.has(.rules) || command.has(.troubles) {
            list(RuleListing(selection.scenarios, style: console.style), on: console)
            if !command.has(.json) { console.print(summary(selection.scenarios)) }
        } else if command.has(.json) {
            console.answer(.list(selection.scenarios.map(json)))
        } else {
            listScenarios(selection.scenarios, on: console)
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

    private func list(_ listing: RuleListing, on console: Console) {
        if command.has(.json) {
            let rules = command.has(.rules) ? listing.rulesJSON : [:]
            let troubles = command.has(.troubles) ? listing.troublesJSON : [:]
            return console.answer(.object(rules.merging(troubles) { first, _ in first }))
        }
        let lines = (command.has(.rules) ? listing.rules : []) + (command.has(.troubles) ? listing.troubles : [])
        for line in lines { console.print(line) }
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

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
