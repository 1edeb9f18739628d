/// A serial queue of one app process, such as the one on which a session calls its delegate (W11).
///
/// Its items run in the order in which they were added, whatever order the scheduler runs ready work in; not while the process is
/// suspended, and not after it ended.
///
/// Confined to the simulation's thread.
final class SimulatedQueue {
    private weak var scheduler: Scheduler?
    private let executor: ProcessExecutor
    private let life: ProcessLife
    private let enter: (() -> Void) -> Void
    /// Each with the event that it comes of: turns are interchangeable.
    private var items = Fifo<(cause: Int, run: () -> Void)>()
    private var turns = SerialTurns()

    /// - Parameter enter: Runs a closure in the context of the process.
    init(scheduler: Scheduler, executor: ProcessExecutor, life: ProcessLife, enter: @escaping (() -> Void) -> Void) {
        self.scheduler = scheduler
        self.executor = executor
        self.life = life
        self.enter = enter
    }

    /// Whether the caller may use what belongs to the simulation: it is on the simulation's thread.
    var isOnHomeThread: Bool { scheduler?.isOnHomeThread ?? true }
    /// Notes that the running piece of work uses what all devices share (``Footprint``).
    @inline(__always)
    func touchNetwork() {
        scheduler?.touch(.network)
    }

    /// Whether the process runs nothing for now.
    var isSuspended: Bool { executor.isSuspended }

    /// Adds an item. It runs after those that were added before, when the scheduler comes to it.
    func async(_ item: @escaping () -> Void) {
        guard life.isAlive, let scheduler else { return }
        items.append((scheduler.cause, item))
        takeTurn()
    }

    private func takeTurn() {
        scheduler?.enqueue(for: executor) { [weak self] in self?.runNext() }
    }

    /// Runs code of an ended process, so that what waits in it can unwind.
    func unwind(_ item: @escaping () -> Void) {
        guard let scheduler else { return item() }
        scheduler.enqueue(for: executor) { [enter] in enter(item) }
    }

    /// Notes that the process's code called from a thread that is not the simulation's.
    func reportEscape(_ place: String) {
        scheduler?.reportEscape(place)
    }

    /// Lets go of all items that have not run.
    func removeAll() {
        items.removeAll()
    }

    private func runNext() {
        guard turns.begin() else { return }
        if life.isAlive, let item = items.popFirst() {
            scheduler?.cause = item.cause
            enter(item.run)
        }
        for _ in 0..<turns.end() { takeTurn() }
    }
}

/// Keeps what is serial so where an item blocks while other work runs: turns that come meanwhile are taken again after it.
private struct SerialTurns {
    private(set) var isRunning = false
    private var owed = 0

    /// - Returns: Whether an item may run now.
    mutating func begin() -> Bool {
        if isRunning { owed += 1 }
        defer { isRunning = true }
        return !isRunning
    }

    /// - Returns: How many turns are to be taken again.
    mutating func end() -> Int {
        isRunning = false
        defer { owed = 0 }
        return owed
    }
}

/// Work of one app process that never overlaps: what a serial queue holds.
///
/// Its items run in the order in which they were added, whatever order the scheduler runs ready work in, and not while the process is suspended.
///
/// Confined to the simulation's thread.
package final class SerialLane {
    /// Owns the lane, or outlives the process that does.
    private unowned let executor: ProcessExecutor
    private let isMain: Bool
    /// Each with the event that it comes of: turns are interchangeable.
    private var items = Fifo<(cause: Int, run: () -> Void)>()
    private var turns = SerialTurns()
    /// Whether an item is running.
    package var isRunning: Bool { turns.isRunning }
    /// The piece of work whose item is running, as ``Scheduler/workNumber``. Another one that waits for the lane does so for a blocked item.
    package private(set) var runningWork = 0

    init(executor: ProcessExecutor, isMain: Bool = false) {
        self.executor = executor
        self.isMain = isMain
    }

    /// Adds an item. It runs after those that were added before, when the scheduler comes to it.
    package func add(_ item: @escaping () -> Void) {
        guard let scheduler = executor.scheduler else { return }
        items.append((scheduler.cause, item))
        takeTurn()
    }

    private func takeTurn() {
        executor.scheduler?.enqueue(for: executor) { [self] in
            guard begin() else { return }
            runNext()
            endTurn()
        }
    }

    private func begin() -> Bool {
        guard turns.begin() else { return false }
        runningWork = executor.scheduler?.workNumber ?? 0
        return true
    }

    private func endTurn() {
        for _ in 0..<turns.end() { takeTurn() }
    }

    /// Runs `body` while none of the items run.
    func held<Value>(_ body: () -> Value) -> Value {
        guard !isRunning, begin() else { return body() }
        defer { endTurn() }
        return body()
    }

    /// Runs what was added before and then `body`, now: what waits for a serial queue gets.
    package func finish<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard !isRunning, begin() else { return try run(body) }
        defer { endTurn() }
        while !items.isEmpty { runNext() }
        return try run(body)
    }

    private func runNext() {
        guard let item = items.popFirst() else { return }
        let outer = executor.scheduler?.cause
        executor.scheduler?.cause = item.cause
        run(item.run)
        if let outer { executor.scheduler?.cause = outer }
    }

    private func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard isMain, let scheduler = executor.scheduler else { return try body() }
        return try scheduler.onMainQueue(body)
    }
}

/// A line of things that leave at the front. Adding and taking cost the same however long it is.
struct Fifo<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var first: Element? { isEmpty ? nil : elements[head] }

    /// In order. Costs as much as the line is long.
    var all: [Element] { elements[head...].compactMap { $0 } }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Puts an element back to the front. Costs as much as the line is long.
    mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        // Taken, not copied, so that what an element holds is let go with it.
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: head <= 64)
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll() {
        elements.removeAll()
        head = 0
    }
}

extension Fifo: Sendable where Element: Sendable {}
