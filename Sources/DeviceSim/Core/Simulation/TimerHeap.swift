/// Names a timer that was set.
package struct TimerID: Hashable, Sendable {
    fileprivate let sequence: UInt64
}

/// Pending timers by time, and by insertion where the time is the same: a binary heap.
struct TimerHeap {
    private struct Entry {
        let time: VirtualTime
        let sequence: UInt64
        let work: ScheduledWork
        /// The event that it comes of, see ``Scheduler/cause``.
        let cause: Int
        /// What an ``OrderGuide`` knows its work by; 0 where there is none.
        let identity: WorkIdentity
        let action: () -> Void

        func precedes(_ other: Entry) -> Bool {
            time == other.time ? sequence < other.sequence : time < other.time
        }
    }

    private var entries: [Entry] = []
    /// The timers that are neither fired nor cancelled.
    private var live: Set<UInt64> = []
    /// Those of them that nobody waits for.
    private var idle: Set<UInt64> = []
    private var nextSequence: UInt64 = 0

    /// When the first timer is due.
    var next: VirtualTime? { entries.first?.time }

    /// Whether there is a timer that something waits for.
    var hasPending: Bool { live.count > idle.count }

    /// What is to come that something waits for, soonest first.
    var pending: [(time: VirtualTime, work: ScheduledWork)] {
        entries.filter { live.contains($0.sequence) && !idle.contains($0.sequence) }.sorted { $0.precedes($1) }.map { ($0.time, $0.work) }
    }

    mutating func insert(
        at time: VirtualTime, isIdle: Bool = false, as work: ScheduledWork, cause: Int = -1, identity: WorkIdentity = 0,
        _ action: @escaping () -> Void
    ) -> TimerID {
        let entry = Entry(time: time, sequence: nextSequence, work: work, cause: cause, identity: identity, action: action)
        nextSequence += 1
        live.insert(entry.sequence)
        if isIdle { idle.insert(entry.sequence) }
        entries.append(entry)
        siftUp(from: entries.count - 1)
        return TimerID(sequence: entry.sequence)
    }

    mutating func cancel(_ timer: TimerID) {
        guard live.remove(timer.sequence) != nil else { return }
        if !idle.isEmpty { idle.remove(timer.sequence) }
        dropCancelled()
        // What cancelled timers hold is let go before they are the majority.
        if entries.count > 64 && entries.count > 2 * live.count { compact() }
    }

    /// The first timer due by `time`, in order. It stays cancellable until it is fired.
    mutating func removeFirst(dueBy time: VirtualTime) -> (timer: TimerID, cause: Int, identity: WorkIdentity, action: () -> Void)? {
        guard let first = entries.first, first.time <= time else { return nil }
        removeRoot()
        dropCancelled()
        return (TimerID(sequence: first.sequence), first.cause, first.identity, first.action)
    }

    /// Whether a timer that was removed may fire: it was not cancelled since.
    mutating func fire(_ timer: TimerID) -> Bool {
        if !idle.isEmpty { idle.remove(timer.sequence) }
        return live.remove(timer.sequence) != nil
    }

    private mutating func compact() {
        entries.removeAll { !live.contains($0.sequence) }
        // A sorted array is a heap.
        entries.sort { $0.precedes($1) }
    }

    /// Keeps the root live, so that `next` never names a timer that will not fire.
    private mutating func dropCancelled() {
        while let first = entries.first, !live.contains(first.sequence) {
            removeRoot()
        }
    }

    private mutating func removeRoot() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        siftDown(from: 0)
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].precedes(entries[parent]) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            var first = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count && entries[child].precedes(entries[first]) {
                first = child
            }
            guard first != parent else { return }
            entries.swapAt(parent, first)
            parent = first
        }
    }
}
