/// Which of the ready jobs runs next.
public enum ReadyOrder: Sendable, Hashable {
    /// In the order in which they became ready.
    case firstInFirstOut
    /// Any of them, drawn from a generator of this seed: a random walk.
    case seeded(UInt64)
    /// The one of the highest priority: priorities are drawn from the seed, and `depth - 1` times in a run that of whoever is about to run becomes
    /// the lowest. Finds an ordering mistake that needs `depth` things in a certain order with a probability that a random walk does not reach
    /// (Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of ExpectationResult Bugs", 2010). What the threads are there, are here
    /// chains of work in which each piece made the next one ready.
    case priorities(seed: UInt64, depth: Int)
    /// At the n-th moment at which more than one is ready, the one at the n-th of these places (0 is the first that became ready); 0 after the last.
    case choices([Int])
}

extension ReadyOrder: CustomStringConvertible {
    /// As ``init(_:)`` reads it.
    public var description: String {
        switch self {
        case .firstInFirstOut: "fifo"
        case .seeded(let seed): "random:\(seed)"
        case .priorities(let seed, let depth): "pct:\(seed):\(depth)"
        case .choices(let places): "choices:" + places.map(String.init).joined(separator: ",")
        }
    }
}

extension ReadyOrder: LosslessStringConvertible {
    /// `fifo`, `random:SEED`, `pct:SEED:DEPTH`, `choices:0,2,1`; also a bare number, of which 0 is `fifo` and any other is `random`.
    public init?(_ text: String) {
        if let number = UInt64(text) {
            self = number == 0 ? .firstInFirstOut : .seeded(number)
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("fifo"?, 1): self = .firstInFirstOut
        case ("random"?, 2):
            guard let seed = UInt64(parts[1]) else { return nil }
            self = .seeded(seed)
        case ("pct"?, 3):
            guard let seed = UInt64(parts[1]), let depth = Int(parts[2]), (1...Self.maximumDepth).contains(depth) else { return nil }
            self = .priorities(seed: seed, depth: depth)
        case ("choices"?, 2):
            let places = parts[1].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            guard places.allSatisfy({ $0.map { $0 >= 0 } ?? false }) else { return nil }
            self = .choices(places.compactMap { $0 })
        default: return nil
        }
    }

    /// Deeper bugs than this have not been heard of; a limit keeps a mistyped number from becoming memory.
    public static let maximumDepth = 64
}

/// Work that could run now, in the order in which it became ready.
///
/// What ran stays in front of ``head`` until there is enough of it to move the rest, or none of the rest: so taking the first costs the same however long the
/// queue is.
struct ReadyQueue {
    /// A piece of work, and the chain that it goes on with (see ``PCTScheduler``).
    struct Item {
        let work: Scheduler.Work
        let chain: Int
        /// The event that it comes of, see ``Scheduler/cause``.
        let cause: Int
        /// What an ``OrderGuide`` knows it by; 0 where there is none.
        var identity: WorkIdentity = 0
        /// Who made it ready, likewise.
        var parent: WorkIdentity = 0
    }

    private var items: [Item?] = []
    private var head = 0

    var isEmpty: Bool { head == items.count }
    var count: Int { items.count - head }

    mutating func append(_ work: Scheduler.Work, chain: Int, cause: Int) {
        items.append(Item(work: work, chain: chain, cause: cause))
    }

    mutating func append(_ item: Item) {
        items.append(item)
    }

    /// What an ``OrderGuide`` knows the pieces of work by, in their order.
    var identities: [WorkIdentity] { items[head...].map { $0?.identity ?? 0 } }

    /// The chain of the piece of work at `index`, counted from the first.
    func chain(at index: Int) -> Int {
        items[head + index]?.chain ?? 0
    }

    /// Takes the first piece of work. There must be one.
    mutating func removeFirst() -> Item {
        // Taken, not copied: a copy would count references up and down for each piece.
        guard let item = items[head].take() else { preconditionFailure("work was taken twice") }
        head += 1
        if head == items.count {
            items.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 512 {
            items.removeFirst(head)
            head = 0
        }
        return item
    }

    /// Takes the piece of work at `index`, counted from the first; the last takes its place.
    mutating func remove(at index: Int) -> Item {
        items.swapAt(head + index, items.count - 1)
        guard let item = items.removeLast() else { preconditionFailure("work was taken twice") }
        return item
    }

    /// Takes the piece of work at `index`, counted from the first; the others stay in their order.
    mutating func remove(inOrderAt index: Int) -> Item {
        guard let item = items.remove(at: head + index) else { preconditionFailure("work was taken twice") }
        return item
    }

    /// Takes all work that meets a condition, in order.
    mutating func remove(where condition: (Item) -> Bool) -> [Item] {
        let all = items[head...].compactMap { $0 }
        items = all.filter { !condition($0) }
        head = 0
        return all.filter(condition)
    }
}

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
