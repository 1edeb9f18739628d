import DeviceSim
import Foundation

// Searches for the mistake that is in force, over the built-in world, until it is found or the time is up. Prints one line of JSON for a find.
// Arguments: seconds of processor time (60), the seed (1). `Scripts/mutants` runs it.
let words = Array(CommandLine.arguments.dropFirst())
let seconds = words.first.flatMap(Double.init) ?? 60
let seed = words.dropFirst().first.flatMap { UInt64($0) } ?? 1

/// What a find is, for the table.
struct Find: Encodable {
    let run: Int
    let seconds: Double
    let steps: Int?
    let invariant: String
    let text: String?
}

func explorer(_ world: SearchSpace) -> Explorer {
    var options = Explorer.Options(world: world)
    options.seed = seed
    options.recheckInterval = 20
    options.continuations = 0
    options.shrinkBudget = 1_000
    return Explorer(options)
}

/// Seconds of processor time of this process: a machine that others use makes a search no worse.
func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

guard let world = SearchSpace.builtIn else { exit(3) }
let search = explorer(world)
var index = 0
while processorTime() < seconds {
    let violation = search.run(index).violation
    guard let violation else {
        index += 1
        continue
    }
    let elapsed = processorTime()
    let small = violation.invariant == .determinism ? nil : search.shrink(index, replay: "pairsim explore --seed \(seed) --only \(index)")
    let find = Find(run: index + 1, seconds: elapsed, steps: small?.stepCount, invariant: violation.invariant.rawValue, text: small?.text)
    print(String(decoding: try JSONEncoder().encode(find), as: UTF8.self))
    exit(0)
}
FileHandle.standardError.write(Data("\(index) runs\n".utf8))
