import DeviceSim
import Foundation

/// How many simulations of a 20-step sync scenario one core runs in a second, in memory.
enum SimulationBenchmark {
    /// Twenty steps: a value set out of range, edits on both sides, a deletion, relaunches.
    static let source = """
        # A day of settings, on both devices.

        key theme: String
            domain userDefaults
            security none
            sync automaticSmall
        key volume: Int
            domain userDefaults
            security none
            sync automaticSmall

        phone set theme "dark"
        expect watch theme "dark" within 5s
        link down
        phone set theme "light"
        phone set volume 3
        watch set volume 5
        watch set volume 7
        expect watch theme "dark"
        link up
        expect watch theme "light" within 5s
        expect devices agree within 5s
        phone relaunch
        wait 1s
        phone set theme "blue"
        expect watch theme "blue" within 5s
        watch terminate
        phone remove theme
        watch launch
        expect watch theme missing within 5s
        expect devices agree
        """

    static func scenario() throws -> Scenario {
        let compilation = ScenarioCompiler.compile(path: "benchmark.scenario", files: .memory(["benchmark.scenario": source]))
        guard let scenario = compilation.scenarios.first else {
            throw BenchmarkError(message: compilation.diagnostics.map { "\($0)" }.joined(separator: "\n"))
        }
        return scenario
    }

    static func run() throws {
        let scenario = try scenario()
        for _ in 0..<200 { try pass(scenario, seed: 1) }
        var rates: [Double] = []
        for round in 0..<5 {
            let count = 1_000
            let start = Measurement.processorTime
            for index in 0..<count { try pass(scenario, seed: UInt64(round * count + index)) }
            rates.append(Double(count) / (Measurement.processorTime - start))
        }
        var table = Table(["simulations of \(scenario.steps.count) steps", "a second of processor time", "each"])
        let rate = Measurement.median(rates)
        table.add("in memory", Figure.count(Int(rate)), Figure.time(1 / rate))
        table.print()
    }

    static func pass(_ scenario: Scenario, seed: UInt64) throws {
        var options = RunOptions()
        options.seed = seed
        let result = ScenarioRunner.run(scenario, options: options)
        guard case .passed = result.outcome else { throw BenchmarkError(message: "the scenario fails: \(result.outcome)") }
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
