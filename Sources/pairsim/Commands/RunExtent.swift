import DeviceSim

/// What an invocation selects, shards or not: what tells whether two shards have parts of the same.
struct RunExtent: Sendable, Hashable {
    let scenarios: Int
    /// Each scenario under each seed and order.
    let runs: Int
    let brokenCount: Int
    /// Of the names of all that is selected, and of the seeds and orders.
    let digest: String

    init(scenarios: Int, runs: Int, brokenCount: Int, digest: String) {
        self.scenarios = scenarios
        self.runs = runs
        self.brokenCount = brokenCount
        self.digest = digest
    }

    init(files: [SelectedFile], settings: RunSettings, runsPerScenario: Int) {
        scenarios = files.reduce(0) { $0 + $1.scenarios.count }
        runs = scenarios * runsPerScenario
        brokenCount = files.count { !$0.problems.isEmpty }
        var text =
            "seed \(settings.namedSeed.map(String.init) ?? "-") \(settings.seedCount) orders \(settings.orders.count) \(settings.orders[0])\n"
        for file in files { text += "\(file.identity) \(file.scenarios.count) \(file.scenarios.map { $0.row ?? "" })\n" }
        digest = TraceFingerprint(of: Array(text.utf8)).description
    }
}
