import Foundation
import LocalData

/// A simulated phone or watch: hardware state, storage, the connectivity daemon, and at most one running app.
///
/// Confined to the simulation's thread.
public final class Device: @unchecked Sendable {
    /// Which device it is.
    public let id: DeviceID
    /// Power, lock, passcode and biometry, as they are now.
    public package(set) var state = DeviceState()
    /// What the device keeps over the end of its app's processes.
    public let storage: DeviceStorage
    /// The app's process; `nil` while the app does not run.
    public internal(set) var process: AppProcess?
    /// The running widget extension of the app.
    public internal(set) var widget: WidgetProcess?
    public package(set) var isAppInstalled = true
    /// The version of the installed app.
    public package(set) var appVersion: String
    /// Whether the app's complication is on the active face. On a watch only.
    public package(set) var hasComplication = false
    /// Whether that complication has loaded its data since it was put there.
    var hasLoadedComplication = false
    /// How the watch is worn. Of a phone, nothing.
    public package(set) var wear = Wear()
    /// Whether the app's widget is in the Smart Stack. On a watch only.
    public internal(set) var isInSmartStack = false
    /// Whether a person has swiped the app away, and not opened it since.
    var wasSwipedAway = false
    /// By how much this device's wall clock is ahead of the simulation's.
    public internal(set) var clockSkew = VirtualDuration.zero
    /// Which piece of hardware this is: another one after a backup was restored to a new device.
    public internal(set) var hardware = 1

    let options: SimulationOptions
    let scheduler: Scheduler
    let recorder: Recorder
    package let network: ConnectivityNetwork
    let entropy: SimulatedEntropy
    /// Whether the app in the foreground went to the background only because the device was locked.
    var returnsToForegroundOnUnlock = false
    private var processCount = 0
    var widgetCount = 0
    /// Counts how often the device was switched on, from 0.
    var bootCount = 0 {
        didSet { bootTime = scheduler.now }
    }
    private var bootTime = VirtualTime.start
    /// In seconds.
    var uptime: Double { Double((scheduler.now - bootTime).microseconds) / 1_000_000 }

    init(id: DeviceID, options: SimulationOptions, scheduler: Scheduler, recorder: Recorder, network: ConnectivityNetwork) {
        self.id = id
        self.options = options
        self.scheduler = scheduler
        self.recorder = recorder
        self.network = network
        appVersion = options.appVersion
        entropy = SimulatedEntropy(SeededGenerator(seed: options.seed).fork("entropy.\(id)"))
        let stateBox = DeviceStateReader()
        storage = DeviceStorage(
            device: id,
            backing: options.root.map { .directory($0.appendingPathComponent("\(id)", isDirectory: true)) } ?? .memory,
            state: { stateBox.device?.state ?? DeviceState() },
            recorder: recorder,
            knobs: options.knobs,
            bundleIdentifier: options.bundleIdentifier,
            lockGrace: options.knobs.lockGrace
        )
        stateBox.device = self
    }

    package var daemon: ConnectivityDaemon { network.daemon(of: id) }

    package func record(_ kind: TraceEvent.Kind, _ facts: TraceEvent.Fact...) { record(kind, facts) }

    package func record(_ kind: TraceEvent.Kind, _ facts: [TraceEvent.Fact]) {
        recorder.record(kind, on: id, process: process?.life.number, facts: facts)
    }

    /// Records what one of the app's processes did: of the app by its number, of the widget by a fact.
    package func record(_ kind: TraceEvent.Kind, by life: ProcessLife, _ facts: [TraceEvent.Fact]) {
        let isOfApp = life.part == .app
        recorder.record(
            kind, on: id, process: isOfApp ? life.number : nil, facts: facts + (isOfApp ? [] : [.init("by", .text(life.part.rawValue))]))
    }

    /// Starts a process of the installed app. Its launch code runs when the scheduler does.
    @discardableResult
    func startProcess(inBackground: Bool, for reason: WakeReason? = nil) -> AppOperation<Void> {
        begin(makeProcess(inBackground ? .background : .foreground), inBackground: inBackground, for: reason)
    }

    /// Starts a process whose code does not run yet.
    func prewarmProcess() {
        let process = makeProcess(.suspended, isPrewarmed: true)
        process.executor.isSuspended = true
        record(.prewarm)
        network.conditionsChanged()
    }

    private func makeProcess(_ appState: AppState, isPrewarmed: Bool = false) -> AppProcess {
        processCount += 1
        let life = ProcessLife(
            device: id, number: processCount, startedBeforeFirstUnlock: state.lockState == .beforeFirstUnlock, wasPrewarmed: isPrewarmed)
        let process = AppProcess(
            life: life,
            state: appState,
            environment: options.adaptEnvironment(id, environment(for: life)),
            daemon: daemon,
            scheduler: scheduler
        )
        self.process = process
        return process
    }

    /// Runs the launch code of a process.
    func begin(_ process: AppProcess, inBackground: Bool, for reason: WakeReason? = nil) -> AppOperation<Void> {
        if process.isAwaitingLaunch {
            process.state = inBackground ? .background : .foreground
            scheduler.resume(process.executor)
        }
        if !inBackground { wristIsUp() }
        if id.isPhone { network.phoneAppStarts() }
        record(inBackground ? .launchInBackground : .launch)
        network.conditionsChanged()
        process.makeApp { options.makeApp(id) }
        let app = process.app
        let task = reason.flatMap { refreshTask(in: process, for: $0) }
        return process.start("launch") {
            await app?.didFinishLaunching(inBackground: inBackground)
            if let task { await app?.handleBackgroundTask(task) }
        }
    }

    /// Ends the app's process, if one runs.
    /// - Parameter facts: What the trace says of the end.
    func endProcess(_ cause: ProcessEnd, recorded: Bool = true, _ facts: [TraceEvent.Fact] = []) {
        guard let process else { return }
        if recorded { record(cause == .crash ? .crash : .terminate, facts) }
        process.end()
        endTimeLimit(of: process)
        endFrontmostTime(of: process)
        daemon.processEnded(process.endpoint, recorded: recorded)
        scheduler.resume(process.executor)
        storage.processEnded(cause)
        self.process = nil
        returnsToForegroundOnUnlock = false
        network.conditionsChanged()
    }

    func environment(for life: ProcessLife) -> StorageEnvironment {
        StorageEnvironment(
            fileSystem: storage.fileSystem(for: life),
            defaults: storage.defaults(for: life),
            keychain: storage.keychain(for: life),
            clock: SimulatedWallClock(device: self),
            entropy: entropy,
            device: SimulatedDeviceDescription(device: self, life: life),
            observer: SimulatedObserver(device: self, life: life)
        )
    }
}

/// Lets the storage read the state of the device that owns it, without owning that.
private final class DeviceStateReader {
    weak var device: Device?
}

extension Device: ConnectivityHost {
    package var appState: AppState? { process?.state }
    package var endpoint: SessionEndpoint? { process?.endpoint }
    package var isComplicationOnFace: Bool { hasComplication || (isInSmartStack && options.knobs.smartStackCounts) }
    package var hasRefreshTime: Bool { process.map { $0.state == .background && !$0.refreshTasks.isEmpty } ?? false }
    package func removeApp() { uninstall() }

    /// W118: an app without code for several watches is ended when it goes to the background, or is there.
    package func appOptedOut() {
        guard let process, options.knobs.endsOptedOutApps else { return }
        process.hasOptedOut = true
        endIfOptedOut(process)
    }

    /// What the app does at this instant it still does.
    func endIfOptedOut(_ process: AppProcess) {
        guard process.hasOptedOut, process.state != .foreground else { return }
        scheduler.schedule(at: scheduler.now) { [weak self, weak process] in
            guard let self, let process, process.life.isAlive, process.state != .foreground else { return }
            endProcess(.terminate, [.init("because", .text("opted out of several watches"))])
        }
    }
    package var files: (any ConnectivityFiles)? { storage }
    package var wallClock: Date {
        let elapsed = (scheduler.now - .start).microseconds + clockSkew.microseconds
        return options.startDate.addingTimeInterval(Double(elapsed) / 1_000_000)
    }
}
