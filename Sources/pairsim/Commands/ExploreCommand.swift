import DeviceSim
import Foundation

/// `pairsim explore`.
final class ExploreCommand {
    private let settings: ExploreSettings
    private let host: Host
    private let engine: ScenarioEngine
    private let console: Console
    private var statuses: Set<ExitStatus> = []
    private var worlds: [ExplorationWorld] = []
    private var operands = ""
    /// What was found, by its signature, in the order of the runs.
    private var found: [BreachSignature: Int] = [:]
    private var states: Set<UInt64> = []
    private var failures = 0

    init(settings: ExploreSettings, host: Host, engine: ScenarioEngine) {
        self.settings = settings
        self.host = host
        self.engine = engine
        console = Console(host: host, colour: settings.command.text(.color))
    }

    func run() throws(UsageError) -> ExitStatus {
        let begin = host.seconds()
        guard selectWorlds() else { return ExitStatus.foremost(statuses) }
        if let only = settings.only { return showOnly(only) }
        introduce()
        let explorers = worlds.map { Explorer(options(for: $0)) }
        var done = 0
        var lastShown = begin
        let seconds = host.seconds
        let limit = settings.seconds.map { begin + $0 }
        let count = OrderedPool<Explorer.Outcome?>(count: settings.runs).run(jobs: settings.jobs, interruption: host.interruption) {
            index in
            if let limit, seconds() >= limit { return nil }
            return explorers[index % explorers.count].run(index)
        } consume: { index, outcome in
            guard let outcome else { return false }
            done = index + 1
            states.formUnion(outcome.states)
            if let breach = outcome.breach { take(breach, of: index, by: explorers[index % explorers.count]) }
            return true
        } waiting: {
            let now = host.seconds()
            guard now - lastShown >= 0.2 else { return }
            lastShown = now
            console.progress(summary(done, seconds: now - begin))
        }
        console.clearProgress()
        if host.interruption.isRequested, count < settings.runs { statuses.insert(.interrupted) }
        if !settings.isQuiet || failures > 0 {
            console.printGap()
            console.print(
                console.style.paint(
                    (statuses.contains(.interrupted) ? "interrupted: " : "") + summary(done, seconds: host.seconds() - begin),
                    failures > 0 ? .boldRed : .green))
        }
        return ExitStatus.foremost(statuses)
    }

    private func options(for world: ExplorationWorld) -> Explorer.Options {
        var options = Explorer.Options(world: world)
        options.seed = settings.seed
        options.strategies = settings.strategies
        options.maximumSteps = settings.steps
        options.recheckInterval = settings.recheckInterval
        return options
    }

    // MARK: What is searched over

    private func selectWorlds() -> Bool {
        guard !settings.command.operands.isEmpty else {
            worlds = [ExplorationWorld.builtIn].compactMap { $0 }
            return true
        }
        operands = settings.command.operands.map { " " + ShellWord.quoted($0) }.joined()
        let selection = Selection(settings.command, host: host, engine: engine)
        for trouble in selection.troubles {
            console.complain(trouble)
            statuses.insert(.cannotRun)
        }
        for file in selection.broken {
            for line in ProblemText.lines(of: file.problems, style: console.style) { console.print(line) }
            statuses.formUnion(file.problems.map(\.status))
        }
        worlds = selection.scenarios.filter { !$0.keys.isEmpty }.map { ExplorationWorld($0) }
        guard worlds.isEmpty, statuses.isEmpty else { return !worlds.isEmpty && selection.broken.isEmpty }
        console.complain(selection.scenarios.isEmpty ? selection.emptyMessage : "nothing selected: no scenario with keys")
        statuses.insert(.nothingSelected)
        return false
    }

    private func introduce() {
        guard !settings.isQuiet else { return }
        let over = worlds.count == 1 ? SafeText.line(worlds[0].name) : Plural.of(worlds.count, "scenario")
        let extent = settings.seconds.map { "for \(Decimals.fixed($0, places: 0)) s" } ?? Plural.of(settings.runs, "run")
        let names = settings.strategies.map(\.rawValue).joined(separator: ", ")
        console.print(console.style.paint("Exploring \(over): \(extent), seed \(settings.seed), strategies \(names)", .dim))
    }

    private func summary(_ done: Int, seconds: Double) -> String {
        let rate = seconds > 0 ? Int(Double(done) / seconds) : 0
        return "\(Plural.of(done, "run")), \(rate) a second, \(Plural.of(states.count, "state")) seen, "
            + (failures == 0 ? "no failure" : "\(Plural.of(failures, "failing run")) of \(Plural.of(found.count, "kind"))")
    }

    // MARK: What was found

    private func take(_ breach: Breach, of index: Int, by explorer: Explorer) {
        failures += 1
        statuses.insert(breach.promise.status)
        guard found.updateValue(index, forKey: breach.signature) == nil else { return }
        show(breach, of: index, by: explorer)
    }

    private func show(_ breach: Breach, of index: Int, by explorer: Explorer) {
        console.printGap()
        console.print(
            console.style.paint("run \(index)", .bold) + ": " + console.style.paint(breach.promise.rawValue, .boldRed) + ": "
                + SafeText.line(breach.promise.sentence))
        for sentence in breach.explanation { console.print("  " + SafeText.line(sentence)) }
        let replay = "\(host.program) explore\(operands)\(settings.drawOptions) --only \(index)"
        console.progress("making run \(index) small")
        guard breach.promise != .determinism, let small = explorer.shrink(index, replay: replay) else {
            console.print("  \(console.style.paint("replay", .bold))    \(SafeText.line(replay))")
            return
        }
        console.print()
        for line in small.text.split(separator: "\n", omittingEmptySubsequences: false) {
            console.print("    " + SafeText.line(String(line)))
        }
        if !small.isConfirmed { console.print("  an ordinary run of this scenario does not fail; the exploration does") }
        save(small)
        console.print("  \(console.style.paint("replay", .bold))    \(SafeText.line(replay))")
    }

    private func save(_ small: FoundScenario) {
        guard let folder = settings.folder else { return }
        var path = "\(folder)/\(small.slug).scenario"
        var number = 2
        while let kind = try? host.files.kind(of: path), kind == .file {
            path = "\(folder)/\(small.slug)-\(number).scenario"
            number += 1
        }
        do throws(FileTrouble) {
            try host.files.write(Data(small.text.utf8), to: path)
            console.print("  \(console.style.paint("saved", .bold))     \(SafeText.line(path))")
        } catch {
            statuses.insert(.cannotRun)
            console.complain(error.text("write the scenario"))
        }
    }

    private func showOnly(_ index: Int) -> ExitStatus {
        let explorer = Explorer(options(for: worlds[index % worlds.count]))
        let draw = explorer.draw(index)
        let troubles = draw.troubles.map(\.rawValue).joined(separator: ", ")
        for line in draw.scenario.notation(header: ["Run \(index): \(troubles.isEmpty ? "no trouble" : troubles)."]).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            console.print(SafeText.line(String(line)))
        }
        guard let breach = explorer.run(index).breach else {
            console.print(console.style.paint("every promise was kept", .green))
            return .passed
        }
        statuses.insert(breach.promise.status)
        show(breach, of: index, by: explorer)
        return ExitStatus.foremost(statuses)
    }
}

extension Promise {
    fileprivate var status: ExitStatus {
        switch self {
        case .determinism: .notDeterministic
        case .progress: .didNotSettle
        default: .failed
        }
    }
}
