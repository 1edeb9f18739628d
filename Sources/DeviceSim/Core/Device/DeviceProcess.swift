import LocalData
import WatchConnectivity

/// A process of the app or of its extension on a device: its memory and its code. Storage outlives it.
///
/// Confined to the simulation's thread.
public class DeviceProcess: @unchecked Sendable {
    /// Whether the process still exists.
    public let life: ProcessLife
    /// Whether it is in front, in the background or suspended.
    public internal(set) var state: AppState
    /// What `StorageRouter.shared` is in this process.
    public let router: StorageRouter
    package let executor: ProcessExecutor
    let context: ProcessContext
    /// The files of App Groups that the process holds a lock on, by their paths from the group's folder on. A process that is suspended while it holds
    /// one is killed (0xdead10cc).
    var lockedFiles: Set<String> = []
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var taskCount = 0

    init(life: ProcessLife, state: AppState, environment: StorageEnvironment, executor: ProcessExecutor) {
        let router = StorageRouter(environment: environment)
        self.life = life
        self.state = state
        self.router = router
        self.executor = executor
        context = ProcessContext(life: life, router: router, executor: executor)
        executor.context = context
    }

    /// Runs `body` as code of this process: `StorageRouter.shared` and `WCSession.default` are its own in it and in its tasks.
    package func enter(_ body: () -> Void) {
        context.enter(body)
    }

    /// Starts something in the process. It runs when the scheduler does.
    package func start<Value>(
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
        lockedFiles.removeAll()
        for number in tasks.keys.sorted() {
            tasks[number]?.cancel()
        }
        tasks.removeAll()
        executor.wakeSleepers()
        context.end()
    }
}

/// One run of the app's widget extension on a device.
///
/// Confined to the simulation's thread.
public final class WidgetProcess: DeviceProcess, @unchecked Sendable {
    private let session = ExtensionSession()

    init(life: ProcessLife, environment: StorageEnvironment, scheduler: Scheduler) {
        super.init(
            life: life, state: .background, environment: environment, executor: ProcessExecutor.make(for: life, scheduler: scheduler))
        context.session = session
    }
}

extension ProcessExecutor {
    static func make(for life: ProcessLife, scheduler: Scheduler) -> ProcessExecutor {
        ProcessExecutor(scheduler: scheduler, name: "\(life.device) \(life.part.rawValue) #\(life.number)")
    }
}
