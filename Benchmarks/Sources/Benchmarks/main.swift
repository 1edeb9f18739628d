import Foundation

// swift run -c release --package-path Benchmarks [simulations] [exploration] [transfers] [storage] [sealing] [memory]
//
// Scripts/instructions counts the instructions of one work after the other, done so many times: Benchmarks count WORK TIMES
if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "count" {
    guard let work = CountedWork(rawValue: CommandLine.arguments[2]), let times = Int(CommandLine.arguments[3]), times >= 0 else {
        throw BenchmarkError(message: "count takes one of \(CountedWork.allCases.map(\.rawValue).joined(separator: ", ")), and how often")
    }
    try work.perform(times: times)
    exit(0)
}

let topics = Set(CommandLine.arguments.dropFirst())
func isWanted(_ topic: String) -> Bool { topics.isEmpty || topics.contains(topic) }

if isWanted("simulations") { try SimulationBenchmark.run() }
if isWanted("exploration") { try ExplorationBenchmark.run() }
if isWanted("transfers") { try TransferBenchmark.run() }
if isWanted("memory") { try MemoryBenchmark.run(count: 100_000, exploredCount: 40_000) }
if isWanted("storage") { try await StorageBenchmark.run() }
if isWanted("sealing") { try await SealingBenchmark.run() }
