import DeviceSim
import Foundation
import LocalData

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What others do with the same bytes, and how fast bare Swift is, beside LocalData and DeviceSim.
enum AnchorBenchmark {
    static func run() async throws {
        try await stores()
        try executors()
        try virtualTime()
    }

    /// One value of 4 KiB, written so that it survives a power loss, and read.
    private static func stores() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("localdata-anchors-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let router = StorageRouter(environment: try HostEnvironment.make(in: folder))
        let path = folder.appendingPathComponent("Documents/bare").path
        let key = StorageBenchmark.Note(name: "plain", domain: .fileSystem(directory: .documents))
        var number = 0
        func bytes() -> Data {
            number += 1
            return Data(repeating: UInt8(truncatingIfNeeded: number), count: 4_096)
        }
        var rows: [(String, () async throws -> Void, () async throws -> Void)] = [
            ("LocalData, fileSystem", { try await router.set(bytes(), for: key) }, { _ = try await router.get(key) })
        ]
        for journal in ["wal", "delete"] {
            guard let database = try SQLite(path: folder.appendingPathComponent("\(journal).sqlite").path, journal: journal) else {
                Progress.say("anchors: there is no SQLite library here, so it is left out")
                break
            }
            rows.append(
                (
                    "SQLite \(database.version), journal \(journal), synchronous full", { try database.set(bytes(), for: "plain") },
                    { _ = try database.get("plain") }
                ))
        }
        #if os(Linux)
            // Foundation keeps its preferences below the home directory.
            setenv("CFFIXED_USER_HOME", folder.path, 1)
            if let defaults = UserDefaults(suiteName: "benchmark") {
                rows.append(
                    (
                        "Foundation's UserDefaults, with `synchronize`, not durable",
                        {
                            defaults.set(bytes(), forKey: "plain")
                            _ = defaults.synchronize()
                        }, { _ = defaults.data(forKey: "plain") }
                    ))
            }
        #endif
        var table = Table(["a value of 4 KiB", "set", "against write+fsync+rename+fsync dir", "get", "against read"])
        for (name, set, get) in rows {
            Progress.say("anchors: \(name)")
            let written = try await Measurement.pair(batch: 8, set, { try Bare.write(bytes(), to: path) })
            let read = try await Measurement.pair(batch: 200, get, { _ = try Bare.read(path) })
            table.add(name, Figure.time(written.first), Figure.ratio(written.ratio), Figure.time(read.first), Figure.ratio(read.ratio))
        }
        table.print()
    }

    /// How many pieces of work an executor runs in a second of processor time: one task that gives way again and again.
    private static func executors() throws {
        Progress.say("anchors: executors")
        let count = 200_000
        var table = Table(["executor of tasks", "jobs a second, one core", "against a bare one"])
        let bare = try rate(count) {
            let executor = QueueExecutor()
            let isDone = Flag()
            Task(executorPreference: executor) {
                for _ in 0..<count { await Task.yield() }
                isDone.raise()
            }
            executor.run(until: isDone)
        }
        let simulated = try rate(count) {
            var options = SimulationOptions()
            options.workLimit = .max
            options.waitWorkLimit = .max
            let simulation = Simulation(options: options)
            defer { simulation.shutDown() }
            try simulation.launchBoth()
            try simulation.run(on: simulation.phone) { for _ in 0..<count { await Task.yield() } }
        }
        table.add("a queue in an array", Figure.count(Int(bare)), Figure.ratio(1))
        table.add("the simulation's", Figure.count(Int(simulated)), Figure.ratio(simulated / bare))
        table.print()
    }

    private static func rate(_ count: Int, _ body: () throws -> Void) throws -> Double {
        let rates = try (0..<5).map { _ in
            let start = Measurement.processorTime
            try body()
            return Double(count) / (Measurement.processorTime - start)
        }
        return Measurement.median(rates)
    }

    /// How much virtual time passes in a second of processor time. It says as much of what is simulated as of the simulator: nothing is computed between two
    /// events.
    private static func virtualTime() throws {
        Progress.say("anchors: virtual time")
        var table = Table(["simulated", "virtual seconds for a second of processor time"])
        let scenario = try SimulationBenchmark.scenario()
        let explorer = try ExplorationBenchmark.explorer()
        let runs = 400
        table.add(
            "the 20 steps of the simulations above",
            Figure.count(
                Int(try speed { try (0..<500).reduce(0.0) { try $0 + seconds(of: scenario, seed: UInt64($1)) } })))
        let virtual = try (0..<runs).reduce(0.0) { try $0 + seconds(of: explorer.draw($1).scenario, seed: nil) }
        table.add(
            "explored runs, all checks on",
            Figure.count(
                Int(
                    try speed {
                        for index in 0..<runs { try ExplorationBenchmark.pass(explorer, index) }
                        return virtual
                    })))
        table.add("published: TigerBeetle's VOPR", "about 700")
        table.add("published: FoundationDB's simulation", "about 10")
        table.print()
    }

    /// - Parameter body: Answers how many virtual seconds it simulated.
    private static func speed(_ body: () throws -> Double) throws -> Double {
        let start = Measurement.processorTime
        let virtual = try body()
        return virtual / (Measurement.processorTime - start)
    }

    private static func seconds(of scenario: Scenario, seed: UInt64?) throws -> Double {
        var options = RunOptions()
        if let seed { options.seed = seed }
        return Double(ScenarioRunner.run(scenario, options: options).duration.microseconds) / 1e6
    }
}
