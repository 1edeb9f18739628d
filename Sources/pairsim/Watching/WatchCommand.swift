import Foundation

/// `pairsim watch`: runs what changed, for as long as nobody stops it.
///
/// Looks at the files' stamps every now and then. With `--json` each round is a line: the object that every command has, with the report of `run`.
/// It writes nothing, so any number of watchers get along.
final class WatchCommand {
    private let command: ParsedCommand
    private let host: Host
    private let engine: ScenarioEngine
    private let console: Console
    private var records: [String: [RunRecord]] = [:]
    private var stamps: [String: String] = [:]
    private var runsPerScenario = 1

    /// How long between two looks at the files.
    static let interval = 0.3
    /// Failures that are shown whole; of the others only the names.
    private static let shownFailures = 3

    init(command: ParsedCommand, host: Host, engine: ScenarioEngine) {
        self.command = command
        self.host = host
        self.engine = engine
        console = Console(host: host, colour: command.text(.color))
    }

    func run() throws(UsageError) -> ExitStatus {
        guard !command.operands.contains("-") else {
            throw UsageError(
                "watch runs files whenever they change, and standard input (-) comes once; name a file or a folder", command: .watch)
        }
        var isFirst = true
        repeat {
            let (found, troubles) = look()
            if isFirst {
                for trouble in troubles { console.complain(trouble) }
                guard !found.isEmpty else {
                    if troubles.isEmpty { console.complain("nothing selected: there is no scenario to watch") }
                    return troubles.isEmpty ? .nothingSelected : .cannotRun
                }
            }
            let changed = found.filter { stamps[$0.key] != $0.value }.map(\.key).sorted()
            let gone = stamps.keys.filter { found[$0] == nil }
            stamps = found
            guard isFirst || !changed.isEmpty || !gone.isEmpty else { continue }
            for path in gone { records[path] = nil }
            // What only others include: whoever includes it is run.
            let all = found.keys.filter { !$0.hasSuffix(Self.includedSuffix) }.sorted()
            let isShared = isFirst || (changed + gone).contains { $0.hasSuffix(Self.includedSuffix) }
            try round(isShared ? all : changed, of: all.count)
            isFirst = false
        } while host.pause(Self.interval) && !host.interruption.isRequested
        host.answer?.isOver = true
        return host.interruption.isRequested ? .interrupted : status
    }

    private static let includedSuffix = ".inc"

    private var status: ExitStatus { ExitStatus.foremost(records.values.joined().map(\.status)) }

    // MARK: Files

    /// The scenario files and the files that are only included, each with a stamp that changes when the file does.
    private func look() -> (found: [String: String], troubles: [String]) {
        var finder = ScenarioFinder(files: host.files)
        finder.search(command.operands)
        var found: [String: String] = [:]
        var folders: Set<String> = []
        for path in finder.found where path != "-" {
            found[path] = host.files.stamp(of: path)
            folders.insert(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
        }
        for folder in Self.withShared(folders).sorted() {
            for name in (try? host.files.names(in: folder)) ?? [] where name.hasSuffix(Self.includedSuffix) {
                let path = folder == "." ? name : folder + "/" + name
                found[path] = host.files.stamp(of: path)
            }
        }
        return (found, finder.troubles)
    }

    /// Folders with those beside them that are called shared: what is included lies there by habit.
    private static func withShared(_ folders: Set<String>) -> Set<String> {
        let beside = folders.map { folder in (folder.lastIndex(of: "/").map { String(folder[..<$0]) + "/" } ?? "") + "shared" }
        return folders.union(beside).union(folders.map { $0 == "." ? "shared" : $0 + "/shared" })
    }

    // MARK: A round

    private func round(_ paths: [String], of count: Int) throws(UsageError) {
        let begin = host.seconds()
        var command = ParsedCommand(name: .run)
        command.operands = paths
        for name in Self.passedOn {
            for value in self.command.texts(name) {
                command.add(value, to: name, isRepeatable: CommandTable.command(.run).option(name)?.isRepeatable ?? false)
            }
        }
        if !paths.isEmpty {
            let selection = Selection(command, host: host, engine: engine)
            for path in paths { records[path] = [] }
            for file in selection.broken {
                records[file.path] = [RunRecord(of: file, number: 0)]
            }
            let plan = RunPlan(files: selection.files, settings: try RunSettings(command, cores: host.cores))
            runsPerScenario = plan.runsPerScenario
            let worker = RunWorker(
                plan: plan, engine: engine, keepsTrace: false, needsFingerprint: console.isForPrograms, seconds: host.seconds,
                sweeps: SweepBoard())
            _ = OrderedPool(count: plan.count).run(jobs: max(1, host.cores), interruption: host.interruption) {
                worker.run($0, givingUp: $1)
            } consume: { _, output in
                records[output.record.path, default: []].append(output.record)
                return true
            } waiting: {
            }
        }
        guard !host.interruption.isRequested else { return }
        show(ran: paths.count, of: count, seconds: host.seconds() - begin)
    }

    /// The options of `run` that change what is run.
    private static let passedOn: [OptionName] = [.filter, .tag, .skipTag, .seed, .seeds, .order, .orders, .stuckAfter, .crashPoints]

    /// The failures first, whenever they were found.
    private func show(ran: Int, of count: Int, seconds: Double) {
        let all = records.keys.sorted().flatMap { records[$0] ?? [] }
        var summary = RunSummary()
        var faults = FaultTally(runsPerScenario: runsPerScenario)
        for record in all {
            summary.count(record)
            faults.note(record)
        }
        if let answer = host.answer {
            let report = RunReport(
                records: all, summary: summary, seconds: seconds, seed: RunSettings.defaultSeed, status: status,
                neverTriggered: faults.entries)
            answer.result = JSONReport.document(report)
            host.output.write(answer.value(of: .watch, status: status).renderedLine())
            answer.startAnew()
            return
        }
        console.clearScreen()
        let failed = all.filter { !$0.isGreen }
        for record in failed.prefix(Self.shownFailures) {
            for line in FailureText.lines(
                of: record, style: console.style, program: console.program, isPersonal: console.isPersonal)
            { console.print(line) }
            console.print()
        }
        for record in failed.dropFirst(Self.shownFailures) {
            console.print("failed: \(SafeText.line(record.caseName)): \(SafeText.line(record.headline))")
        }
        let notes = faults.entries.lines(style: console.style)
        if !notes.isEmpty { for line in notes + [""] { console.print(line) } }
        let files = ran == count ? Plural.of(count, "file") : "\(ran) of \(Plural.of(count, "file"))"
        console.print(
            console.style.paint("\(summary.text) (\(files), \(Decimals.fixed(seconds, places: 2)) s)", failed.isEmpty ? .green : .boldRed))
        console.print(console.style.paint("watching; Ctrl-C ends", .dim))
    }
}
