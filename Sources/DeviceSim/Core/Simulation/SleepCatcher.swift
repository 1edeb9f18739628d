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

/// What a task of an app asked for when it went to sleep, and where it sleeps.
///
/// Confined to the simulation's thread, but for ``cancel()``.
package final class SleepRequest: @unchecked Sendable {
    /// That of the running task.
    @TaskLocal package static var running: SleepRequest?

    let duration: Duration
    private weak var executor: ProcessExecutor?
    private var number = 0

    package init(duration: Duration) {
        self.duration = duration
    }

    func began(in executor: ProcessExecutor, as number: Int) {
        self.executor = executor
        self.number = number
    }

    /// The task was cancelled. The runtime lets it go on, and leaves its timer where it is; the simulation need not wait for that.
    package func cancel() {
        guard let executor, executor.scheduler?.isOnHomeThread == true else { return }
        executor.wake(number)
    }
}

/// How long a task sleeps in virtual time.
struct SleepSpan: Hashable {
    let duration: VirtualDuration

    private init(_ duration: VirtualDuration) {
        self.duration = duration
    }

    /// What the running task asked for, where that is known.
    static func asked() -> SleepSpan? {
        SleepRequest.running.map { SleepSpan(max(.microseconds(of: $0.duration), VirtualDuration(microseconds: 1))) }
    }

    /// - Parameter delay: What the code asked for; `nil` results if that is no time.
    init?(asked delay: some DurationProtocol) {
        guard let delay = delay as? Duration else { return nil }
        duration = max(.microseconds(of: delay), .milliseconds(1))
    }

    /// What is left until an instant of the host's clock. That is less than the code asked for by the time that passed since it read the clock, which
    /// differs from run to run. So the end is put off to a round time, by at most 2 % and a millisecond; and no sleep is shorter than a millisecond.
    init?(left: some DurationProtocol) {
        guard let left = left as? Duration else { return nil }
        let nanoseconds = left.components.seconds.clampedProduct(1_000_000_000) + left.components.attoseconds / 1_000_000_000
        guard nanoseconds > 0 else {
            duration = .milliseconds(1)
            return
        }
        let latest = nanoseconds + nanoseconds / 50 + 1_000_000
        var unit: Int64 = 1_000_000
        var end = Self.ceiling(nanoseconds, to: unit)
        while unit < latest {
            unit *= 10
            let rounder = Self.ceiling(nanoseconds, to: unit)
            if rounder > latest { break }
            end = rounder
        }
        duration = VirtualDuration(microseconds: end / 1_000)
    }

    private static func ceiling(_ value: Int64, to unit: Int64) -> Int64 {
        (value + unit - 1) / unit * unit
    }
}

extension VirtualDuration {
    /// The whole microseconds of a duration, rounded up.
    static func microseconds(of duration: Duration) -> VirtualDuration {
        let (seconds, attoseconds) = duration.components
        return VirtualDuration(microseconds: seconds.clampedProduct(1_000_000) + (attoseconds + 999_999_999_999) / 1_000_000_000_000)
    }
}

extension Int64 {
    /// The product, or half of the largest number: an age, which still can be added to.
    fileprivate func clampedProduct(_ factor: Int64) -> Int64 {
        let limit = Int64.max / 4
        return self > limit / factor ? limit : self < -limit / factor ? -limit : self * factor
    }
}
