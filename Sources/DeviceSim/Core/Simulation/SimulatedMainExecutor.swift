import Dispatch

/// The main actor's executor as code in a simulation finds it. Each process has a main queue of its own, and a job goes to that of the process that is
/// running.
///
/// One object for all simulations: a suspended job refers to its executor without keeping it alive.
final class SimulatedMainExecutor: SerialExecutor, @unchecked Sendable {
    static let shared = SimulatedMainExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let scheduler = CurrentScheduler.value {
            scheduler.enqueueOnMain(job)
        } else {
            // Resumed outside any simulation, by code that escaped: that is where it goes on, and what it asks of its device is reported.
            DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    /// Blocks on a process's main queue are isolated to the main actor, although they are no jobs of it.
    func isIsolatingCurrentContext() -> Bool? {
        CurrentScheduler.value?.isOnMainQueue ?? false
    }
}
