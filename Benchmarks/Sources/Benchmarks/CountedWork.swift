import DeviceSim
import Foundation
import LocalData

/// Work whose instructions are counted, by `Scripts/instructions`, and held to a budget: the same on every machine of one kind, however busy it is.
///
/// Each is done so many times as is asked for; what one more costs is the difference of two counts.
enum CountedWork: String, CaseIterable {
    /// The 20 steps of ``SimulationBenchmark``.
    case simulation
    /// Both apps are launched.
    case launch
    /// A synced value is set in a file, and arrives.
    case set
    /// A synced value is read from a file.
    case get
    /// One run of a search with all checks. Each is another one.
    case run
    /// 64 bytes are sealed.
    case seal

    private static let world = """
        # Counted.

        key theme: String
            domain fileSystem documents
            security none
            sync automaticSmall

        phone set theme "dark"
        settle

        """

    func perform(times: Int) throws {
        switch self {
        case .simulation:
            let scenario = try SimulationBenchmark.scenario()
            for _ in 0..<times { try SimulationBenchmark.pass(scenario, seed: 1) }
        case .launch: try perform(times: times, steps: { _ in "phone relaunch\nwatch relaunch\nsettle" })
        case .set: try perform(times: times, steps: { "phone set theme \"value \($0 % 10)\"\nsettle" })
        case .get: try perform(times: times, steps: { _ in "phone get theme" })
        case .run:
            let explorer = try ExplorationBenchmark.explorer()
            for index in 0..<times { try ExplorationBenchmark.pass(explorer, index) }
        case .seal:
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("localdata-counted-\(getpid())")
            defer { try? FileManager.default.removeItem(at: folder) }
            let helper = try SealingBenchmark.helper(in: folder)
            let (executor, isDone) = (QueueExecutor(), Flag())
            // On this thread alone: valgrind does not stand the threads that a program gets which waits.
            Task(executorPreference: executor) {
                for _ in 0..<times {
                    _ = try? await helper.encrypt(Data(repeating: 0x5A, count: 64), policy: .recommended, identity: "benchmark")
                }
                isDone.raise()
            }
            executor.run(until: isDone)
        }
    }

    private func perform(times: Int, steps: (Int) -> String) throws {
        let text = Self.world + (0..<times).map(steps).joined(separator: "\n") + "\n"
        let compilation = ScenarioCompiler.compile(path: "counted.scenario", files: .memory(["counted.scenario": text]))
        guard let scenario = compilation.scenarios.first else {
            throw BenchmarkError(message: compilation.diagnostics.map { "\($0)" }.joined(separator: "\n"))
        }
        try SimulationBenchmark.pass(scenario, seed: 1)
    }
}
