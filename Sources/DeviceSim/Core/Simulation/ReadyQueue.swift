/// Work that could run now, in the order in which it became ready.
///
/// What ran stays in front of ``head`` until there is enough of it to move the rest, or none of the rest: so taking the first costs the same however long the
/// queue is.
struct ReadyQueue {
    /// A piece of work, and the chain that it goes on with (see ``PCTScheduler``).
    struct Item {
        let work: Scheduler.Work
        let chain: Int
    }

    private var items: [Item?] = []
    private var head = 0

    var isEmpty: Bool { head == items.count }
    var count: Int { items.count - head }

    mutating func append(_ work: Scheduler.Work, chain: Int) {
        items.append(Item(work: work, chain: chain))
    }

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
    mutating func remove(where condition: (Scheduler.Work) -> Bool) -> [Scheduler.Work] {
        let all = items[head...].compactMap { $0 }
        items = all.filter { !condition($0.work) }
        head = 0
        return all.map(\.work).filter(condition)
    }
}
