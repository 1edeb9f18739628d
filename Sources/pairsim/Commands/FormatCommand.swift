import Foundation

/// `pairsim fmt`: rewrites files in the canonical layout.
struct FormatCommand {
    let command: ParsedCommand
    let host: Host
    let engine: ScenarioEngine

    func run() -> ExitStatus {
        let console = Console(host: host, colour: command.text(.color))
        var finder = ScenarioFinder(files: host.files)
        finder.search(command.operands)
        var statuses: Set<ExitStatus> = []
        for trouble in finder.troubles {
            console.complain(trouble)
            statuses.insert(.cannotRun)
        }
        guard !finder.found.isEmpty else {
            guard statuses.isEmpty else { return .cannotRun }
            console.complain(Selection(command, host: host, engine: engine).emptyMessage)
            return .nothingSelected
        }
        var changed: [String] = []
        var written: [String] = []
        var unwritten = 0
        var hasEmitted = false
        var formatted: String?
        var problems: [[FileProblem]] = []
        for path in finder.found {
            guard !host.interruption.isRequested else {
                statuses.insert(.interrupted)
                break
            }
            switch engine.format(path) {
            case .problems(let found): problems.append(found)
            case .formatted(let old, let new) where path == "-":
                // What comes from standard input goes to standard output, as a filter has it.
                formatted = String(decoding: new, as: UTF8.self)
                if old != new { changed.append(path) }
                if command.has(.check) {
                    if old != new, !new.isEmpty { statuses.formUnion(complain(of: path, on: console)) }
                } else if !console.isForPrograms {
                    hasEmitted = true
                    console.emit(formatted ?? "")
                }
            // A file without words is left alone.
            case .formatted(let old, let new) where old == new || new.isEmpty: continue
            case .formatted(_, let new):
                let trouble = rewrite(path, as: new, on: console)
                if trouble.contains(.cannotRun) {
                    unwritten += 1
                } else {
                    changed.append(path)
                    if !command.has(.check) { written.append(path) }
                }
                statuses.formUnion(trouble)
            }
        }
        statuses.formUnion(ProblemText.show(problems, on: console))
        console.answer(
            .object([
                "files": .number(Int64(finder.found.count)), "changed": .texts(changed),
                "written": .flag(!written.isEmpty), "rewritten": .texts(written),
                "problems": .list(problems.joined().map(\.json)), "text": .optional(formatted),
            ]))
        if !command.has(.quiet), !hasEmitted {
            console.print(summary(files: finder.found.count, changed: changed.count, broken: problems.count, unwritten: unwritten))
        }
        return ExitStatus.foremost(statuses)
    }

    private func rewrite(_ path: String, as text: Data, on console: Console) -> Set<ExitStatus> {
        guard !command.has(.check) else { return complain(of: path, on: console) }
        do throws(FileError) {
            try host.files.write(text, to: path)
            if !command.has(.quiet) { console.print("rewrote \(SafeText.line(path))") }
            return []
        } catch {
            console.complain(error.text("write"))
            return [.cannotRun]
        }
    }

    private func complain(of path: String, on console: Console) -> Set<ExitStatus> {
        guard path != "-" else {
            console.print("standard input is not in the canonical layout; pairsim fmt - lays it out, and writes that to standard output")
            return [.failed]
        }
        console.print(
            "\(SafeText.line(path)) is not in the canonical layout; pairsim fmt \(SafeText.line(ShellWord.quoted(path))) rewrites it")
        console.annotate(
            GitHubAnnotation.error(
                path: path, line: nil, column: nil, title: "Not in the canonical layout",
                message: "pairsim fmt \(ShellWord.quoted(path))"))
        return [.failed]
    }

    private func summary(files: Int, changed: Int, broken: Int, unwritten: Int) -> String {
        let verb = command.has(.check) ? "to rewrite" : "rewritten"
        let text = changed == 0 ? "\(Plural.of(files, "file")), nothing \(verb)" : "\(changed) of \(Plural.of(files, "file")) \(verb)"
        let others = unwritten == 0 ? text : "\(text), \(unwritten) could not be written"
        return broken == 0 ? others : "\n\(others), \(broken) left alone because of problems"
    }
}
