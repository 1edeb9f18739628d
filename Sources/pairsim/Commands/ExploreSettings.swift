import Foundation

/// What a command line of `explore` asks for.
struct ExploreSettings: Sendable {
    static let defaultRuns = 10_000

    let command: ParsedCommand
    let seed: UInt64
    /// How many runs to make at most, all shards together.
    let runs: Int
    /// When to stop, in seconds from the beginning; `nil`: when the runs are made.
    let seconds: Double?
    let jobs: Int
    let strategies: [OrderStrategy]
    /// The kinds of faults that are drawn; `nil`: all.
    let faultKinds: Set<FaultKind>?
    let steps: Int
    /// One run in this many is made twice; 0: none.
    let recheckInterval: Int
    /// How long one piece of the apps' code may take, in seconds; `nil`: for ever.
    let stuckAfter: Double?
    let folder: String?
    /// Where the search keeps how far it has come, and goes on from.
    let progress: String?
    let only: Int?
    /// Another build of the tool, which makes each run too.
    let against: String?
    /// Whether to count what the runs exercise.
    let countsCoverage: Bool
    /// Where what was not tried is written.
    let proposals: String?
    let isQuiet: Bool
    /// Whether every order and crash point of the files is tried, and nothing drawn.
    let isExhaustive: Bool
    /// Whether a power loss is tried at each crash point, too.
    let losesPower: Bool
    /// At most this many steps make a small world; `nil`: as many as usual.
    let stepLimit: Int?
    /// Whether runs are about keys of the tool's own too: besides those of the files, or because no file was named.
    let hasOwnKeys: Bool
    let reports: [ReportRequest]
    /// `nil`: all runs.
    let shard: Shard?
    /// The shard that the environment names, where the work is not divided.
    let undividedShard: Shard?

    init(_ command: ParsedCommand, cores: Int, environment: [String: String] = [:]) throws(UsageError) {
        self.command = command
        seed = command.number(.seed) ?? 1
        if let text = command.text(.for) {
            guard let time = VirtualDuration(notation: text), time > .zero else {
                throw UsageError("--for takes a time up to \(VirtualDuration.longestNotation), such as 60s, 10min or 2h", command: .explore)
            }
            seconds = Double(time.microseconds) / 1_000_000
        } else {
            seconds = nil
        }
        runs = command.number(.runs).map { Int($0) } ?? (seconds == nil ? Self.defaultRuns : Int.max)
        jobs = command.number(.jobs).map { Int($0) } ?? max(1, cores)
        let named = command.texts(.strategy).compactMap(OrderStrategy.init)
        strategies = named.isEmpty ? [.fifo, .random, .pct] : named
        let kinds = command.texts(.fault)
        if let unknown = kinds.first(where: { FaultKind(rawValue: $0) == nil && $0 != "none" }) {
            let known = FaultKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--fault \(unknown): there is no such kind of fault; there are \(known), and none", command: .explore)
        }
        faultKinds = kinds.isEmpty ? nil : Set(kinds.compactMap(FaultKind.init))
        steps = command.number(.steps).map { Int($0) } ?? 24
        let share = command.number(.recheck) ?? 5
        recheckInterval = share == 0 ? 0 : Int(max(1, 100 / share))
        stuckAfter = try StuckAfter.seconds(of: command)
        folder = command.text(.save)
        progress = command.text(.resume)
        only = command.number(.only).map { Int($0) }
        against = command.text(.against)
        if against != nil, progress != nil {
            throw UsageError("--resume does not keep what the other build had; leave it or --against out", command: .explore)
        }
        proposals = command.text(.propose)
        countsCoverage = command.has(.coverage) || proposals != nil
        if countsCoverage, only != nil {
            throw UsageError("--coverage is about a whole search; leave --only out, or give --runs 1", command: .explore)
        }
        isQuiet = command.has(.quiet)
        isExhaustive = command.has(.exhaustive)
        losesPower = command.has(.powerLoss)
        stepLimit = isExhaustive ? command.number(.steps).map { Int($0) } : nil
        if isExhaustive {
            let others: [OptionName] = [
                .strategy, .fault, .recheck, .ownKeys, .resume, .only, .shard, .shardCount, .coverage, .propose, .against,
            ]
            if let other = others.first(where: { command.has($0) || !command.texts($0).isEmpty || command.number($0) != nil }) {
                throw UsageError(
                    "--exhaustive draws nothing, so --\(other.rawValue) says nothing to it; leave one of them out", command: .explore)
            }
        } else if losesPower {
            throw UsageError(
                "--power-loss is for --exhaustive, which tries every crash point; a search draws power losses by itself", command: .explore)
        }
        hasOwnKeys = command.operands.isEmpty || command.has(.ownKeys)
        reports = command.texts(.report).compactMap { ReportRequest(option: $0) } + TestRunnerFiles.reports(environment)
        // A run of a search has the same number whichever shard made it, so it is made again wherever one is.
        shard = only == nil && !isExhaustive ? try Shard.chosen(by: command, environment: environment) : nil
        // What the environment says of shards is no mistake where nothing is divided.
        undividedShard = isExhaustive ? try? Shard.chosen(by: command, environment: environment) : nil
        guard reports.count(where: { $0.path == "-" }) + (command.has(.json) ? 1 : 0) <= 1 else {
            throw UsageError("Standard output (-) can take only one report", command: .explore)
        }
    }

    /// The options that decide what `--exhaustive` tries, for commands to paste.
    var exhaustiveOptions: String {
        var text = " --seed \(seed)"
        if losesPower { text += " --power-loss" }
        if let stepLimit { text += " --steps \(stepLimit)" }
        if command.has(.runs) || command.number(.runs) != nil { text += " --runs \(runs)" }
        return text
    }

    /// The options that decide what is drawn, for commands to paste.
    var drawOptions: String {
        var text = " --seed \(seed)"
        if command.has(.ownKeys) { text += " --own-keys" }
        for strategy in command.texts(.strategy) { text += " --strategy \(strategy)" }
        for kind in command.texts(.fault) { text += " --fault \(kind)" }
        if command.has(.steps) { text += " --steps \(steps)" }
        if let against { text += " --against \(ShellWord.quoted(against))" }
        return text
    }
}
