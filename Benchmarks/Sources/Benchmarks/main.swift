import Foundation

// swift run -c release --package-path Benchmarks [topic …] [the largest count of keys]
//
// Scripts/instructions counts the instructions of one work after the other, done so many times: Benchmarks count WORK TIMES
if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "count" {
    guard let work = CountedWork(rawValue: CommandLine.arguments[2]), let times = Int(CommandLine.arguments[3]), times >= 0 else {
        throw BenchmarkError(message: "count takes one of \(CountedWork.allCases.map(\.rawValue).joined(separator: ", ")), and how often")
    }
    try work.perform(times: times)
    exit(0)
}

let wanted = CommandLine.arguments.dropFirst().filter { Int($0) == nil }
let largestCount = CommandLine.arguments.dropFirst().compactMap { Int($0) }.first ?? 10_000

/// In the order of the tables in README.md. Each says on standard error how far it is.
let topics: [(name: String, run: () async throws -> Void)] = [
    ("simulations", { try SimulationBenchmark.run() }),
    ("exploration", { try ExplorationBenchmark.run() }),
    ("transfers", { try TransferBenchmark.run() }),
    ("contexts", { try ContextBenchmark.run() }),
    ("memory", { try MemoryBenchmark.run(count: 100_000, exploredCount: 40_000) }),
    ("keys", { try await KeyCountBenchmark.run(counts: [10, 100, 500, 1_000, 10_000].filter { $0 <= largestCount }) }),
    ("writes", { try await DurableWriteBenchmark.run() }),
    ("storage", { try await StorageBenchmark.run() }),
    ("sealing", { try await SealingBenchmark.run() }),
    ("anchors", { try await AnchorBenchmark.run() }),
]

if let unknown = wanted.first(where: { name in !topics.contains { $0.name == name } }) {
    throw BenchmarkError(message: "'\(unknown)' is none of \(topics.map(\.name).joined(separator: ", "))")
}
let chosen = topics.filter { wanted.isEmpty || wanted.contains($0.name) }
for (index, topic) in chosen.enumerated() {
    Progress.say("\(topic.name), \(index + 1) of \(chosen.count)")
    try await topic.run()
    // A table that goes to a file is there when it is made.
    fflush(nil)
}
Progress.say("done")
