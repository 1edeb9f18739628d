import DeviceSim
import Foundation
import LocalData

/// App code or storage with one mistake that apps and libraries have really made. The search has to find each.
package struct Specimen: CustomStringConvertible, Sendable {
    /// What is wrong with it, as a table says it.
    package let name: String
    /// What it is made of.
    package let kind: Kind
    /// The invariants that it breaks: what a search must say is broken.
    package let breaks: Set<Invariant>
    /// The keys that it is searched over.
    package let world: SearchSpace
    /// How runs with the mistake are made, and without it.
    package let bad: RunOptions
    package let right: RunOptions

    package enum Kind: String, Sendable {
        /// An app that keeps and syncs its values by code of its own.
        case handmade = "own storage and sync"
        /// An app that uses LocalData, and makes a mistake in doing so.
        case careless = "app with LocalData"
        /// LocalData on storage that does not do what it says.
        case storage = "storage below LocalData"
    }

    /// Whether the ordinary tests search for it: those that show within a few dozen runs.
    package let isQuick: Bool
    /// Whether the ordinary tests shrink it too.
    package let isShrunkInTests: Bool

    package var description: String { "\(kind.rawValue): \(name)" }

    /// At most this many steps are drawn for a run, besides the healing.
    package var maximumSteps = 24

    package static let all: [Specimen] = handmade + careless + storage

    /// A search over its world.
    package func explorer(strategies: [OrderStrategy] = [.fifo, .random, .pct], seed: UInt64 = 1, hasMistake: Bool = true) -> Explorer {
        var options = Explorer.Options(world: world)
        options.seed = seed
        options.strategies = strategies
        options.recheckInterval = 0
        options.maximumSteps = maximumSteps
        options.run = hasMistake ? bad : right
        return Explorer(options)
    }

    /// The first failing run of at most `limit`, and before `isOver` says so.
    package func find(
        with explorer: Explorer, limit: Int = .max, isOver: () -> Bool = { false }
    ) -> (index: Int, violation: Violation)? {
        for index in 0..<limit {
            if let violation = explorer.run(index).violation { return (index, violation) }
            if isOver() { return nil }
        }
        return nil
    }
}

extension SearchSpace {
    /// A world of keys as a scenario file declares them.
    init(specimen name: String, _ keys: String) {
        let path = "specimen \(name)"
        let compilation = ScenarioCompiler.compile(path: path, files: .memory([path: "# Keys of a specimen.\n\n\(keys)\n\nsettle\n"]))
        guard let scenario = compilation.scenarios.first else { preconditionFailure("\(compilation.diagnostics)") }
        self.init(scenario)
    }
}
