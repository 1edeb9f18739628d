import DeviceSim
import Foundation
import WatchConnectivity

/// Whether queued transfers drain in time linear in their number.
enum TransferBenchmark {
    static func run(counts: [Int] = [1_000, 10_000, 100_000]) throws {
        var table = Table(["queued user infos", "queued and drained in", "each", "against the first row"])
        var base = 0.0
        for count in counts {
            Progress.say("transfers: \(count)")
            let rounds = max(1, counts[0] * 10 / count)
            let seconds = try Measurement.median((0..<max(3, rounds)).map { _ in try drain(count) })
            let each = seconds / Double(count)
            if base == 0 { base = each }
            table.add(Figure.count(count), Figure.time(seconds), Figure.time(each), Figure.ratio(each / base))
        }
        table.print()
    }

    /// Seconds by the wall clock for one run: out of range, so many user infos are queued; in range again, all arrive.
    private static func drain(_ count: Int) throws -> Double {
        var options = SimulationOptions()
        options.workLimit = .max
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        simulation.setLink(up: false)
        let clock = ContinuousClock()
        let start = clock.now
        try simulation.run(on: simulation.phone) {
            for number in 0..<count { WCSession.default.transferUserInfo(["n": number]) }
        }
        simulation.setLink(up: true)
        try simulation.settle(limit: .seconds(1_000_000))
        let elapsed = (clock.now - start) / .seconds(1)
        let arrived = simulation.trace.events.count { $0.kind == .userInfoDelivered }
        guard arrived == count else { throw BenchmarkError(message: "\(arrived) of \(count) arrived") }
        return elapsed
    }
}
