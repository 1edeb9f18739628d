import LocalData
import WatchConnectivity

/// One run of the app on a device: its memory and its code. Storage and the connectivity daemon outlive it.
///
/// Confined to the simulation's thread.
public final class AppProcess: DeviceProcess, @unchecked Sendable {
    /// The app's object; `nil` only while it is being made.
    public private(set) var app: (any SimulatedApp)?
    /// Whether the process was prewarmed, and the app was not launched yet.
    var isAwaitingLaunch: Bool { life.wasPrewarmed && app == nil }
    let endpoint: SessionEndpoint
    /// What the system gave the app to complete (W110).
    var refreshTasks: [ConnectivityRefreshTask] = []
    /// Ends the time of a phone app that was woken (W71).
    var timeLimit: TimerID?

    init(
        life: ProcessLife, state: AppState, environment: StorageEnvironment, daemon: ConnectivityDaemon, scheduler: Scheduler
    ) {
        // The session calls its delegate as code of the process, which is made here.
        let entrance = Entrance()
        let executor = ProcessExecutor.make(for: life, scheduler: scheduler)
        endpoint = daemon.makeEndpoint(life: life, executor: executor) { entrance.context?.enter($0) }
        super.init(life: life, state: state, environment: environment, executor: executor)
        entrance.context = context
        context.session = endpoint
    }

    private final class Entrance {
        weak var context: ProcessContext?
    }

    /// Makes the app's object, as the process's own code on its main thread: an initializer may activate the session.
    func makeApp(_ make: () -> any SimulatedApp) {
        executor.scheduler?.perform(as: executor) {
            enter { app = make() }
        }
    }
}
