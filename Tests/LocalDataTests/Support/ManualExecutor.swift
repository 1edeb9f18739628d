import Foundation

/// Runs tasks on the test's own thread, first in, first out, when the test says so. After ``drain()`` every task has finished or waits for something,
/// so a test can say who waits without sleeping.
final class ManualExecutor: TaskExecutor, @unchecked Sendable {
    private let lock = NSLock()
    private var jobs: [UnownedJob] = []

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
    }

    /// Starts a task; it runs at the next ``drain()``.
    @discardableResult
    func start<Success: Sendable>(_ body: @escaping @Sendable () async throws -> Success) -> Task<Success, any Error> {
        Task(executorPreference: self) { try await body() }
    }

    /// Runs until nothing is ready.
    func drain() {
        while let job = lock.withLock({ jobs.isEmpty ? nil : jobs.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// Holds tasks up until the test opens it.
final class Barrier: @unchecked Sendable {
    private let lock = NSLock()
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    var waitersCount: Int { lock.withLock { waiting.count } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let passes = lock.withLock {
                if !isOpen { waiting.append(continuation) }
                return isOpen
            }
            if passes { continuation.resume() }
        }
    }

    func open() {
        let all = lock.withLock {
            isOpen = true
            defer { waiting = [] }
            return waiting
        }
        for continuation in all { continuation.resume() }
    }
}

/// What happened, in order.
final class Log: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    var entries: [String] { lock.withLock { lines } }

    func add(_ line: String) { lock.withLock { lines.append(line) } }
}
