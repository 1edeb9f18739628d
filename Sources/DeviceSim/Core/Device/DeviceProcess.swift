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
            let task = Task(executorPreference: executor) { [weak self] in
                do {
                    outcome.finish(.success(try await operation()))
                } catch {
                    outcome.finish(.failure(error))
                }
                self?.tasks[number] = nil
            }
            tasks[number] = task
            outcome.runs(in: task)
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

/// Whether an app process still exists. From the instant it ends, every side effect of its code throws ``ProcessEnded`` and changes
/// nothing; its tasks unwind on that and are freed.
///
/// Confined to the simulation's thread.
public final class ProcessLife: @unchecked Sendable {
    /// The device that the process runs on.
    public let device: DeviceID
    /// Which of the app's programs it runs.
    public let part: AppPart
    /// Counts the processes of the part on the device, from 1. 0 for one that looks at the device from outside the app.
    public let number: Int
    /// Whether it has not ended.
    public var isAlive: Bool { lives }
    // Asked before each side effect. What other modules see as stored is checked for overlapping uses at run time.
    private var lives = true
    /// Whether the process was started before the first unlock: its preferences are, and stay, an empty snapshot.
    public let startedBeforeFirstUnlock: Bool
    /// Whether the system started the process before anybody opened the app: none of its code ran until that.
    public let wasPrewarmed: Bool
    /// Whether items that ask for a person are handed out to it unasked: to one that looks at the device from outside the app.
    let passesAccessControl: Bool

    /// The life of a process that begins now.
    public convenience init(
        device: DeviceID, part: AppPart = .app, number: Int, startedBeforeFirstUnlock: Bool, wasPrewarmed: Bool = false
    ) {
        self.init(
            device: device, part: part, number: number, startedBeforeFirstUnlock: startedBeforeFirstUnlock, wasPrewarmed: wasPrewarmed,
            passesAccessControl: number == 0)
    }

    private init(
        device: DeviceID, part: AppPart, number: Int, startedBeforeFirstUnlock: Bool, wasPrewarmed: Bool, passesAccessControl: Bool
    ) {
        self.device = device
        self.part = part
        self.number = number
        self.startedBeforeFirstUnlock = startedBeforeFirstUnlock
        self.wasPrewarmed = wasPrewarmed
        self.passesAccessControl = passesAccessControl
    }

    /// One that looks at a device from outside the app.
    static func outside(of device: DeviceID) -> ProcessLife {
        ProcessLife(device: device, number: 0, startedBeforeFirstUnlock: false)
    }

    /// One that looks at a device as the app's next process would: nothing is counted, and no fault hits it.
    static func next(on device: DeviceID, isBeforeFirstUnlock: Bool) -> ProcessLife {
        ProcessLife(
            device: device, part: .app, number: 0, startedBeforeFirstUnlock: isBeforeFirstUnlock, wasPrewarmed: false,
            passesAccessControl: false)
    }

    var isOfApp: Bool { number > 0 }

    /// Whether its preferences are empty, or not known not to be.
    package var hasDoubtfulPreferences: Bool { startedBeforeFirstUnlock || wasPrewarmed }

    /// Ends it, for good.
    public func end() { lives = false }

    /// Throws ``ProcessEnded`` once the process has ended. Called before each side effect.
    public func check() throws {
        if !lives { throw ProcessEnded(device: device, number: number) }
    }
}

/// Thrown at every side effect of code whose process was terminated or crashed.
public struct ProcessEnded: Error, Sendable, Hashable {
    /// The device that the process ran on.
    public let device: DeviceID
    /// Which of the app's processes it was, as ``ProcessLife/number``.
    public let number: Int
}

/// How an app's process ends.
public enum ProcessEnd: String, Sendable, Hashable, CaseIterable {
    /// By the system or a person.
    case terminate
    /// Its code failed, or the device lost power.
    case crash
}
