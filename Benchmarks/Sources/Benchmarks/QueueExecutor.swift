import Foundation

/// The least that an executor of tasks can be: jobs in an array, run on the thread that asks for it. So no other thread is needed.
final class QueueExecutor: TaskExecutor, @unchecked Sendable {
    private let lock = NSLock()
    private var jobs: [UnownedJob] = []

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
    }

    func run(until flag: Flag) {
        while !flag.isRaised {
            let ready = lock.withLock {
                defer { jobs.removeAll(keepingCapacity: true) }
                return jobs
            }
            for job in ready { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}

final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isRaised: Bool { lock.withLock { value } }
    func raise() { lock.withLock { value = true } }
}
