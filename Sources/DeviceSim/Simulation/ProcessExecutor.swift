/// The task executor of one app process: everything its tasks, default actors and child tasks do runs on the simulation's scheduler,
/// marked as that process's work.
final class ProcessExecutor: TaskExecutor, @unchecked Sendable {
    let name: String
    /// While set, the process's work is parked: a suspended app runs nothing.
    var isSuspended = false {
        didSet { if isSuspended && !oldValue { scheduler?.park(self) } }
    }
    var parked: [Scheduler.Work] = []
    /// Unowned would be enough, but a job of a dead process may still unwind after its simulation was let go.
    private weak var scheduler: Scheduler?

    init(scheduler: Scheduler, name: String) {
        self.scheduler = scheduler
        self.name = name
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let scheduler {
            scheduler.enqueue(job, for: self)
        } else {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
