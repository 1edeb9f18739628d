/// The runs to make: each scenario under each of its seeds, under each order; of a shard, its part of them. Never laid out in memory; a million runs cost
/// nothing.
struct RunPlan: Sendable {
    let settings: RunSettings
    /// How often each scenario is run, by all shards together; of those that are run as they failed, how often at most.
    let runsPerScenario: Int
    /// The files that cannot be run and are this shard's to complain of, each with its number among all such files.
    let broken: [(file: SelectedFile, number: Int)]
    /// What all shards together run.
    let extent: SelectionExtent
    /// What each scenario is to be run under, if it is to be run as it failed the last time.
    private let failures: [String: Set<RunVariation?>]
    private let parts: [Part]
    /// The number of runs before each part.
    private let starts: [Int]
    let count: Int

    /// The runs of one scenario: every `stride`-th from the first on.
    private struct Part {
        let scenario: Scenario
        /// How many runs all scenarios before it have that are selected, by any shard.
        let before: Int
        let first: Int
        let count: Int
    }

    /// - Parameter failures: Of `--failed`. Where the command line names seeds or orders, it is those that count.
    init(files: [SelectedFile], settings: RunSettings, failures: [String: Set<RunVariation?>] = [:]) {
        self.settings = settings
        let named = Int(settings.seedCount) * settings.orders.count
        let namesNone = named == 1 && settings.namedSeed == nil && settings.command.number(.order) == nil
        self.failures = namesNone ? failures : [:]
        let failed = { (scenario: Scenario) in Self.variations(of: scenario, settings, namesNone ? failures : [:]).count }
        let perScenario = max(named, files.flatMap(\.scenarios).map(failed).max() ?? 0)
        runsPerScenario = perScenario
        let shards = settings.shard?.count ?? 1
        let homes = settings.shard.map { ShardHomes.deal(files.map(\.identity), count: $0.count) } ?? files.map { _ in 0 }
        var parts: [Part] = []
        var broken: [(file: SelectedFile, number: Int)] = []
        var runs = 0
        var brokenCount = 0
        for (file, home) in zip(files, homes) {
            // How many shards this one is behind the file's.
            let distance = ((settings.shard?.index ?? 0) - home + shards) % shards
            if !file.problems.isEmpty {
                if distance == 0 { broken.append((file, brokenCount)) }
                brokenCount += 1
            }
            for (row, scenario) in file.scenarios.enumerated() {
                // The file's first run is its own shard's, the next one the next shard's, and so on around: many runs of few files are dealt evenly too.
                let before = Int((UInt64(row) * UInt64(perScenario)) % UInt64(shards))
                let first = (distance - before + shards) % shards
                let own = max(named, failed(scenario))
                if first < own {
                    parts.append(Part(scenario: scenario, before: runs, first: first, count: (own - first - 1) / shards + 1))
                }
                runs += own
            }
        }
        self.parts = parts
        self.broken = broken
        var total = 0
        starts = parts.map { part in
            defer { total += part.count }
            return total
        }
        count = total
        extent = SelectionExtent(files: files, settings: settings, runs: runs)
    }

    var isVaried: Bool { runsPerScenario > 1 }
    /// The seeds that scenarios are run under, or begin with: those of their own count, unless the command line names one.
    var firstSeeds: Set<UInt64> { Set(parts.map { settings.firstSeed(own: $0.scenario.seed) }) }
    /// Whether a scenario is run under a seed or an order that it failed under, and would not be run under otherwise.
    var isAsItFailed: Bool { parts.contains { !variations(of: $0.scenario).isEmpty } }
    /// How many scenarios are run here, at least under one seed and order.
    var scenarioCount: Int { parts.count }

    func run(_ index: Int) -> (scenario: Scenario, variation: RunVariation) {
        let (part, number) = place(of: index)
        let (seed, order) = number.quotientAndRemainder(dividingBy: settings.orders.count)
        // A scenario's own seed may be the highest there is; counting up from it then starts again at 0.
        let first = settings.firstSeed(own: part.scenario.seed)
        let scenario = settings.until.map { part.scenario.cut(behind: $0) } ?? part.scenario
        let variations = variations(of: scenario)
        if number < variations.count { return (scenario, variations[number]) }
        return (scenario, RunVariation(seed: first &+ UInt64(seed), order: settings.orders[order]))
    }

    /// The seeds and the orders that the scenario failed under, unless it is the one run that a command has that names none.
    private func variations(of scenario: Scenario) -> [RunVariation] { Self.variations(of: scenario, settings, failures) }

    private static func variations(
        of scenario: Scenario, _ settings: RunSettings, _ failures: [String: Set<RunVariation?>]
    ) -> [RunVariation] {
        let usual = RunVariation(seed: settings.firstSeed(own: scenario.seed), order: 0)
        let found = (failures[scenario.name] ?? []).compactMap(\.self).sorted { ($0.seed, $0.order) < ($1.seed, $1.order) }
        return found == [usual] ? [] : found
    }

    /// The records that the runs will have, as far as their names go, in the order of the output.
    var namedRecords: some Sequence<RunRecord> {
        let files = broken.lazy.map { RunRecord(of: $0.file, number: $0.number) }
        let runs = (0..<count).lazy.map { index in
            let (scenario, variation) = run(index)
            return RunRecord(
                name: scenario.name, path: scenario.path, title: "", variation: variation, isVaried: isVaried, outcome: .passed, replay: "")
        }
        return [AnySequence(files), AnySequence(runs)].joined()
    }

    /// Where `--until` ends a run; `nil` where no step stands behind that line.
    func earlyEnd(of index: Int) -> RunRecord.EarlyEnd? {
        guard let until = settings.until else { return nil }
        let scenario = place(of: index).0.scenario
        let left = scenario.steps.count - scenario.cut(behind: until).steps.count
        return left > 0 ? RunRecord.EarlyEnd(line: until, steps: left) : nil
    }

    /// The run's number among those of all shards, behind the files that cannot be run.
    func position(of index: Int) -> Int {
        let (part, number) = place(of: index)
        return extent.brokenCount + part.before + number
    }

    /// The part that a run belongs to, and its number among all runs of the scenario.
    private func place(of index: Int) -> (Part, Int) {
        var (low, high) = (0, parts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= index { low = middle } else { high = middle }
        }
        return (parts[low], parts[low].first + (index - starts[low]) * (settings.shard?.count ?? 1))
    }
}

/// What a command line of `run` asks for.
struct RunSettings: Sendable {
    static let defaultSeed: UInt64 = 1

    let command: ParsedCommand
    /// The seed the user named; scenarios with a seed of their own follow it too.
    let namedSeed: UInt64?
    let seedCount: UInt64
    let orders: [UInt64]
    let jobs: Int
    let isRepeated: Bool
    let failsFast: Bool
    let roots: String?
    let trace: TraceTarget?
    /// How many crash points a scenario may have; `nil`: as DeviceSim has it.
    let crashPoints: Int?
    /// How long one piece of the apps' code may take, in seconds; `nil`: for ever.
    let stuckAfter: Double?
    let reports: [ReportRequest]
    /// Where a job of GitHub Actions has its summary.
    let summaryFile: String?
    /// Whether a report wants runs told, and whether those too that passed.
    let tellsRuns: Bool
    /// How many runs the reports tell that want the most.
    let toldRunLimit: Int
    let tellsAll: Bool
    /// Whether traces and pictures tell the values of plain keys, and what apps send by themselves.
    let showsValues: Bool
    let verbosity: Verbosity
    /// `nil`: everything.
    let shard: Shard?
    /// The line of the file behind which no step is run.
    let until: Int?
    /// How many of the last events a failure shows; `nil`: some of each device.
    let events: Int?
    /// How many of the slowest scenarios are named.
    let slowest: Int

    enum Verbosity: Sendable { case quiet, normal, verbose }

    init(_ command: ParsedCommand, cores: Int, environment: [String: String] = [:]) throws(UsageError) {
        self.command = command
        shard = try Shard.chosen(by: command, environment: environment)
        namedSeed = command.number(.seed)
        seedCount = command.number(.seeds) ?? 1
        let order = command.number(.order)
        let moreOrders = command.number(.orders) ?? 0
        guard order == nil || moreOrders == 0 else {
            throw UsageError("--order and --orders exclude each other: one order, or many", command: .run)
        }
        guard !(namedSeed ?? Self.defaultSeed).addingReportingOverflow(seedCount - 1).overflow else {
            throw UsageError("There are no \(seedCount) seeds from --seed on", command: .run)
        }
        orders = order.map { [$0] } ?? Array(0...moreOrders)
        jobs = command.number(.jobs).map { Int($0) } ?? max(1, cores)
        isRepeated = command.has(.repeat)
        failsFast = command.has(.failFast)
        roots = command.text(.roots)
        stuckAfter = try StuckAfter.seconds(of: command)
        crashPoints = command.number(.crashPoints).map { Int(clamping: $0) }
        trace = command.text(.trace).map { TraceTarget($0) }
        reports = command.texts(.report).compactMap { ReportRequest(option: $0) } + TestRunnerFiles.reports(environment)
        summaryFile = environment["GITHUB_STEP_SUMMARY"].flatMap { $0.isEmpty ? nil : $0 }
        let areTold = reports.contains { $0.format.tellsRuns }
        tellsRuns = areTold || summaryFile != nil
        toldRunLimit = areTold ? ToldRun.runLimit : JobSummary.diagramLimit
        tellsAll = command.has(.pictures)
        showsValues = command.has(.values)
        until = command.number(.until).map { Int($0) }
        events = command.number(.events).map { Int($0) }
        slowest = Int(command.number(.slowest) ?? 0)
        if command.has(.update), command.has(.failed) || shard != nil || roots != nil || command.has(.until) {
            throw UsageError(
                "--update runs whole scenarios in memory, and goes with none of --failed, --shard, --roots and --until", command: .run)
        }
        if command.has(.update), command.names(.report) || command.names(.trace) {
            throw UsageError("--update writes no report and no trace; run once more for these", command: .run)
        }
        if command.has(.update), command.operands.contains("-") {
            throw UsageError("--update writes into files, and standard input (-) is none", command: .run)
        }
        verbosity = command.has(.quiet) ? .quiet : command.has(.verbose) ? .verbose : .normal
        let machineOutputs = reports.count { $0.path == "-" } + (trace == .standardOutput ? 1 : 0) + (command.has(.json) ? 1 : 0)
        guard machineOutputs <= 1 else {
            throw UsageError("Standard output (-) can take only one report or trace, or the answer of --json", command: .run)
        }
    }

    /// Whether somebody reads about every run.
    var keepsRecords: Bool { !reports.isEmpty || summaryFile != nil || command.has(.json) }

    var seed: UInt64 { namedSeed ?? Self.defaultSeed }
    var takesStandardOutput: Bool { trace == .standardOutput || reports.contains { $0.path == "-" } }

    /// The first seed of a scenario that names this one, or none. What the command line says comes first.
    func firstSeed(own: UInt64?) -> UInt64 { namedSeed ?? own ?? Self.defaultSeed }

    /// What a run has to be repeated with to come out the same, apart from seed and order.
    /// - Parameter variation: What the project's file would make several runs of.
    func replayOptions(for variation: RunVariation) -> String {
        let project = command.projectOptions
        return (project.contains(.seeds) ? " --seeds 1" : "")
            + (variation.order == 0 && !project.isDisjoint(with: [.order, .orders]) ? " --order 0" : "") + (isRepeated ? " --repeat" : "")
            + (roots.map { " --roots \(ShellWord.quoted($0))" } ?? "")
            + (crashPoints.map { " --crash-points \($0)" } ?? "") + (until.map { " --until \($0)" } ?? "")
    }
}

extension Scenario {
    /// The scenario without the steps that stand behind a line of its file.
    fileprivate func cut(behind line: Int) -> Scenario {
        guard let end = steps.firstIndex(where: { $0.range.path == path && $0.range.line > line }) else { return self }
        // What a canary is there for is its last step, which is left out.
        var header = header
        header.canary = nil
        return replacing(steps: Array(steps[..<end]), header: header)
    }

    /// The same scenario with other steps.
    func replacing(steps: [ScenarioStep], header: ScenarioHeader? = nil) -> Scenario {
        Scenario(
            name: name, path: path, header: header ?? self.header, row: row, keys: keys, catalogs: catalogs, start: start, knobs: knobs,
            seed: seed,
            order: order,
            steps: steps)
    }
}

/// What tells one run of a scenario from another.
struct RunVariation: Sendable, Hashable {
    let seed: UInt64
    /// 0 is what the scenario names, or first in, first out; any other number seeds the order of ready work.
    let order: UInt64

    var readyOrder: ReadyOrder? { order == 0 ? nil : .seeded(order) }
}

/// What an invocation selects, shards or not: what tells whether two shards have parts of the same.
struct SelectionExtent: Sendable, Hashable {
    let scenarios: Int
    /// Each scenario under each seed and order.
    let runs: Int
    let brokenCount: Int
    /// Of the names of all that is selected and what it says, and of the seeds and orders. Where no report is asked for, of the names alone.
    let digest: String

    /// How many runs, and files that cannot be run, the reports of all shards have together, but for those that were not made.
    var count: Int { runs + brokenCount }

    init(scenarios: Int, runs: Int, brokenCount: Int, digest: String) {
        self.scenarios = scenarios
        self.runs = runs
        self.brokenCount = brokenCount
        self.digest = digest
    }

    init(files: [SelectedFile], settings: RunSettings, runs: Int) {
        scenarios = files.reduce(0) { $0 + $1.scenarios.count }
        self.runs = runs
        brokenCount = files.count { !$0.problems.isEmpty }
        var text =
            "seed \(settings.namedSeed.map(String.init) ?? "-") \(settings.seedCount) orders \(settings.orders.count) \(settings.orders[0])\n"
        for file in files {
            text += "\(file.identity) \(file.scenarios.count) \(file.scenarios.map { $0.row ?? "" })\n"
            // A file may say something else under its name: a report of then is none of now.
            if settings.keepsRecords { for scenario in file.scenarios { text += scenario.notation(header: []) } }
        }
        digest = TraceFingerprint(of: Array(text.utf8)).description
    }
}
