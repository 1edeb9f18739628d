/// The task executor of one app process: everything its tasks, default actors and child tasks do runs on the simulation's scheduler,
/// marked as that process's work.
package final class ProcessExecutor: TaskExecutor, @unchecked Sendable {
    package let name: String
    /// What the watchdog knows the process by; 0 where nobody watches.
    let watchNumber: Int
    /// While set, the process's work is parked: a suspended app runs nothing.
    var isSuspended = false {
        didSet { if isSuspended && !oldValue { scheduler?.park(self) } }
    }
    var parked: [ReadyQueue.Item] = []
    /// What code of the process finds; `nil` for work of the simulation itself.
    var context: ProcessContext? { didSet { footprint = context.map { .device($0.life.device) } ?? .everything } }
    /// What any work of the process may touch; that of the simulation itself may touch all there is.
    private(set) var footprint = Footprint.everything
    /// The process's main queue: jobs of the main actor and blocks, in the order in which they came.
    package private(set) lazy var main = SerialLane(executor: self, isMain: true)
    /// Tasks that sleep, and the timers that wake them, numbered in order.
    var sleepers: [Int: (timer: TimerID, job: UnownedJob)] = [:]
    var sleeperCount = 0
    /// Unowned would be enough, but a job of a dead process may still unwind after its simulation was let go.
    package private(set) weak var scheduler: Scheduler?

    init(scheduler: Scheduler, name: String) {
        self.scheduler = scheduler
        self.name = name
        watchNumber = scheduler.watch?.number(of: name) ?? 0
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let scheduler {
            scheduler.enqueue(job, for: self)
        } else {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// What sleeps under a number goes on now, if it still does.
    func wake(_ number: Int) {
        guard let sleeper = sleepers.removeValue(forKey: number) else { return }
        scheduler?.cancel(sleeper.timer)
        scheduler?.enqueue(sleeper.job, for: self)
    }

    /// The process ended: what sleeps goes on, so that it can unwind.
    func wakeSleepers() {
        for (_, sleeper) in sleepers.sorted(by: { $0.key < $1.key }) {
            scheduler?.cancel(sleeper.timer)
            scheduler?.enqueue(sleeper.job, for: self)
        }
        sleepers.removeAll()
    }
}
