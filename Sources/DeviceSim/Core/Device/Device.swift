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
    /// How often the device lost its power.
    package private(set) var powerLossCount = 0
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
    /// What the widget's timeline shows, and what reloading it has cost today.
    var timeline = WidgetTimeline()
    /// Whether the app's widget is in the Smart Stack. On a watch only.
    public internal(set) var isInSmartStack = false
    /// Whether a person has swiped the app away, and neither opened it nor restarted the device since.
    var wasSwipedAway = false
    /// By how much this device's wall clock is ahead of the simulation's.
    public internal(set) var clockSkew = VirtualDuration.zero
    /// Which piece of hardware this is: another one after a backup was restored to a new device.
    public internal(set) var hardware = 1

    /// What the network answers to requests of the app, the last that fits first. Empty while the device is offline.
    package var networkAnswers: [NetworkAnswer] = []

    let options: SimulationOptions
    let scheduler: Scheduler
    let recorder: Recorder
    /// How many timelines the app has had made anew from the background, on which day.
    package var widgetReloads = (day: 0, count: 0)
    /// Whoever gets at it may change anything there, and is noted as doing so (``Footprint``).
    package var network: ConnectivityNetwork {
        scheduler.touch([.network, .device(id)])
        return sharedNetwork
    }
    private let sharedNetwork: ConnectivityNetwork
    let entropy: SimulatedEntropy
    /// How often code of the app, or of its widget, asked LocalData to set a value, and to remove one, by the name of the key.
    package internal(set) var requests = (set: [String: Int](), remove: [String: Int]())
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
        sharedNetwork = network
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
            groupsOfTheApp: options.groupsOfTheApp,
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
        process.context.device = self
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
        let task = reason.flatMap { refreshTask(in: process, for: $0, isCold: true) }
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

/// What happens to the device itself: power, lock, passcode, clock.
extension Device {
    /// Switches the device off in good order: nothing that was stored is lost.
    public func powerOff() {
        guard state.isPoweredOn else { return }
        endProcess(.terminate)
        endWidget(.terminate)
        state.isPoweredOn = false
        record(.powerOff)
        storage.reboot()
        network.conditionsChanged()
    }

    /// Switches the device on. With a passcode set it is then locked, before its first unlock.
    public func powerOn() {
        guard !state.isPoweredOn else { return }
        state.isPoweredOn = true
        bootCount += 1
        state.isLocked = state.hasPasscode
        state.wasUnlockedSinceBoot = !state.hasPasscode
        record(.powerOn)
        restarts()
        network.conditionsChanged()
    }

    /// What was so only until the next restart is over.
    func restarts() {
        wasSwipedAway = false
        if id.isPhone { network.phoneRestarts() }
        network.deviceRestarts(id)
    }

    /// Switches the device off and on. With a passcode it is then before its first unlock.
    public func reboot() {
        powerOff()
        powerOn()
    }

    /// The battery is pulled: what was not synchronized may be lost.
    public func losePower() {
        guard state.isPoweredOn else { return }
        powerLossCount += 1
        endProcess(.crash)
        endWidget(.crash)
        state.isPoweredOn = false
        record(.powerLoss)
        storage.powerLoss()
        network.conditionsChanged()
    }

    /// Locks the screen. An app in the foreground goes to the background until the device is unlocked.
    public func lock() throws {
        guard state.isPoweredOn else { throw SimulationError.impossible(device: id, reason: "the device is off") }
        guard state.hasPasscode else {
            throw SimulationError.impossible(device: id, reason: "without a passcode the device cannot be locked; set one first")
        }
        guard !state.isLocked else { return }
        state.isLocked = true
        record(.lock)
        storage.locked(at: scheduler.now)
        if let process, process.state == .foreground {
            _ = change(process, to: .background)
            returnsToForegroundOnUnlock = true
        } else if let process {
            endFrontmostTime(of: process)
        }
        network.conditionsChanged()
    }

    /// Unlocks the device; after a restart this is the first unlock.
    public func unlock() throws {
        guard state.isPoweredOn else { throw SimulationError.impossible(device: id, reason: "the device is off") }
        guard state.isLocked || !state.wasUnlockedSinceBoot else { return }
        state.isLocked = false
        state.wasUnlockedSinceBoot = true
        record(.unlock)
        storage.unlocked()
        if id.isPhone, let process, process.state != .suspended {
            let app = process.app
            _ = process.start("protected data is available") { await app?.protectedDataDidBecomeAvailable() }
        }
        if let process, returnsToForegroundOnUnlock {
            _ = change(process, to: .foreground)
        }
        returnsToForegroundOnUnlock = false
        network.personTouches(id)
        network.conditionsChanged()
    }

    /// Sets a passcode. Data protection works from then on.
    public func setPasscode() {
        guard !state.hasPasscode else { return }
        state.hasPasscode = true
        record(.passcodeSet)
    }

    /// Removes the passcode, and with it for good what needs one.
    public func removePasscode() {
        guard state.hasPasscode else { return }
        state.hasPasscode = false
        state.isLocked = false
        state.wasUnlockedSinceBoot = true
        record(.passcodeRemoved)
        storage.passcodeRemoved()
        network.conditionsChanged()
    }

    /// Sets by how much this device's wall clock is ahead. Nothing in LocalData may order writes by it.
    public func setClockSkew(_ skew: VirtualDuration) {
        clockSkew = skew
        record(.clockChanged, .init("skew", .text(skew.description)))
    }
}

extension Device {
    /// Enrols, edits or removes biometry. Any edit makes another set, which invalidates items bound to the set before.
    public func changeBiometry(_ change: Biometry.Change) {
        switch change {
        case .enrolled, .changed: state.editBiometry()
        case .removed: state.removeBiometry()
        }
        record(.biometryChanged, .init("change", .text(change.rawValue)))
    }
}

extension Device {
    /// Puts the app's complication on the active watch face, or takes it away (W95).
    public func setComplication(onFace isOnFace: Bool) throws {
        guard !id.isPhone else { throw SimulationError.impossible(device: id, reason: "only a watch has a face") }
        if isOnFace { try requireUsable() }
        guard hasComplication != isOnFace else { return }
        hasComplication = isOnFace
        hasLoadedComplication = false
        record(.complicationChanged, .init("isOnFace", .flag(isOnFace)))
        network.conditionsChanged()
    }

    /// Puts the app's widget into the Smart Stack, or takes it out (W95).
    public func setWidget(inSmartStack isThere: Bool) throws {
        guard !id.isPhone else { throw SimulationError.impossible(device: id, reason: "only a watch has a Smart Stack") }
        if isThere { try requireUsable() }
        guard isInSmartStack != isThere else { return }
        isInSmartStack = isThere
        record(.complicationChanged, .init("isInSmartStack", .flag(isThere)))
        network.conditionsChanged()
    }
}

extension Device {
    /// Looks at what is stored, or changes it, from outside the app: with a router of its own, as if the device were unlocked.
    /// For plants, damage and expectations about the disk; leaves no trace.
    package func inspect<Value>(
        _ name: String, _ body: @escaping @Sendable (StorageRouter) async throws -> Value
    ) -> AppOperation<Value> {
        let life = ProcessLife.outside(of: id)
        let router = StorageRouter(environment: environment(for: life), notesPlaces: false)
        let outcome = AppOperation<Value>(name: name)
        Task(executorPreference: scheduler.worldExecutor) { [weak self] in
            let state = self?.state
            self?.state.isLocked = false
            self?.state.wasUnlockedSinceBoot = true
            do {
                outcome.finish(.success(try await body(router)))
            } catch {
                outcome.finish(.failure(error))
            }
            if let state { self?.state = state }
        }
        return outcome
    }
}
