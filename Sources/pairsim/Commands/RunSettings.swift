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
    let reports: [ReportRequest]
    let verbosity: Verbosity
    /// `nil`: everything.
    let shard: Shard?

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
        crashPoints = command.number(.crashPoints).map { Int(clamping: $0) }
        trace = command.text(.trace).map { TraceTarget($0) }
        reports = command.texts(.report).compactMap { ReportRequest(option: $0) } + TestRunnerFiles.reports(environment)
        verbosity = command.has(.quiet) ? .quiet : command.has(.verbose) ? .verbose : .normal
        let machineOutputs = reports.count { $0.path == "-" } + (trace == .standardOutput ? 1 : 0)
        guard machineOutputs <= 1 else {
            throw UsageError("Standard output (-) can take only one report or trace", command: .run)
        }
    }

    var seed: UInt64 { namedSeed ?? Self.defaultSeed }
    var takesStandardOutput: Bool { trace == .standardOutput || reports.contains { $0.path == "-" } }

    /// The first seed of a scenario that names this one, or none. What the command line says comes first.
    func firstSeed(own: UInt64?) -> UInt64 { namedSeed ?? own ?? Self.defaultSeed }

    /// What a run has to be repeated with to come out the same, apart from seed and order.
    var replayOptions: String {
        (isRepeated ? " --repeat" : "") + (roots.map { " --roots \(ShellWord.quoted($0))" } ?? "")
            + (crashPoints.map { " --crash-points \($0)" } ?? "")
    }
}
