import Foundation

/// Runs something on a thread of its own while the caller waits, so that the caller can stop waiting. What is bound to the caller's task, such as a test's
/// identity, is bound there too.
package enum OwnThread {
    /// What came of it.
    package enum Ending<Value: Sendable>: Sendable {
        /// It came to its end.
        case finished(Value)
        /// It was given up. Its thread is left alone.
        case stalled(StalledRun)
    }

    /// Waits for `body`, or until the watchdog gives it up.
    /// - Parameter limit: How long one piece of code may take, in seconds.
    package static func run<Value: Sendable>(
        _ watch: RunWatch, limit: Double, _ body: @escaping @Sendable () -> Value
    ) -> Ending<Value> {
        let ending = FirstOutcome<Ending<Value>>()
        Task<Void, Never>(executorPreference: Executor()) {
            let value = Watchdog.watch(watch, limit: limit, onStall: { ending.fill(.stalled($0)) }, body)
            ending.fill(.finished(value))
        }
        return ending.wait()
    }

    /// Starts a thread for each job. Nothing that is run so is ever suspended, so there is one.
    private final class Executor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let thread = Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
            thread.name = "DeviceSim run"
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// Takes the first of what it is given.
    private final class FirstOutcome<Value: Sendable>: @unchecked Sendable {
        private let condition = NSCondition()
        private var value: Value?

        func fill(_ value: Value) {
            condition.withLock {
                guard self.value == nil else { return }
                self.value = value
                condition.broadcast()
            }
        }

        func wait() -> Value {
            condition.lock()
            defer { condition.unlock() }
            while true {
                if let value { return value }
                condition.wait()
            }
        }
    }
}
