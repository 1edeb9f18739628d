import DeviceSimCore
import Foundation

/// `pairsim explore`.
final class ExploreCommand {
    let settings: ExploreSettings
    let host: Host
    let engine: ScenarioEngine
    let console: Console
    var statuses: Set<ExitStatus> = []
    /// The scenarios that the user named.
    var corpus: [Scenario] = []
    private(set) lazy var exploration = Exploration(
        over: corpus, hasOwnKeys: settings.hasOwnKeys, run: runOptions, options: { [self] in options(for: $0) })
    /// Read once: it takes a moment.
    private lazy var build = host.build()
    var worlds: [SearchSpace] { exploration.worlds }
    var operands = ""
    /// In the order of the runs, of each kind the first.
    var found: [FoundFailure] = []
    var states = DistinctStates()
    /// `nil` where nobody asks.
    private var coverage: SearchCoverage?
    var failures = 0
    var done = 0
    /// How many of them an earlier process made.
    private(set) var resumed = 0
    /// What was tried of small scenarios.
    var exhaustive: [ExhaustiveCount] = []
    /// What an earlier process has kept, where there is any.
    private var kept: ExplorationReport?
    /// What is kept for going on: the runs without a gap, where others were made behind one.
    private var gapless: ExplorationReport?
    /// What runs are held against, where that was asked for.
    private var other: OtherTool?
    /// What came of that; `nil` where it was not asked for.
    private var comparisons: ComparisonTally?

    init(settings: ExploreSettings, host: Host, engine: ScenarioEngine) {
        self.settings = settings
        self.host = host
        self.engine = engine
        coverage = settings.countsCoverage ? SearchCoverage() : nil
        comparisons = settings.against == nil ? nil : ComparisonTally()
        let isOutputTaken = settings.reports.contains { $0.path == "-" }
        console = Console(host: host, colour: settings.command.text(.color), isOutputTaken: isOutputTaken)
    }

    func run() throws(UsageError) -> ExitStatus {
        let begin = host.seconds()
        if settings.reports.contains(where: { $0.path != "-" }) { host.goOnUnheard() }
        let outputs = try OutputFiles(of: .explore, reports: settings.reports, progress: settings.progress, files: host.files)
        try outputs.check(against: settings.command.operands)
        // Nothing is emptied before what the search goes on from is read.
        let isProgressRead = readProgress()
        guard outputs.emptyEarlier(on: console), isProgressRead else { return .cannotRun }
        if settings.shard != nil, !console.acknowledgeShards(host) { return .cannotRun }
        guard canKeep() else { return .cannotRun }
        // What apps print in thousands of runs nobody reads. Of one run it is wanted, and must not get into a report.
        if engine.search.makeApp != nil, settings.only == nil || console.isOutputTaken || settings.command.has(.json) {
            host.sendAppOutput(settings.only == nil ? .nowhere : .errors)
        }
        // What runs are held against is known before what they are: the search is made with it.
        guard findOther(), selectCorpus() else { return ExitStatus.foremost(statuses) }
        if settings.isExhaustive {
            tryEverything(from: begin)
        } else if let only = settings.only {
            showOnly(only)
        } else {
            // Written once before the search, so that a disk that takes nothing is known before it.
            guard goOn(), keepProgress(from: begin) else { return ExitStatus.foremost(statuses) }
            search(from: begin)
            keepProgress(from: begin)
        }
        tellUncompared()
        let covered = coverage.map { CoverageReport($0) }
        if let covered {
            let folder = settings.proposals.map { FoundFolder(path: $0, files: host.files) }
            if !console.tell(covered, columns: host.columns, isQuiet: settings.isQuiet, proposingIn: folder) { statuses.insert(.cannotRun) }
        }
        var final = report(seconds: host.seconds() - begin)
        final.coverageReport = covered
        console.answer(final.document)
        for request in settings.reports {
            if !console.write(final, as: request, files: host.files) { statuses.insert(.cannotRun) }
        }
        return ExitStatus.foremost(statuses)
    }

    private func search(from begin: Double) {
        introduce()
        let exploration = exploration
        let runs = min(settings.runs, exploration.runLimit ?? .max)
        let total = max(0, (settings.shard?.runCount(of: runs) ?? runs) - resumed)
        let (seconds, shard, first, replay) = (host.seconds, settings.shard, resumed, replay)
        let limit = settings.seconds.map { begin + $0 }
        var (lastShown, lastKept) = (begin, begin)
        let count = OrderedPool<Explorer.Outcome?>(count: total).run(jobs: settings.jobs, interruption: host.interruption) {
            [stuckAfter = settings.stuckAfter] place, giveUp in
            if let limit, seconds() >= limit { return nil }
            let index = shard?.run(at: first + place) ?? first + place
            CrashGuard.setName(replay(index))
            guard let stuckAfter else { return exploration.run(index) }
            let watch = RunWatch()
            return Watchdog.watch(watch, limit: stuckAfter) {
                giveUp(Explorer.outcome(of: index, $0))
            } _: {
                exploration.run(index, watchedBy: watch)
            }
        } consume: { place, outcome in
            guard let outcome else { return false }
            let before = settings.progress != nil && (outcome.violation != nil || first + place != done) ? report(seconds: 0) : nil
            if first + place != done { gapless = gapless ?? before }
            done += 1
            states.insert(outcome.states)
            if let covered = outcome.coverage { coverage?.add(covered) }
            comparisons?.add(outcome.comparison)
            note(outcome.obstacle)
            if let violation = outcome.violation {
                take(violation, of: outcome.index)
                // It may not be as small as it gets.
                if host.interruption.isRequested { gapless = gapless ?? before }
            }
            // Nothing is compared any more.
            return other?.fault == nil
        } waiting: {
            let now = host.seconds()
            if now - lastKept >= SearchProgress.interval {
                lastKept = now
                keepProgress(from: begin)
            }
            guard now - lastShown >= 0.2 else { return }
            lastShown = now
            console.progress(summary(seconds: now - begin))
        }
        console.clearProgress()
        if host.interruption.isRequested, count < total {
            statuses.insert(.interrupted)
        } else if done == 0, total > 0 {
            // Nothing was tried, so nothing is known: that is no success.
            console.complain("no run was made: the time of --for was over once the files were read; give it more")
            statuses.insert(.cannotRun)
        }
        guard !settings.isQuiet || failures > 0 else { return }
        console.printGap()
        console.print(
            console.style.paint(
                (statuses.contains(.interrupted) ? "interrupted: " : "") + summary(seconds: host.seconds() - begin) + reservation,
                failures > 0 ? .boldRed : .green))
    }

    /// A run that cannot be made is none that found nothing.
    private func note(_ obstacle: String?) {
        guard let obstacle else { return }
        console.complain(SafeText.line(obstacle))
        statuses.insert(.cannotRun)
    }

    /// Complains of what `--resume`, `--save` and `--propose` name where it cannot be written, before a search of hours has nowhere to go.
    private func canKeep() -> Bool {
        let places = [
            settings.progress.map { ($0, RealFiles.folder(of: $0), "--resume") },
            settings.folder.map { ($0, $0, "--save") },
            settings.proposals.map { ($0, $0, "--propose") },
        ].compactMap(\.self)
        var canKeep = true
        for (path, folder, option) in places {
            guard let obstacle = host.files.obstacle(toWritingIn: folder) else { continue }
            canKeep = false
            let why = obstacle.path == path ? obstacle.reason : "\(SafeText.line(obstacle.path)): \(obstacle.reason)"
            console.complain("cannot write \(option) \(SafeText.line(path)): \(why); name another place")
        }
        return canKeep
    }

    /// Reads what an earlier process has kept.
    /// - Returns: Whether that can be read, or is not there.
    private func readProgress() -> Bool {
        guard let path = settings.progress, settings.only == nil else { return true }
        do throws(SearchProgressFault) {
            kept = try SearchProgress(path: path, files: host.files, build: nil).read()
            return true
        } catch {
            console.complain(error.text)
            return false
        }
    }

    /// Takes up what an earlier process has kept.
    /// - Returns: Whether the search can go on.
    private func goOn() -> Bool {
        guard let path = settings.progress, let kept else { return true }
        do throws(SearchProgressFault) {
            let progress = SearchProgress(path: path, files: host.files, build: build)
            try progress.check(kept, for: report(seconds: 0).search, shard: settings.shard)
            guard let seen = kept.seen else { return true }
            guard !progress.isOfAnotherBuild(kept) else {
                console.remark("\(SafeText.line(path)) is of another build of this program, so the search begins anew")
                return true
            }
            if (kept.coverage != nil) != (coverage != nil) {
                let (what, remedy) = coverage == nil ? ("counts", "give --coverage too") : ("does not count", "leave --coverage out")
                throw SearchProgressFault(
                    text: "\(path): it \(what) what the runs exercised; \(remedy), or give --resume another file")
            }
            coverage = kept.coverage
            (done, resumed, failures, found, states) = (kept.runs, kept.runs, kept.failingRuns, kept.found, seen)
            statuses.formUnion(found.map(\.invariant.status))
            return true
        } catch {
            console.complain(error.text)
            statuses.insert(.cannotRun)
            return false
        }
    }

    /// - Returns: Whether it is kept, or need not be.
    @discardableResult private func keepProgress(from begin: Double) -> Bool {
        guard let path = settings.progress else { return true }
        do throws(FileError) {
            try SearchProgress(path: path, files: host.files, build: build).write(gapless ?? report(seconds: host.seconds() - begin))
            return true
        } catch {
            console.complain(error.text("write"))
            statuses.insert(.cannotRun)
            return false
        }
    }

    private func options(for world: SearchSpace) -> Explorer.Options {
        var options = Explorer.Options(world: world)
        options.seed = settings.seed
        options.strategies = settings.strategies
        options.faultKinds = settings.faultKinds
        options.maximumSteps = settings.steps
        options.recheckInterval = settings.recheckInterval
        options.coverage = settings.countsCoverage ? CoverageReport.request : nil
        options.run = runOptions
        options.other = other
        return options
    }

    /// - Returns: Whether the other build, where one is named, can be asked.
    private func findOther() -> Bool {
        guard let path = settings.against else { return true }
        do throws(OtherTool.Fault) {
            let words = settings.command.text(.stuckAfter).map { ["--stuck-after", $0] } ?? []
            // It gives up what does not end, as this build does, and says so.
            let patience = settings.stuckAfter.map { max(30, $0 + 10) }
            other = try OtherTool(path: path.contains("/") ? path : "./\(path)", arguments: words, patience: patience)
            return true
        } catch {
            console.complain("cannot compare with \(SafeText.line(path)): \(error.reason)")
            statuses.insert(.cannotRun)
            return false
        }
    }

    /// What was not compared. Where nothing was, although it was asked for, nothing is known: that is no success.
    private func tellUncompared() {
        guard let comparisons, let path = settings.against else { return }
        if let remark = comparisons.remark { console.remark(remark) }
        if let fault = other?.fault {
            console.complain("the comparison with \(SafeText.line(path)) ends here: \(fault.reason)")
            statuses.insert(.cannotRun)
        } else if comparisons.isEmptyHanded {
            console.complain("nothing was compared with \(SafeText.line(path))")
            statuses.insert(.cannotRun)
        }
    }

    /// How many jobs of an app under test may run at one instant of a search.
    private static let workLimitOfApps = 30_000

    var runOptions: RunOptions {
        var options = engine.search
        options.stuckAfter = settings.stuckAfter
        guard options.makeApp != nil else { return options }
        // Two callbacks that call each other are known long before: a search has thousands of runs to make, and shrinks what it finds.
        options.workLimit = min(options.workLimit, Self.workLimitOfApps)
        options.waitWorkLimit = min(options.waitWorkLimit, 10 * Self.workLimitOfApps)
        return options
    }

    func summary(seconds: Double) -> String {
        let rate = seconds > 0 ? Int(Double(done - resumed) / seconds) : 0
        return "\(Plural.of(done, "run")), \(rate) a second, about \(Plural.of(states.count, "state")) seen, "
            + (comparisons.map { "\($0.summary), " } ?? "")
            + (failures == 0 ? nothingFound : "\(Plural.of(failures, "failing run")) of \(Plural.of(found.count, "kind"))")
    }

    private var nothingFound: String {
        statuses.isDisjoint(with: [.cannotRun, .unparsable]) ? "no failure" : "no failure in what could be run"
    }

    /// What "no failure" does not say.
    var reservation: String { failures > 0 ? "" : ExplorationReport.reservation(unchecked) }

    private func report(seconds: Double) -> ExplorationReport {
        var search = ExplorationReport.Search(
            seed: settings.seed, over: (worlds.isEmpty ? exploration.written : worlds.map(\.base)).map(\.name),
            strategies: settings.isExhaustive ? [] : settings.strategies.map(\.rawValue),
            steps: settings.isExhaustive ? smallWorldOptions.stepLimit : settings.steps, content: content)
        search.isOfOwnCode = exploration.appUse == .ownCode
        search.faults = Set(settings.command.texts(.fault)).sorted()
        return ExplorationReport(
            search: search, runs: done, failingRuns: failures, states: states.count, seen: states, seconds: seconds,
            found: found, status: ExitStatus.foremost(statuses), shard: settings.shard, exhaustive: exhaustive, coverage: coverage,
            comparisons: comparisons, unchecked: unchecked)
    }

    /// Tells what the scenarios say from what others say. No text has a zero in it, so one ends where the next begins.
    private lazy var content: String = {
        let texts = (worlds.map(\.base) + exploration.written).map { Array($0.notation(header: []).utf8) }
        return String(FNV1a(of: texts.joined(separator: [0])).value, radix: 16)
    }()

    private func showOnly(_ index: Int) {
        guard let draw = exploration.draw(index) else {
            console.complain(
                "there is no run \(index): scenarios without keys are run as they are written, and there are \(exploration.written.count)")
            statuses.insert(.nothingSelected)
            return
        }
        let faults = draw.faultKinds.map(\.rawValue).joined(separator: ", ")
        let what = exploration.writtenName(index).map { "\($0) as it is written" } ?? (faults.isEmpty ? "no fault" : faults)
        // What is drawn has made values already. One as it is written has the file's own, which no log of a job is to keep.
        let isAsWritten = exploration.writtenName(index) != nil && !console.isPersonal
        let shown = isAsWritten ? draw.scenario.withMadeSecrets(catalogs: engine.catalogs) : draw.scenario
        let text = shown.notation(header: ["Run \(index): \(what)."])
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            console.print(SafeText.line(String(line)))
        }
        CrashGuard.setName(replay(index))
        let outcome = exploration.run(index)
        done = 1
        states.insert(outcome.states)
        comparisons?.add(outcome.comparison)
        note(outcome.obstacle)
        guard outcome.obstacle == nil else { return }
        guard let violation = outcome.violation else {
            let compared = outcome.comparison == .made ? ", and the run comes out as with the other build" : ""
            // A comment, so that what is printed is a scenario file.
            console.print(console.style.paint("# every promise was kept\(compared)", .green))
            return
        }
        take(violation, of: index)
    }
}
