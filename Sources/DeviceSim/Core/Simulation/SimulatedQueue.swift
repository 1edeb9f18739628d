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
    private var items = Fifo<() -> Void>()

    /// - Parameter enter: Runs a closure in the context of the process.
    init(scheduler: Scheduler, executor: ProcessExecutor, life: ProcessLife, enter: @escaping (() -> Void) -> Void) {
        self.scheduler = scheduler
        self.executor = executor
        self.life = life
        self.enter = enter
    }

    /// Whether the caller may use what belongs to the simulation: it is on the simulation's thread.
    var isOnHomeThread: Bool { scheduler?.isOnHomeThread ?? true }
    /// Whether the process runs nothing for now.
    var isSuspended: Bool { executor.isSuspended }

    /// Adds an item. It runs after those that were added before, when the scheduler comes to it.
    func async(_ item: @escaping () -> Void) {
        guard life.isAlive, let scheduler else { return }
        items.append(item)
        scheduler.enqueue(for: executor) { [weak self] in self?.runNext() }
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
        guard life.isAlive, let item = items.popFirst() else { return }
        enter(item)
    }
}
