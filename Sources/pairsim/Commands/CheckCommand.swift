/// `pairsim check`: parses and validates, runs nothing.
struct CheckCommand {
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
        guard selection.fileCount > 0 else {
            guard statuses.isEmpty else { return .cannotRun }
            console.complain(selection.emptyMessage)
            return .nothingSelected
        }
        statuses.formUnion(
            ProblemText.show(
                selection.broken.map(\.problems), on: console, limit: command.number(.maxErrors).map { Int($0) } ?? ProblemText.limit))
        if !command.has(.quiet) {
            console.print(summary(selection, isInterrupted: host.interruption.isRequested, style: console.style))
        }
        console.answer(
            .object([
                "files": .number(Int64(selection.fileCount)), "scenarios": .number(Int64(selection.knownCount)),
                "problems": .list(selection.broken.flatMap(\.problems).map(\.json)),
            ]))
        // Files that were not read may have problems.
        if host.interruption.isRequested { statuses.insert(.interrupted) }
        return ExitStatus.foremost(statuses)
    }

    private func summary(_ selection: Selection, isInterrupted: Bool, style: Style) -> String {
        guard !isInterrupted else {
            let problems = Plural.of(selection.broken.reduce(0) { $0 + $1.problems.count }, "problem")
            let part = "\(selection.readCount) of \(Plural.of(selection.fileCount, "file"))"
            return style.paint("interrupted: \(part) checked, \(problems) in \(selection.broken.count) of them", .boldRed)
        }
        let files = Plural.of(selection.fileCount, "file")
        guard !selection.broken.isEmpty else {
            return style.paint("\(files) checked, \(Plural.of(selection.knownCount, "scenario")), no problems", .green)
        }
        let problems = selection.broken.reduce(0) { $0 + $1.problems.count }
        return "\n" + style.paint("\(files) checked, \(Plural.of(problems, "problem")) in \(selection.broken.count) of them", .boldRed)
    }
}
