/// Tells people how a run goes: failures as they come, progress on a terminal, a summary at the end.
///
/// Receives the records in order; confined to the thread of the command.
final class RunReporter {
    private let console: Console
    private let settings: RunSettings
    private let plan: RunPlan
    private(set) var summary = RunSummary()
    private var hasIntroduced = false
    /// The scenario whose failure is already on the screen, and how often it has failed since.
    private var shownName: String?
    private var furtherFailures: [String] = []
    private var groups = FailureGroups()
    /// What failed in the apps without any of their code being told (P13).
    private var unobserved: ScenarioNotes
    private var faults: FaultTally
    /// The faults that no run of a scenario triggered, of the scenarios all of whose runs were made here.
    var neverTriggered: [FaultTally.Entry] { faults.entries }
    private var hasNotes: Bool { !unobserved.isEmpty || !neverTriggered.isEmpty }
    /// By the host's clock, the slowest first.
    private var slow: [(name: String, seconds: Double, steps: Int)] = []
    /// When progress was last told to a log, by the host's clock.
    private var lastRemark: Double?
    private static let remarkInterval = 30.0

    init(console: Console, plan: RunPlan) {
        self.console = console
        self.plan = plan
        settings = plan.settings
        unobserved = ScenarioNotes("Failures that nobody observed", isVerbose: plan.settings.verbosity == .verbose)
        faults = FaultTally(runsPerScenario: plan.runsPerScenario)
        if let shard = settings.shard {
            let all = plan.isVaried ? "\(plan.extent.runs) runs" : Plural.of(plan.extent.scenarios, "scenario")
            console.introduce(shard, part: plan.count == 0 ? "none of \(all), so there is nothing to do" : "\(plan.count) of \(all)")
        }
        let isPlain = !plan.isVaried && settings.namedSeed == nil && settings.orders == [0] && settings.roots == nil && !settings.isRepeated
        if !isPlain, settings.verbosity != .quiet { introduce() }
    }

    /// Seed and options, before anything that depends on them.
    private func introduce() {
        guard !hasIntroduced, plan.count > 0 else { return }
        hasIntroduced = true
        let count = plan.scenarioCount
        let firsts = plan.firstSeeds
        let first = firsts.count == 1 ? "\(firsts.first ?? settings.seed)" : "\(settings.seed), or the file's own"
        let seeds = settings.seedCount == 1 ? "seed \(first)" : "\(settings.seedCount) seeds from \(first)"
        let asItFailed = "each under the \(plan.isVaried ? "seeds and the orders" : "seed and the order") that it failed under"
        var parts = [plan.isAsItFailed ? asItFailed : seeds]
        if let last = settings.orders.last, last != 0 {
            parts.append(settings.orders.count == 1 ? "order \(last)" : "orders 0 to \(last)")
        }
        if settings.isRepeated { parts.append("each run twice") }
        if let roots = settings.roots { parts.append("real files in \(SafeText.line(roots))") }
        console.print(console.style.paint("Running \(Plural.of(count, "scenario")): \(parts.joined(separator: ", "))", .dim))
    }

    func note(_ record: RunRecord) {
        summary.count(record)
        keepSlow(record)
        unobserved.note(record.unobserved.map { "\($0)" }, of: record.name)
        faults.note(record)
        if record.name != shownName { endGroup() }
        guard !record.isGreen else {
            if settings.verbosity == .verbose { console.print(line(for: record)) }
            return
        }
        guard record.name != shownName || !record.isVaried else {
            furtherFailures.append(record.variationText ?? "")
            return
        }
        if record.variation != nil { introduce() }
        shownName = record.name
        groups.count(record)
        console.printGap()
        for line in FailureText.lines(
            of: record, style: console.style, program: console.program, beside: replayOptions, isPersonal: console.isPersonal)
        { console.print(line) }
        annotate(record)
    }

    /// Who runs the command in this very environment, which says which shard that is, is to run it whatever shard that would fall to.
    private var replayOptions: String { settings.shard == nil ? "" : " --shard 1/1" }

    // MARK: The slowest

    private func keepSlow(_ record: RunRecord) {
        guard settings.slowest > 0, record.variation != nil else { return }
        if slow.count == settings.slowest, let last = slow.last, last.seconds >= record.seconds { return }
        let name = record.name + (record.variationText.map { " (\($0))" } ?? "")
        let index = slow.firstIndex { $0.seconds < record.seconds } ?? slow.count
        slow.insert((name, record.seconds, record.steps), at: index)
        if slow.count > settings.slowest { slow.removeLast() }
    }

    private func listSlowest() {
        guard !slow.isEmpty else { return }
        console.printGap()
        console.print(console.style.paint("Slowest", .bold))
        for (name, seconds, steps) in slow {
            console.print(
                "  \(Decimals.fixed(seconds * 1_000, places: 1)) ms  \(SafeText.line(name))"
                    + console.style.paint("  \(Plural.of(steps, "step"))", .dim))
        }
        if summary.failures == 0, !hasNotes { console.print() }
    }

    private func annotate(_ record: RunRecord) {
        guard record.problems.isEmpty else {
            ProblemText.annotate(record.problems, on: console)
            return
        }
        var message = record.headline
        if let expected = record.failure?.expected { message += "\nexpected: \(expected)" }
        if let actual = record.failure?.actual { message += "\nactual:   \(actual)" }
        console.annotate(
            GitHubAnnotation.error(
                path: console.annotated(record.faultPath), line: record.line, column: record.column,
                title: record.title.isEmpty ? record.caseName : record.title,
                message: message + "\n" + record.replay + replayOptions))
    }

    /// Says in one line how many more runs of the scenario failed, instead of showing each.
    private func endGroup() {
        defer {
            shownName = nil
            furtherFailures = []
        }
        guard !furtherFailures.isEmpty else { return }
        let shown = furtherFailures.prefix(5).joined(separator: "; ") + (furtherFailures.count > 5 ? "; …" : "")
        console.print(
            "  \(console.style.paint("also", .bold))      in \(furtherFailures.count) more of its \(settings.shard == nil && !plan.isAsItFailed ? "\(plan.runsPerScenario) " : "")runs: \(shown)"
        )
    }

    private func line(for record: RunRecord) -> String {
        var text = console.style.paint("passed", .green) + "  " + SafeText.line(record.name)
        if let variation = record.variationText { text += " (\(variation))" }
        if let end = record.earlyEnd { text += ": \(end.text)" }
        if record.canary != nil { text += ": a canary, \(record.outcome.status.phrase) as it must" }
        let runs = record.repetitions == 1 ? "" : "\(Plural.of(record.repetitions, "crash point")), "
        return text + console.style.paint("  \(runs)\(Plural.of(record.steps, "step")) in \(record.duration.readable)", .dim)
    }

    /// How far it is, and what is being waited for: on a terminal in a line that changes, elsewhere in a line of its own every now and then, so that a log
    /// shows that work goes on.
    func showProgress(done: Int, sweeps: SweepBoard, now: Double) {
        guard done < plan.count else { return }
        announceLong(sweeps)
        let failed = summary.failures > 0 ? ", \(summary.failures) failed" : ""
        var text = "\(done) of \(plan.count)\(failed)  \(SafeText.line(plan.run(done).scenario.name))"
        if let progress = sweeps.progress(of: done) { text += ", \(progress.text)" }
        console.progress(text)
        guard !console.showsProgress, settings.verbosity != .quiet else { return }
        guard let last = lastRemark else { return lastRemark = now }
        guard now - last >= Self.remarkInterval else { return }
        lastRemark = now
        console.remark(text)
    }

    /// What takes long is said before it does.
    private func announceLong(_ sweeps: SweepBoard) {
        guard settings.verbosity != .quiet else { return }
        for (run, total) in sweeps.takeLong() {
            console.remark("\(SafeText.line(plan.run(run).scenario.name)) takes about \(total) runs, one for each crash point")
        }
    }

    func finish(done: Int, seconds: Double, interrupted: Bool) {
        endGroup()
        console.clearProgress()
        summary.notRun = plan.count - done
        guard settings.verbosity != .quiet || interrupted else { return }
        let isVerbose = settings.verbosity == .verbose
        for lines in [unobserved.lines(style: console.style), neverTriggered.lines(style: console.style, isVerbose: isVerbose)]
        where !lines.isEmpty {
            console.printGap()
            for line in lines { console.print(line) }
        }
        listSlowest()
        let kinds = groups.lines(style: console.style)
        if !kinds.isEmpty { console.printGap() }
        for line in kinds { console.print(line) }
        if summary.failures > 0 || hasNotes { console.print() }
        var text = summary.text + " (\(Decimals.fixed(seconds, places: 2)) s)"
        if let shard = settings.shard {
            text += ": \(shard.name)"
        } else if plan.isVaried {
            text += ": \(Plural.of(plan.scenarioCount, "scenario"))" + (plan.isAsItFailed ? "" : ", \(plan.runsPerScenario) runs each")
        }
        if interrupted {
            text = "interrupted: " + text
        } else if summary.notRun > 0 {
            text += "; stopped at the first failure"
        }
        let isPartial = interrupted || summary.endedEarly > 0
        console.print(console.style.paint(text, summary.failures > 0 ? .boldRed : isPartial ? .yellow : .green))
    }
}
