import DeviceSim
import Foundation

/// Whether memory stays flat over many runs.
enum MemoryBenchmark {
    static func run(count: Int, exploredCount: Int) throws {
        let scenario = try SimulationBenchmark.scenario()
        try table("memory after simulations", count: count) { try SimulationBenchmark.pass(scenario, seed: UInt64($0)) }
        let explorer = try ExplorationBenchmark.explorer()
        try table("memory after explored runs", count: exploredCount) { try ExplorationBenchmark.pass(explorer, $0) }
    }

    private static func table(_ title: String, count: Int, _ run: (Int) throws -> Void) throws {
        var table = Table([title, "MiB", "against 1,000"])
        var base = 0
        for index in 1...count {
            try run(index)
            guard index == 1_000 || index % (count / 4) == 0 else { continue }
            let bytes = Measurement.residentBytes()
            if base == 0 { base = bytes }
            Progress.say("\(title): \(index) of \(count)")
            table.add(Figure.count(index), "\(bytes / 1_048_576)", Figure.ratio(Double(bytes) / Double(base)))
        }
        table.print()
    }
}
