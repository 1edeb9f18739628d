import DeviceSim
import Foundation
import PairsimTool

// Searches for the mistake that is in force, over the scenarios of a folder as a corpus and over keys of its own, until it is found or the time is up. Prints
// one line of JSON for a find. Arguments: seconds of processor time (60), the seed (1), the folder (none: keys of its own only), and the tool without the mistake,
// to hold each run against (none: the invariants alone), whose processor time is not counted. `Scripts/mutants` runs it.
let words = Array(CommandLine.arguments.dropFirst())
let seconds = words.first.flatMap(Double.init) ?? 60
let seed = words.dropFirst().first.flatMap { UInt64($0) } ?? 1

/// What was written, in the order of its paths.
let corpus = words.dropFirst(2).first.map { folder in
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".scenario") }.sorted().flatMap { ScenarioCompiler.compile(path: "\(folder)/\($0)").scenarios }
}

/// What a find is, for the table.
struct Find: Encodable {
    let run: Int
    let seconds: Double
    let steps: Int?
    let invariant: String
    let text: String?
}

let other = try words.dropFirst(3).first.map {
    try OtherTool(path: $0, patience: 60, without: ["PLANTED_MISTAKE", "PLANTED_MISTAKE_REACHED"])
}

func searchOptions(_ world: SearchSpace) -> Explorer.Options {
    var options = Explorer.Options(world: world)
    options.seed = seed
    options.recheckInterval = 20
    options.continuations = 0
    options.shrinkBudget = 1_000
    options.other = other
    return options
}

/// Seconds of processor time of this process: a machine that others use makes a search no worse.
func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

let search = Exploration(over: corpus ?? [], hasOwnKeys: true, run: RunOptions(), options: searchOptions)
guard !search.worlds.isEmpty else { exit(3) }
var index = 0
while processorTime() < seconds {
    guard let violation = search.run(index).violation else {
        index += 1
        continue
    }
    let elapsed = processorTime()
    let small = violation.invariant == .determinism ? nil : search.shrink(index, replay: "pairsim explore --seed \(seed) --only \(index)")
    let steps = small?.stepCount ?? search.writtenName(index).flatMap { _ in search.draw(index)?.scenario.steps.count }
    let find = Find(
        run: index + 1, seconds: elapsed, steps: steps, invariant: violation.invariant.rawValue,
        text: small?.text ?? search.writtenName(index))
    print(String(decoding: try JSONEncoder().encode(find), as: UTF8.self))
    exit(0)
}
FileHandle.standardError.write(Data("\(index) runs\n".utf8))
