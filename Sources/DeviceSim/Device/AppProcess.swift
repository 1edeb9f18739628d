import LocalData
import WatchConnectivity

/// One run of the app on a device: its memory and its code. Storage and the connectivity daemon outlive it.
///
/// Confined to the simulation's thread.
public final class AppProcess: @unchecked Sendable {
    public let life: ProcessLife
    public internal(set) var state: AppState
    /// What `StorageRouter.shared` is in this process.
    public let router: StorageRouter
    /// The app's object; `nil` only while it is being made.
    public private(set) var app: (any SimulatedApp)?
    let endpoint: SessionEndpoint
    let executor: ProcessExecutor
    /// What the system gave the app to complete (W110).
    var refreshTasks: [ConnectivityRefreshTask] = []
    /// Ends the time of a phone app that was woken (W71).
    var timeLimit: TimerID?
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var taskCount = 0

    init(
        life: ProcessLife, state: AppState, environment: StorageEnvironment, daemon: ConnectivityDaemon, scheduler: Scheduler
    ) {
        let executor = ProcessExecutor(scheduler: scheduler, name: "\(life.device) app #\(life.number)")
        let router = StorageRouter(environment: environment)
        let context = ProcessContext(life: life, router: router, executor: executor)
        self.life = life
        self.state = state
        self.router = router
        self.executor = executor
        endpoint = daemon.makeEndpoint(life: life, executor: executor) { context.enter($0) }
        context.endpoint = endpoint
        executor.context = context
        self.context = context
    }

    private let context: ProcessContext

    /// Makes the app's object, as the process's own code on its main thread: an initializer may activate the session.
    func makeApp(_ make: () -> any SimulatedApp) {
        executor.scheduler?.perform(as: executor) {
            enter { app = make() }
        }
    }

    /// Runs `body` as code of this process: `StorageRouter.shared` and `WCSession.default` are its own in it and in its tasks.
    func enter(_ body: () -> Void) {
        context.enter(body)
    }

    /// Starts something in the app. It runs when the scheduler does.
    func start<Value>(
        _ name: String, _ operation: @escaping @Sendable () async throws -> Value
    ) -> AppOperation<Value> {
        let outcome = AppOperation<Value>(name: name)
        let number = taskCount
        taskCount += 1
        enter {
            tasks[number] = Task(executorPreference: executor) { [weak self] in
                do {
                    outcome.finish(.success(try await operation()))
                } catch {
                    outcome.finish(.failure(error))
                }
                self?.tasks[number] = nil
            }
        }
        return outcome
    }

    /// Ends the process: from now on nothing that its code does is visible. Its tasks are cancelled and unwind.
    func end() {
        life.end()
        for number in tasks.keys.sorted() {
            tasks[number]?.cancel()
        }
        tasks.removeAll()
        executor.wakeSleepers()
        context.end()
    }
}
