import DeviceSim

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
    let steps: Int
    /// One run in this many is made twice; 0: none.
    let recheckInterval: Int
    let folder: String?
    let only: Int?
    let isQuiet: Bool
    let reports: [ReportRequest]
    /// `nil`: all runs.
    let shard: Shard?

    init(_ command: ParsedCommand, cores: Int, environment: [String: String] = [:]) throws(UsageError) {
        self.command = command
        seed = command.number(.seed) ?? 1
        if let text = command.text(.for) {
            guard let time = VirtualDuration(notation: text), time > .zero else {
                throw UsageError("--for takes a time, such as 60s, 10min or 2h", command: .explore)
            }
            seconds = Double(time.microseconds) / 1_000_000
        } else {
            seconds = nil
        }
        runs = command.number(.runs).map { Int($0) } ?? (seconds == nil ? Self.defaultRuns : Int.max)
        jobs = command.number(.jobs).map { Int($0) } ?? max(1, cores)
        let named = command.texts(.strategy).compactMap(OrderStrategy.init)
        strategies = named.isEmpty ? [.fifo, .random, .pct] : named
        steps = command.number(.steps).map { Int($0) } ?? 24
        let share = command.number(.recheck) ?? 5
        recheckInterval = share == 0 ? 0 : Int(max(1, 100 / share))
        folder = command.text(.save)
        only = command.number(.only).map { Int($0) }
        isQuiet = command.has(.quiet)
        reports = command.texts(.report).compactMap { ReportRequest(option: $0) } + TestRunnerFiles.reports(environment)
        // A run of a search has the same number whichever shard made it, so it is made again wherever one is.
        shard = only == nil ? try Shard.chosen(by: command, environment: environment) : nil
        guard reports.count(where: { $0.path == "-" }) <= 1 else {
            throw UsageError("Standard output (-) can take only one report", command: .explore)
        }
    }

    /// The options that decide what is drawn, for commands to paste.
    var drawOptions: String {
        var text = " --seed \(seed)"
        for strategy in command.texts(.strategy) { text += " --strategy \(strategy)" }
        if command.has(.steps) { text += " --steps \(steps)" }
        return text
    }
}
