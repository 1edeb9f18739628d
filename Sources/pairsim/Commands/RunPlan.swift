import DeviceSim

/// The runs to make: each scenario under each of its seeds, under each order. Never laid out in memory; a million runs cost nothing.
struct RunPlan: Sendable {
    let scenarios: [Scenario]
    let settings: RunSettings
    let runsPerScenario: Int

    init(scenarios: [Scenario], settings: RunSettings) {
        self.scenarios = scenarios
        self.settings = settings
        runsPerScenario = Int(settings.seedCount) * settings.orders.count
    }

    var count: Int { scenarios.count * runsPerScenario }
    var isVaried: Bool { runsPerScenario > 1 }

    func run(_ index: Int) -> (scenario: Scenario, variation: RunVariation) {
        let scenario = scenarios[index / runsPerScenario]
        let (seed, order) = (index % runsPerScenario).quotientAndRemainder(dividingBy: settings.orders.count)
        // A scenario's own seed may be the highest there is; counting up from it then starts again at 0.
        let first = settings.firstSeed(own: scenario.seed)
        return (scenario, RunVariation(seed: first &+ UInt64(seed), order: settings.orders[order]))
    }
}
