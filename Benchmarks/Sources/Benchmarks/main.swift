import Foundation

// swift run -c release --package-path Benchmarks [simulations] [exploration] [transfers] [storage] [sealing] [memory]
let topics = Set(CommandLine.arguments.dropFirst())
func isWanted(_ topic: String) -> Bool { topics.isEmpty || topics.contains(topic) }

if isWanted("simulations") { try SimulationBenchmark.run() }
if isWanted("exploration") { try ExplorationBenchmark.run() }
if isWanted("transfers") { try TransferBenchmark.run() }
if isWanted("memory") { try MemoryBenchmark.run(count: 100_000, exploredCount: 40_000) }
if isWanted("storage") { try await StorageBenchmark.run() }
if isWanted("sealing") { try await SealingBenchmark.run() }
