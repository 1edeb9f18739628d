/// What a task of an app asked for when it went to sleep, and where it sleeps.
///
/// Confined to the simulation's thread, but for ``cancel()``.
final class SleepRequest: @unchecked Sendable {
    let duration: Duration
    private weak var executor: ProcessExecutor?
    private var number = 0

    init(duration: Duration) {
        self.duration = duration
    }

    func began(in executor: ProcessExecutor, as number: Int) {
        self.executor = executor
        self.number = number
    }

    /// The task was cancelled. The runtime lets it go on, and leaves its timer where it is; the simulation need not wait for that.
    func cancel() {
        guard let executor, executor.scheduler?.isOnHomeThread == true else { return }
        executor.wake(number)
    }
}
