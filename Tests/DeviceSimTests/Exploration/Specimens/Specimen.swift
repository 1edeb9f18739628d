import Foundation
import LocalData

@testable import DeviceSim

/// App code or storage with one mistake that apps and libraries have really made. The search has to find each.
struct Specimen: CustomStringConvertible, Sendable {
    /// The mistake, as a table shows it.
    let name: String
    /// The promises by which it may show.
    let shows: Set<Promise>
    /// The keys that it is searched over.
    let world: ExplorationWorld
    /// How many runs a search with every strategy may need: more than it takes, so that an unrelated change does not fail the test.
    let runs: Int
    /// How runs with the mistake are made, and without it.
    let bad: RunOptions
    let right: RunOptions

    var description: String { name }

    static let all: [Specimen] = handmade + localData

    /// Over it.
    func explorer(strategies: [OrderStrategy] = [.fifo, .random, .pct], seed: UInt64 = 1) -> Explorer {
        var options = Explorer.Options(world: world)
        options.seed = seed
        options.strategies = strategies
        options.recheckInterval = 0
        options.run = bad
        return Explorer(options)
    }

    /// The first failing run of at most `limit`, before `isOver` says so.
    func find(
        with explorer: Explorer, limit: Int, isOver: () -> Bool = { false }
    ) -> (index: Int, breach: Breach)? {
        for index in 0..<limit {
            if let breach = explorer.run(index).breach { return (index, breach) }
            if isOver() { return nil }
        }
        return nil
    }
}

extension ExplorationWorld {
    /// A world of keys as a scenario file declares them.
    init(specimen name: String, _ keys: String) {
        let path = "specimen \(name)"
        let compilation = ScenarioCompiler.compile(path: path, files: .memory([path: "# Keys of a specimen.\n\n\(keys)\n\nsettle\n"]))
        guard let scenario = compilation.scenarios.first else { preconditionFailure("\(compilation.diagnostics)") }
        self.init(scenario)
    }
}
