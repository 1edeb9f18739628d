/// Work of one app process that never overlaps: what a serial queue holds.
///
/// Its items run in the order in which they were added, whatever order the scheduler runs ready work in, and not while the process is suspended.
///
/// Confined to the simulation's thread.
final class SerialLane {
    /// Owns the lane, or outlives the process that does.
    private unowned let executor: ProcessExecutor
    private let isMain: Bool
    private var items = Fifo<() -> Void>()
    /// Whether an item is running.
    private(set) var isRunning = false

    init(executor: ProcessExecutor, isMain: Bool = false) {
        self.executor = executor
        self.isMain = isMain
    }

    /// Adds an item. It runs after those that were added before, when the scheduler comes to it.
    func add(_ item: @escaping () -> Void) {
        guard let scheduler = executor.scheduler else { return }
        items.append(item)
        scheduler.enqueue(for: executor) { [self] in runNext() }
    }

    /// Runs what was added before and then `body`, now: what waits for a serial queue gets.
    func finish<Value>(_ body: () throws -> Value) rethrows -> Value {
        while !items.isEmpty, !isRunning { runNext() }
        return try run(body)
    }

    private func runNext() {
        guard let item = items.popFirst() else { return }
        run(item)
    }

    private func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        let outer = isRunning
        isRunning = true
        defer { isRunning = outer }
        guard isMain, let scheduler = executor.scheduler else { return try body() }
        return try scheduler.onMainQueue(body)
    }
}
