import DeviceSim
import Foundation
import LocalData
import WatchConnectivity

@testable import DeviceSimCore

/// A phone and a watch that are nothing but their connectivity: no storage, no app but what a test does.
final class TestWorld {
    let scheduler: Scheduler
    let recorder: Recorder
    let network: ConnectivityNetwork
    let phone = TestHost(id: .phone)
    let watch = TestHost(id: .watch)
    let watch2 = TestHost(id: .watch2)

    init(
        order: ReadyOrder = .firstInFirstOut, knobs: Knobs = Knobs(), hasSecondWatch: Bool = false, phoneCanPair: Bool = true,
        isWatchOnlyApp: Bool = false
    ) {
        scheduler = Scheduler(order: order)
        recorder = Recorder(scheduler: scheduler)
        network = ConnectivityNetwork(
            scheduler: scheduler, recorder: recorder, knobs: knobs, random: SeededGenerator(seed: 7), hasSecondWatch: hasSecondWatch,
            phoneCanPair: phoneCanPair, isWatchOnlyApp: isWatchOnlyApp)
        for host in [phone, watch, watch2] {
            host.network = network
            host.scheduler = scheduler
        }
        network.attach(phone: phone, watches: hasSecondWatch ? [watch, watch2] : [watch])
    }

    /// A world in which the apps run in the foreground on the phone and both of its watches, with activated sessions.
    static func withTwoWatches(order: ReadyOrder = .firstInFirstOut, knobs: Knobs = Knobs()) -> TestWorld {
        let world = TestWorld(order: order, knobs: knobs, hasSecondWatch: true)
        for host in [world.phone, world.watch, world.watch2] { host.launch() }
        world.settle()
        for host in [world.phone, world.watch, world.watch2] { host.delegate.log.removeAll() }
        return world
    }

    /// A world in which both apps run in the foreground with activated sessions.
    static func activated(order: ReadyOrder = .firstInFirstOut, knobs: Knobs = Knobs()) -> TestWorld {
        let world = TestWorld(order: order, knobs: knobs)
        world.phone.launch()
        world.watch.launch()
        world.settle()
        for host in [world.phone, world.watch] { host.delegate.log.removeAll() }
        return world
    }

    func host(_ device: DeviceID) -> TestHost { device.isPhone ? phone : watch }
    func peer(of device: DeviceID) -> TestHost { device.isPhone ? watch : phone }

    /// Lets time pass until nothing is left to happen.
    func settle() {
        scheduler.runReady()
        while let next = scheduler.nextTimer { scheduler.advance(to: next) }
    }

    func wait(_ span: VirtualDuration) { scheduler.advance(to: scheduler.now + span) }

    func count(_ kind: TraceEvent.Kind, on device: DeviceID? = nil) -> Int { events(kind, on: device).count }

    func events(_ kind: TraceEvent.Kind, on device: DeviceID? = nil) -> [TraceEvent] {
        recorder.trace.events.filter { $0.kind == kind && (device == nil || $0.device == device) }
    }
}

/// A device of a ``TestWorld``.
final class TestHost: ConnectivityHost {
    let id: DeviceID
    var state = DeviceState()
    var isAppInstalled = true
    private(set) var process: TestProcess?
    /// Whether a process that the system starts activates its session by itself.
    var activatesWhenWoken = true
    /// Makes the delegate of a process that the system starts.
    var makeDelegate: () -> any LoggingDelegate = { RecordingDelegate() }
    private(set) var wakeCount = 0
    weak var network: ConnectivityNetwork?
    weak var scheduler: Scheduler?
    private var processCount = 0

    init(id: DeviceID) {
        self.id = id
    }

    var isComplicationOnFace = false
    var hasHighPriority = false
    /// Whether the session said that its delegate has no code for several watches.
    private(set) var hasOptedOut = false
    func appOptedOut() { hasOptedOut = true }
    var hasRefreshTime = false
    var wallClock = Date(timeIntervalSince1970: 1_767_258_000)
    /// Made when a test transfers files.
    lazy var storage: DeviceStorage? = network.map { _ in
        DeviceStorage(
            device: id, backing: .memory, state: { [weak self] in self?.state ?? DeviceState() }, recorder: Recorder(scheduler: Scheduler())
        )
    }
    var files: (any ConnectivityFiles)? { storage }

    var appState: AppState? { process?.state }
    var endpoint: SessionEndpoint? { process?.endpoint }
    var session: WCSession { process?.endpoint.session ?? WCSession(backend: nil) }
    var delegate: any LoggingDelegate { process?.delegate ?? RecordingDelegate() }
    var log: [String] { delegate.log }

    @discardableResult
    func launch(in state: AppState = .foreground, activate: Bool = true, delegate: (any LoggingDelegate)? = nil) -> TestProcess? {
        guard process == nil, let network, let scheduler else { return process }
        processCount += 1
        let process = TestProcess(
            life: ProcessLife(device: id, number: processCount, startedBeforeFirstUnlock: false), state: state,
            daemon: network.daemon(of: id), scheduler: scheduler, delegate: delegate ?? makeDelegate())
        self.process = process
        network.conditionsChanged()
        if activate {
            process.endpoint.session.delegate = process.delegate
            process.endpoint.session.activate()
        }
        return process
    }

    func activate() {
        process?.endpoint.session.delegate = process?.delegate
        process?.endpoint.session.activate()
    }

    func change(to state: AppState) {
        guard let process else { return }
        process.state = state
        if state == .suspended {
            process.executor.isSuspended = true
        } else if process.executor.isSuspended {
            scheduler?.resume(process.executor)
        }
        network?.conditionsChanged()
    }

    func terminate() {
        guard let process else { return }
        process.life.end()
        network?.daemon(of: id).processEnded(process.endpoint)
        scheduler?.resume(process.executor)
        self.process = nil
        network?.conditionsChanged()
    }

    func relaunch() {
        terminate()
        launch()
    }

    func reboot() {
        terminate()
        state.isPoweredOn = false
        network?.conditionsChanged()
        state.isPoweredOn = true
        state.isLocked = true
        state.wasUnlockedSinceBoot = false
        network?.conditionsChanged()
    }

    func unlock() {
        state.isLocked = false
        state.wasUnlockedSinceBoot = true
        network?.conditionsChanged()
    }

    func uninstall() {
        terminate()
        isAppInstalled = false
        network?.daemon(of: id).appWasUninstalled()
        network?.conditionsChanged()
    }

    func install() {
        isAppInstalled = true
        network?.conditionsChanged()
    }

    func wakeApp(for reason: WakeReason) {
        guard state.isPoweredOn, isAppInstalled else { return }
        if process?.state == .suspended {
            change(to: .background)
        } else if process == nil {
            wakeCount += 1
            launch(in: .background, activate: activatesWhenWoken)
        }
    }
}

/// One run of a test's app.
final class TestProcess {
    let life: ProcessLife
    var state: AppState
    let executor: ProcessExecutor
    let endpoint: SessionEndpoint
    /// The session holds its delegate weakly: this is what keeps it.
    var delegate: any LoggingDelegate

    init(life: ProcessLife, state: AppState, daemon: ConnectivityDaemon, scheduler: Scheduler, delegate: any LoggingDelegate) {
        self.life = life
        self.state = state
        self.delegate = delegate
        executor = ProcessExecutor(scheduler: scheduler, name: "\(life.device) test")
        let box = Box()
        endpoint = daemon.makeEndpoint(life: life, executor: executor) { body in
            WCSessionBackends.$current.withValue(box.endpoint) { body() }
        }
        box.endpoint = endpoint
    }

    private final class Box {
        weak var endpoint: SessionEndpoint?
    }
}

/// The orders of ready work that every rule must hold under.
let readyOrders: [ReadyOrder] = [.firstInFirstOut, .seeded(1), .seeded(2), .seeded(3), .seeded(99)]
/// The sending sides of rules that hold both ways.
let bothSides: [DeviceID] = [.phone, .watch]

extension Knobs {
    /// No content launches an app (W110): for what happens when a person launches it later.
    static var withoutWaking: Knobs {
        var knobs = Knobs()
        knobs.wakesWatchForTransfers = false
        return knobs
    }
}
