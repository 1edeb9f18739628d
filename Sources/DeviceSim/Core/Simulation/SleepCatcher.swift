#if compiler(>=6.3) && os(Linux)
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

    /// Lets `Task.sleep` and the clocks' `sleep` follow virtual time while a simulation runs on the thread.
    ///
    /// The runtime asks the task's executor to sleep, else its default executor; no hook lies between. So process executors can sleep, and the default
    /// executor is replaced by one that forwards everything that no simulation asked for.
    enum SleepCatcher {
        /// Whether sleeping follows virtual time.
        static let isInstalled: Bool = {
            guard ForwardingExecutor.platform is any SchedulingExecutor else { return false }
            _createExecutors(factory: Factory.self)
            return true
        }()

        static func install() {
            _ = isInstalled
        }

        private struct Factory: ExecutorFactory {
            static var mainExecutor: any MainExecutor { MainActor.executor }
            static var defaultExecutor: any TaskExecutor { ForwardingExecutor.shared }
        }
    }

    private final class ForwardingExecutor: TaskExecutor, SchedulingExecutor, Sendable {
        static let platform: any TaskExecutor = Task<Never, Never>.defaultExecutor
        static let shared = ForwardingExecutor()

        func enqueue(_ job: consuming ExecutorJob) {
            Self.platform.enqueue(job)
        }

        func enqueue<C: Clock>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) {
            if let scheduler = CurrentScheduler.value, let span = SleepSpan(asked: delay) {
                scheduler.sleep(UnownedJob(job), for: span, in: scheduler.running ?? scheduler.worldExecutor)
            } else if let platform = Self.platform as? any SchedulingExecutor {
                platform.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
            } else {
                Self.platform.enqueue(job)
            }
        }

        func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
            if let scheduler = CurrentScheduler.value, let span = SleepSpan.asked() ?? SleepSpan(left: clock.now.duration(to: instant)) {
                scheduler.sleep(UnownedJob(job), for: span, in: scheduler.running ?? scheduler.worldExecutor)
            } else if let platform = Self.platform as? any SchedulingExecutor {
                platform.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
            } else {
                Self.platform.enqueue(job)
            }
        }
    }

    extension ProcessExecutor: SchedulingExecutor {
        package func enqueue<C: Clock>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) {
            sleep(UnownedJob(job), for: SleepSpan(asked: delay))
        }

        package func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
            sleep(UnownedJob(job), for: SleepSpan.asked() ?? SleepSpan(left: clock.now.duration(to: instant)))
        }

        /// A clock of another kind than the system's counts something that no virtual time stands for; a job that waits for it is woken at once.
        private func sleep(_ job: UnownedJob, for span: SleepSpan?) {
            if let scheduler, let span {
                scheduler.sleep(job, for: span, in: self)
            } else {
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }
#else
    /// This runtime has no way to catch sleeping: a task that sleeps goes on outside the simulation, and is reported as an escape.
    enum SleepCatcher {
        static let isInstalled = false

        static func install() {}
    }
#endif
