/// Chooses which piece of ready work runs next, for every ``ReadyOrder`` but the plain one.
struct OrderChooser {
    private enum Strategy {
        case seeded(SeededGenerator)
        case priorities(PCTScheduler)
        case choices([Int])
    }

    private var strategy: Strategy
    /// How many pieces of work there were to choose from, each time there was more than one. Kept for ``ReadyOrder/choices(_:)`` only.
    private(set) var branching: [Int] = []

    /// - Returns: `nil` for the plain order, where there is nothing to choose.
    init?(_ order: ReadyOrder) {
        switch order {
        case .firstInFirstOut: return nil
        case .seeded(let seed): strategy = .seeded(SeededGenerator(seed: seed).fork("ready order"))
        case .priorities(let seed, let depth): strategy = .priorities(PCTScheduler(seed: seed, depth: depth))
        case .choices(let places): strategy = .choices(places)
        }
    }

    /// Takes the piece of work that runs next. There must be one.
    mutating func takeNext(from queue: inout ReadyQueue) -> ReadyQueue.Item {
        switch strategy {
        case .seeded(var generator):
            let index = generator.below(queue.count)
            strategy = .seeded(generator)
            return queue.remove(at: index)
        case .priorities(var priorities):
            let index = priorities.choose(among: queue)
            strategy = .priorities(priorities)
            return queue.remove(at: index)
        case .choices(let places):
            guard queue.count > 1 else { return queue.removeFirst() }
            let place = branching.count < places.count ? min(places[branching.count], queue.count - 1) : 0
            branching.append(queue.count)
            return queue.remove(inOrderAt: place)
        }
    }
}
