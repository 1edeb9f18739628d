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
    /// What each scenario file includes, and the stamps of all of these when that was found out.
    private var includes: [String: (paths: [String], stamps: [String?])] = [:]
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
            let (found, scenarios, troubles) = look()
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
            for path in gone { (records[path], includes[path]) = (nil, nil) }
            // Of what is included, whoever includes it is run.
            let touched = Set(changed + gone)
            let concerned = scenarios.filter { touched.contains($0) || includes[$0]?.paths.contains(where: touched.contains) == true }
            try round(concerned.sorted(), of: scenarios.count)
            isFirst = false
        } while host.pause(Self.interval) && !host.interruption.isRequested
        host.answer?.isOver = true
        return host.interruption.isRequested ? .interrupted : status
    }

    private var status: ExitStatus { ExitStatus.foremost(records.values.joined().map(\.status)) }

    // MARK: Files

    /// The scenario files and the files that are only included, each with a stamp that changes when the file does.
    private func look() -> (found: [String: String], scenarios: Set<String>, troubles: [String]) {
        var finder = ScenarioFinder(files: host.files)
        finder.search(command.operands)
        var found: [String: String] = [:]
        for path in finder.found where path != "-" { found[path] = host.files.stamp(of: path) }
        let scenarios = Set(found.keys)
        for path in scenarios { for included in included(by: path) { found[included] = host.files.stamp(of: included) } }
        return (found, scenarios, finder.troubles)
    }

    /// What a scenario file includes, wherever that lies. Read anew once one of the files has changed.
    private func included(by path: String) -> [String] {
        func stamps(_ paths: [String]) -> [String?] { ([path] + paths).map(host.files.stamp) }
        if let known = includes[path], known.stamps == stamps(known.paths) { return known.paths }
        let paths = engine.included(path)
        includes[path] = (paths, stamps(paths))
        return paths
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
