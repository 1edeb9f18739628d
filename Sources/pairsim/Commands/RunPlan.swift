import DeviceSim

/// The runs to make: each scenario under each of its seeds, under each order; of a shard, its part of them. Never laid out in memory; a million runs cost
/// nothing.
struct RunPlan: Sendable {
    let settings: RunSettings
    /// How often each scenario is run, by all shards together.
    let runsPerScenario: Int
    /// The files that cannot be run and are this shard's to complain of, each with its number among all such files.
    let broken: [(file: SelectedFile, number: Int)]
    /// What all shards together run.
    let extent: RunExtent
    private let parts: [Part]
    /// The number of runs before each part.
    private let starts: [Int]
    let count: Int

    /// The runs of one scenario: every `stride`-th from the first on.
    private struct Part {
        let scenario: Scenario
        /// The scenario's number among all that are selected, by any shard.
        let number: Int
        let first: Int
        let count: Int
    }

    init(files: [SelectedFile], settings: RunSettings) {
        self.settings = settings
        let perScenario = Int(settings.seedCount) * settings.orders.count
        runsPerScenario = perScenario
        let shards = settings.shard?.count ?? 1
        let homes = settings.shard.map { ShardHomes.deal(files.map(\.identity), count: $0.count) } ?? files.map { _ in 0 }
        var parts: [Part] = []
        var broken: [(file: SelectedFile, number: Int)] = []
        var number = 0
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
                if first < perScenario {
                    parts.append(Part(scenario: scenario, number: number, first: first, count: (perScenario - first - 1) / shards + 1))
                }
                number += 1
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
        extent = RunExtent(files: files, settings: settings, runsPerScenario: perScenario)
    }

    var isVaried: Bool { runsPerScenario > 1 }
    /// How many scenarios are run here, at least under one seed and order.
    var scenarioCount: Int { parts.count }

    func run(_ index: Int) -> (scenario: Scenario, variation: RunVariation) {
        let (part, number) = place(of: index)
        let (seed, order) = number.quotientAndRemainder(dividingBy: settings.orders.count)
        // A scenario's own seed may be the highest there is; counting up from it then starts again at 0.
        let first = settings.firstSeed(own: part.scenario.seed)
        return (part.scenario, RunVariation(seed: first &+ UInt64(seed), order: settings.orders[order]))
    }

    /// The run's number among those of all shards, behind the files that cannot be run.
    func position(of index: Int) -> Int {
        let (part, number) = place(of: index)
        return extent.brokenCount + part.number * runsPerScenario + number
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
