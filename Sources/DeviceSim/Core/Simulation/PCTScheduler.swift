/// The priorities of ``ReadyOrder/priorities(seed:depth:)``.
///
/// A chain is a run of pieces of work in which each made the next one ready, such as a task that awaits one actor after the other. Work that nothing
/// running made ready, and every further piece that one makes ready, begins a chain of its own (Ozkan et al., "Randomized Testing of Distributed
/// Systems with Probabilistic Guarantees", 2018, §4).
struct PCTScheduler {
    /// How many pieces of work the moments of change are spread over: about what a run of thirty steps takes.
    static let span = 1_000

    private var generator: SeededGenerator
    private var priorities: [Int: UInt64] = [:]
    /// The numbers of the pieces of work before which a priority changes, the next one last.
    private var changes: [Int]
    private var count = 0

    init(seed: UInt64, depth: Int) {
        generator = SeededGenerator(seed: seed).fork("priorities")
        var changes: [Int] = []
        for _ in 1..<max(1, depth) { changes.append(generator.below(Self.span)) }
        self.changes = changes.sorted(by: >)
    }

    /// The place of the piece of work with the highest priority; of a chain's several pieces the first.
    mutating func choose(among queue: ReadyQueue) -> Int {
        defer { count += 1 }
        var best = highest(in: queue)
        while let next = changes.last, next <= count {
            // Lower than all drawn ones, and the lower the later.
            priorities[queue.chain(at: best)] = UInt64(changes.count)
            changes.removeLast()
            best = highest(in: queue)
        }
        return best
    }

    private mutating func highest(in queue: ReadyQueue) -> Int {
        var best = (index: 0, priority: UInt64.min)
        for index in 0..<queue.count {
            let priority = priority(of: queue.chain(at: index))
            // Greater, or equal and of an earlier place: no piece overtakes another of its own chain.
            if index == 0 || priority > best.priority { best = (index, priority) }
        }
        return best.index
    }

    private mutating func priority(of chain: Int) -> UInt64 {
        if let priority = priorities[chain] { return priority }
        let drawn = generator.next() | (1 << 63)
        priorities[chain] = drawn
        return drawn
    }
}
