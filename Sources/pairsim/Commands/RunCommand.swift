import Foundation

/// `pairsim run`.
final class RunCommand {
    let settings: RunSettings
    let host: Host
    let engine: ScenarioEngine
    let console: Console
    private var statuses: Set<ExitStatus> = []
    private var records: [RunRecord] = []
    private var traceFolder: TraceFolder?
    private var hasComplainedOfTrace = false
    /// How many runs have been told, and how many more should have been.
    private var toldRuns = 0
    private var toldNames: Set<String> = []
    private var untold = 0
    /// What `--failed` is to run the next time, and what no more.
    private var failed: [String: Set<RunVariation?>] = [:]
    private var passed: [String: Set<RunVariation?>] = [:]
    private let lastFailures: [String: Set<RunVariation?>]

    init(settings: RunSettings, host: Host, engine: ScenarioEngine) {
        self.settings = settings
        self.host = host
        self.engine = engine
        lastFailures = LastFailures(host).failures
        console = Console(host: host, colour: settings.command.text(.color), isOutputTaken: settings.takesStandardOutput)
    }

    func run() throws(UsageError) -> ExitStatus {
        let begin = host.seconds()
        if settings.summaryFile != nil || settings.trace != nil || settings.reports.contains(where: { $0.path != "-" }) {
            host.goOnUnheard()
        }
        // What an app under test prints must not get into a report.
        if engine.search.makeApp != nil, console.isOutputTaken || settings.command.has(.json) { host.sendAppOutput(.errors) }
        var outputs = try OutputFiles(
            of: .run, reports: settings.reports, trace: settings.trace, summary: settings.summaryFile, files: host.files)
        try outputs.check(against: settings.command.operands)
        // What puts expectations right writes no report, and an earlier one says no less than before.
        guard settings.command.has(.update) || outputs.emptyEarlier(on: console) else { return .cannotRun }
        if settings.shard != nil, !console.acknowledgeShards(host) { return .cannotRun }
        let selection = Selection(settings.command, host: host, engine: engine)
        for trouble in selection.troubles {
            console.complain(trouble)
            statuses.insert(.cannotRun)
        }
        tellWhatProjectLeavesOut(selection)
        guard !selection.files.isEmpty else {
            return host.interruption.isRequested ? .interrupted : complainOfNothing(selection)
        }
        if settings.command.has(.update) { return update(selection) }
        let plan = RunPlan(files: selection.files, settings: settings, failures: selection.failures ?? [:])
        try prepareTrace(plan)
        try outputs.add(settings.reports, traces: traceFolder, of: plan.namedRecords, interruption: host.interruption)
        try outputs.check(against: selection.files.map(\.path))
        guard outputs.emptyEarlierOfRuns(on: console, interruption: host.interruption) else { return .cannotRun }
        guard makeRoots() else { return .cannotRun }

        let reporter = RunReporter(console: console, plan: plan)
        for (file, number) in plan.broken {
            for problem in file.problems { console.answer(problem) }
            take(RunRecord(of: file, number: number), by: reporter)
        }
        let stopsEarly = settings.failsFast && reporter.summary.failures > 0
        let done = stopsEarly ? 0 : run(plan, reporter: reporter)
        let isInterrupted = host.interruption.isRequested && done < plan.count
        let seconds = host.seconds() - begin
        reporter.finish(done: done, seconds: seconds, interrupted: isInterrupted)

        LastFailures(host).note(failed: failed, passed: passed)
        statuses.formUnion(reporter.summary.statuses)
        if isInterrupted { statuses.insert(.interrupted) }
        let report = RunReport(
            records: records, summary: reporter.summary, seconds: seconds, seed: settings.seed, status: ExitStatus.foremost(statuses),
            shard: settings.shard, extent: plan.extent, untold: untold, neverTriggered: reporter.neverTriggered)
        console.answer(JSONReport.document(report))
        for request in settings.reports {
            if !console.write(report, as: request, files: host.files) { statuses.insert(.cannotRun) }
        }
        writeSummary(report)
        return ExitStatus.foremost(statuses)
    }

    /// Where GitHub Actions runs the tool, the page of its job tells of the run.
    private func writeSummary(_ report: RunReport) {
        guard let file = settings.summaryFile else { return }
        do throws(FileError) {
            try JobSummary.append(report, to: file, files: host.files)
        } catch {
            console.complain(error.text("write the job's summary"))
            statuses.insert(.cannotRun)
        }
    }

    private func run(_ plan: RunPlan, reporter: RunReporter) -> Int {
        let worker = RunWorker(
            plan: plan, engine: engine, keepsTrace: settings.trace != nil, needsFingerprint: settings.keepsRecords,
            seconds: host.seconds, sweeps: SweepBoard())
        var done = 0
        var lastShown = -1.0
        return OrderedPool(count: plan.count).run(jobs: settings.jobs, interruption: host.interruption) {
            worker.run($0, givingUp: $1)
        } consume: { index, output in
            done = index + 1
            take(tell(output.record, index, worker), by: reporter)
            keepTrace(of: output)
            return output.record.isGreen || !settings.failsFast
        } waiting: {
            let now = host.seconds()
            guard now - lastShown >= 0.05 else { return }
            lastShown = now
            reporter.showProgress(done: done, sweeps: worker.sweeps, now: now)
        }
    }

    /// Adds to a run what a picture of it needs, if a report wants one: the run is made again for it. In the order of the runs, so that the same ones are told
    /// however many run at once.
    private func tell(_ record: RunRecord, _ index: Int, _ worker: RunWorker) -> RunRecord {
        guard settings.tellsRuns, settings.tellsAll || !record.isGreen, record.steps > 0, record.outcome != .cannotRun else {
            return record
        }
        // One run of each scenario: the others would fill the page, and are told by their number.
        let isOver: @Sendable () -> Bool = { [interruption = host.interruption] in interruption.isRequested }
        guard toldRuns < settings.toldRunLimit, !isOver(), settings.tellsAll || toldNames.insert(record.name).inserted else {
            untold += 1
            return record
        }
        var record = record
        record.told = worker.told(index, comparing: record.outcome == .failed && record.repetitions == 1, isOver: isOver)
        toldRuns += record.told == nil ? 0 : 1
        return record
    }

    private func take(_ record: RunRecord, by reporter: RunReporter) {
        reporter.note(record)
        if !record.isGreen {
            failed[record.name, default: []].insert(record.variation)
        } else if record.earlyEnd == nil, lastFailures[record.name] != nil {
            // One that was not to go to its end may fail behind that, and one that failed under another order or seed still does.
            passed[record.name, default: []].formUnion([nil, record.variation])
        }
        // A file whose scenarios run is one that parses, and a scenario that runs can be run.
        if record.variation != nil, record.name != record.path {
            for name in [record.name, record.path] where lastFailures[name]?.contains(nil) == true { passed[name, default: []].insert(nil) }
        }
        // A million records are worth their memory only if somebody reads them.
        if settings.keepsRecords { records.append(record) }
    }

    /// `--update`: what does not parse is shown, and everything else put right as far as values go.
    private func update(_ selection: Selection) -> ExitStatus {
        statuses.formUnion(ProblemText.show(selection.broken.map(\.problems), on: console))
        statuses.formUnion(UpdateRun(settings: settings, host: host, engine: engine, console: console).run(selection.files))
        return ExitStatus.foremost(statuses)
    }

    private func complainOfNothing(_ selection: Selection) -> ExitStatus {
        // A path that could not be followed has been complained about, and is the reason.
        guard selection.troubles.isEmpty else { return .cannotRun }
        console.complain(selection.emptyMessage)
        return .nothingSelected
    }

    private func makeRoots() -> Bool {
        guard let roots = settings.roots else { return true }
        do throws(FileError) {
            try host.files.makeFolder(roots)
            return true
        } catch {
            console.complain(error.text("make the folder"))
            return false
        }
    }
}

// MARK: Traces

extension RunCommand {
    /// A file above the folder may narrow what is run, and nobody sees that file in the command.
    private func tellWhatProjectLeavesOut(_ selection: Selection) {
        let leftOut = selection.knownCount - selection.scenarios.count
        let options = [OptionName.filter, .tag, .skipTag].filter(settings.command.projectOptions.contains).map(\.rawValue)
        guard leftOut > 0, !options.isEmpty, !selection.files.isEmpty else { return }
        console.remark(
            "\(ProjectFile.name) leaves out \(leftOut) of \(Plural.of(selection.knownCount, "scenario")) by \(options.joined(separator: ", "))"
        )
    }

    /// Finds out whether `--trace` means a file or a folder.
    private func prepareTrace(_ plan: RunPlan) throws(UsageError) {
        guard let trace = settings.trace else { return }
        if case .path(let path) = trace {
            var isFolder = path.hasSuffix("/")
            if case .folder? = try? host.files.kind(of: path) { isFolder = true }
            if isFolder { traceFolder = TraceFolder(path) }
        }
        guard plan.count <= 1 || traceFolder != nil else {
            throw UsageError(
                "--trace with a file takes one run, and these are \(plan.count); name a folder, with a slash at its end",
                suggestion: settings.command.text(.trace).flatMap { $0 == "-" ? nil : "--trace \(ShellWord.quoted($0 + "/"))" },
                command: .run)
        }
    }

    private func keepTrace(of output: RunWorker.Output) {
        guard let trace = settings.trace, let bytes = output.trace else { return }
        let path: String
        switch trace {
        case .standardOutput: return console.emit(String(decoding: bytes, as: UTF8.self))
        case .path(let named): path = traceFolder?.path(for: output.record) ?? named
        }
        do throws(FileError) {
            try host.files.replaceOurs(Data(bytes), at: path)
        } catch {
            statuses.insert(.cannotRun)
            // A folder that takes no file will take none of the thousand that follow.
            if !hasComplainedOfTrace { console.complain(error.text("write the trace")) }
            hasComplainedOfTrace = true
        }
    }
}
