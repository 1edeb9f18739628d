/// Work that could run now, in the order in which it became ready.
///
/// What ran stays in front of ``head`` until there is enough of it to move the rest, or none of the rest: so taking the first costs the same however long the
/// queue is.
struct ReadyQueue {
    private var items: [Scheduler.Work?] = []
    private var head = 0

    var isEmpty: Bool { head == items.count }
    var count: Int { items.count - head }

    mutating func append(_ work: Scheduler.Work) {
        items.append(work)
    }

    /// Takes the first piece of work. There must be one.
    mutating func removeFirst() -> Scheduler.Work {
        // Taken, not copied: a copy would count references up and down for each piece.
        guard let work = items[head].take() else { preconditionFailure("work was taken twice") }
        head += 1
        if head == items.count {
            items.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 512 {
            items.removeFirst(head)
            head = 0
        }
        return work
    }

    /// Takes the piece of work at `index`, counted from the first; the last takes its place.
    mutating func remove(at index: Int) -> Scheduler.Work {
        items.swapAt(head + index, items.count - 1)
        guard let work = items.removeLast() else { preconditionFailure("work was taken twice") }
        return work
    }

    /// Takes all work that meets a condition, in order.
    mutating func remove(where condition: (Scheduler.Work) -> Bool) -> [Scheduler.Work] {
        let all = items[head...].compactMap { $0 }
        items = all.filter { !condition($0) }
        head = 0
        return all.filter(condition)
    }
}
