import DeviceSim
import Foundation
import Synchronization

/// How many explored runs are made in a second, with all checks on, over how many cores; and where their time goes.
enum ExplorationBenchmark {
    static func explorer(stopwatch: RunStopwatch? = nil) throws -> Explorer {
        guard let world = SearchSpace.builtIn else { throw BenchmarkError(message: "the built-in world does not compile") }
        var options = Explorer.Options(world: world)
        options.run.stopwatch = stopwatch
        return Explorer(options)
    }

    static func run() throws {
        let explorer = try explorer()
        for index in 0..<300 { try pass(explorer, index) }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        var table = Table(["explored runs, all checks on", "a second", "against one core"])
        var base = 0.0
        for count in Set([1, cores]).sorted() {
            Progress.say("exploration: \(count) of \(cores) cores")
            let rate = try rate(explorer, threads: count)
            if base == 0 { base = rate }
            table.add("on \(count) of \(cores) cores", Figure.count(Int(rate)), Figure.ratio(rate / base))
        }
        table.print()
        try division()
    }

    /// Runs a second, if so many threads have a core each to themselves: by processor time, since others may use the machine as well.
    private static func rate(_ explorer: Explorer, threads: Int) throws -> Double {
        let count = 1_000
        var rates: [Double] = []
        for round in 0..<3 {
            let failure = Mutex<(any Error)?>(nil)
            let start = Measurement.processorTime
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                do {
                    for index in 0..<count { try pass(explorer, (round * threads + thread) * count + index) }
                } catch {
                    failure.withLock { $0 = error }
                }
            }
            rates.append(Double(count * threads * threads) / (Measurement.processorTime - start))
            if let error = failure.withLock({ $0 }) { throw error }
        }
        return Measurement.median(rates)
    }

    static func pass(_ explorer: Explorer, _ index: Int) throws {
        guard let violation = explorer.run(index).violation else { return }
        throw BenchmarkError(message: "run \(index) breaks a promise: \(violation.explanation.joined(separator: "; "))")
    }

    private static func division() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let stopwatch = RunStopwatch {
            let (seconds, attoseconds) = (clock.now - start).components
            return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
        }
        let explorer = try explorer(stopwatch: stopwatch)
        let before = RunStopwatch.Part.allCases.map { stopwatch.total(of: $0) }
        let count = 1_000
        for index in 0..<count { try pass(explorer, index) }
        let spent = zip(RunStopwatch.Part.allCases, before).map { ($0, Double(stopwatch.total(of: $0) - $1) / 1e9) }
        let whole = spent.reduce(0) { $0 + $1.1 }
        var table = Table(["the time of an explored run", "each", "share"])
        for (part, seconds) in spent {
            table.add(name(of: part), Figure.time(seconds / Double(count)), "\(Int((100 * seconds / whole).rounded())) %")
        }
        table.print()
    }

    private static func name(of part: RunStopwatch.Part) -> String {
        switch part {
        case .work: "code under test, with the storage and session it calls"
        case .scheduling: "scheduler"
        case .trace: "trace"
        case .checks: "checks"
        case .other: "drawing, setting up, taking down"
        }
    }
}
