/// The scenarios that a command line selects, and what came up on the way to them.
struct Selection {
    /// The files that have something selected, and those with problems, with all their problems.
    private(set) var files: [SelectedFile] = []
    /// Paths that could not be followed, each as a sentence.
    private(set) var troubles: [String] = []
    private(set) var fileCount = 0
    /// How many of the files were read, which are fewer where somebody asked to stop.
    private(set) var readCount = 0
    /// How many runs the files hold, selected or not.
    private(set) var knownCount = 0
    private var knownTags: Set<String> = []
    private let command: ParsedCommand
    /// The scenarios that failed last, each with the seeds and the orders that it failed under, where only these are wanted.
    let failures: [String: Set<RunVariation?>]?
    /// Said where what fails cannot be kept for the next time.
    private let unkept: String

    init(_ command: ParsedCommand, host: Host, engine: ScenarioEngine) {
        self.command = command
        failures = command.has(.failed) ? LastFailures(host).failures : nil
        let obstacle = failures?.isEmpty == true ? LastFailures(host).obstacle : nil
        unkept = obstacle.map { SafeText.line("; what fails cannot be kept in \($0.path): \($0.reason)") } ?? ""
        var finder = ScenarioFinder(files: host.files)
        let known = Self.files(of: failures?.keys.sorted() ?? [], files: host.files)
        // Where nothing failed there is nothing to look for.
        if failures?.isEmpty != true || !command.operands.isEmpty { finder.search(command.operands.isEmpty ? known : command.operands) }
        troubles = finder.troubles
        fileCount = finder.found.count
        for (path, identity) in zip(finder.found, finder.identities) {
            guard !host.interruption.isRequested else { break }
            let file = engine.load(path)
            readCount += 1
            knownCount += file.scenarios.count
            for scenario in file.scenarios {
                knownTags.formUnion(scenario.header.tags)
            }
            // Nobody knows what a broken file would have been, so only its path can leave it out.
            let problems = matchesFilter(path) && failures?.keys.contains(path) != false ? file.problems : []
            let picked = Self.picked(finder.picks[path], of: file, by: engine, into: &troubles)
            let scenarios = picked.filter(isSelected)
            guard !problems.isEmpty || !scenarios.isEmpty else { continue }
            files.append(SelectedFile(path: path, identity: identity, scenarios: scenarios, problems: problems))
        }
    }

    /// The files that have the scenarios of those names, as far as they are there. None: what is run by default.
    private static func files(of names: some Sequence<String>, files: any FileAccess) -> [String] {
        Set(names.map { ScenarioOperand($0).path }).sorted().filter { path in
            if case .file? = try? files.kind(of: path) { true } else { false }
        }
    }

    /// The rows and lines that were named of a file, in its order.
    private static func picked(
        _ operands: [ScenarioOperand]?, of file: LoadedFile, by engine: ScenarioEngine, into troubles: inout [String]
    ) -> [Scenario] {
        guard let operands, file.problems.isEmpty else { return file.scenarios }
        var names: Set<String> = []
        for operand in operands {
            if let objection = operand.objection(to: engine) {
                troubles.append(objection)
                continue
            }
            let selected = operand.select(file.scenarios)
            if selected.isEmpty, let row = operand.row {
                let count = file.scenarios.first?.row == nil ? "no table of examples" : Plural.of(file.scenarios.count, "row")
                troubles.append("\(SafeText.line(file.path)) has \(count), and no row \(row)")
            }
            names.formUnion(selected.map(\.name))
        }
        return file.scenarios.filter { names.contains($0.name) }
    }

    var scenarios: [Scenario] { files.flatMap(\.scenarios) }
    var broken: [SelectedFile] { files.filter { !$0.problems.isEmpty } }

    private func isSelected(_ scenario: Scenario) -> Bool {
        if let failures, !failures.keys.contains(scenario.name) { return false }
        let tags = Set(scenario.header.tags.map { $0.lowercased() })
        let wanted = command.texts(.tag).map { $0.lowercased() }
        guard wanted.isEmpty || wanted.contains(where: tags.contains) else { return false }
        guard !command.texts(.skipTag).contains(where: { tags.contains($0.lowercased()) }) else { return false }
        return matchesFilter(scenario.name) || matchesFilter(scenario.header.title)
    }

    private func matchesFilter(_ text: String) -> Bool {
        guard let filter = command.text(.filter) else { return true }
        return text.lowercased().contains(filter.lowercased())
    }

    /// Why there is nothing to do.
    var emptyMessage: String {
        if let failures, failures.isEmpty { return "nothing selected: no scenario failed when it was last run from here" + unkept }
        guard knownCount > 0 else {
            let places = command.operands.isEmpty ? [ScenarioFinder.defaultFolder] : command.operands
            return "nothing selected: no \(ScenarioFinder.suffix) file in \(SafeText.line(places.joined(separator: ", ")))"
        }
        var message = "nothing selected: none of \(Plural.of(knownCount, "scenario")) matches "
        let options: [OptionName] = [.filter, .tag, .skipTag]
        message += options.flatMap { name in command.texts(name).map { "--\(name.rawValue) \(ShellWord.quoted($0))" } }.joined(
            separator: " ")
        if failures != nil { message += message.hasSuffix(" ") ? "--failed" : " --failed" }
        for tag in command.texts(.tag) where !knownTags.contains(where: { $0.lowercased() == tag.lowercased() }) {
            if let meant = Suggestion.closest(to: tag, among: knownTags.sorted()) {
                message += "; did you mean --tag \(meant)?"
            } else if !knownTags.isEmpty {
                message += "; the tags are \(knownTags.sorted().joined(separator: ", "))"
            }
        }
        return SafeText.line(message)
    }
}

/// A scenario file with what the command line selects of it.
struct SelectedFile: Sendable {
    let path: String
    /// The same on every machine that is given the same command; see ``ScenarioFinder/identities``.
    let identity: String
    var scenarios: [Scenario] = []
    /// None, or all that is wrong with the file, which then has no scenarios.
    var problems: [FileProblem] = []
}
