import LocalData
import WatchConnectivity

/// One run of the app on a device: its memory and its code. Storage and the connectivity daemon outlive it.
///
/// Confined to the simulation's thread.
public final class AppProcess: DeviceProcess, @unchecked Sendable {
    /// The app's object; `nil` only while it is being made.
    public private(set) var app: (any SimulatedApp)?
    /// Whether the process was prewarmed, and the app was not launched yet.
    package var isAwaitingLaunch: Bool { life.wasPrewarmed && app == nil }
    package let endpoint: SessionEndpoint
    /// What the system gave the app to complete (W110).
    var refreshTasks: [ConnectivityRefreshTask] = []
    /// Whether a raised wrist shows the app again, though the screen is off or dimmed (W113).
    var isFrontmost = false
    /// Ends that.
    var frontmostEnd: TimerID?
    /// What the app has going on that lets it run in the background (W117).
    var sessions: Set<BackgroundSession> = []
    /// How many loads of a complication the app runs for, and how many of them are first ones (W123).
    var loads = 0
    var firstLoads = 0
    /// How much the app has computed for its open tasks (W124).
    var processorTime = VirtualDuration.zero
    /// Whether the app has no code for several watches, and is ended once it is in the background (W118).
    var hasOptedOut = false
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
