import DeviceSim
import Foundation

/// Whether memory stays flat over many runs.
enum MemoryBenchmark {
    static func run(count: Int) throws {
        let scenario = try SimulationBenchmark.scenario()
        var table = Table(["memory after", "MiB", "against 1,000 runs"])
        var base = 0
        for index in 1...count {
            try SimulationBenchmark.pass(scenario, seed: UInt64(index))
            guard index == 1_000 || index % (count / 4) == 0 else { continue }
            let bytes = Measurement.residentBytes()
            if base == 0 { base = bytes }
            table.add("\(Figure.count(index)) runs", "\(bytes / 1_048_576)", Figure.ratio(Double(bytes) / Double(base)))
        }
        table.print()
    }
}
