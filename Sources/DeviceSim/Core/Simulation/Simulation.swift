import Foundation
import LocalData

/// Two devices, a phone and its watch (or a second one, see ``SimulationOptions/hasSecondWatch``), joined by a simulated connectivity session: one seed, one virtual clock, one scheduler, one trace.
///
/// Confined to the thread that drives it. Same options and same calls give the same trace, on every host.
public final class Simulation: @unchecked Sendable {
    /// What the simulation was made with.
    public let options: SimulationOptions
    /// Decides what runs next, and when.
    public let scheduler: Scheduler
    /// Writes the trace.
    public let recorder: Recorder
    /// The iPhone, whose session speaks to one of the watches.
    public let phone: Device
    /// The watch that is worn at first.
    public let watch: Device
    /// The phone's second watch, if it has one: paired, and not the active one at first.
    public let watch2: Device?
    /// The phone and its watches.
    public let devices: [Device]
    package let network: ConnectivityNetwork

    /// Two devices that are on and paired, with the app installed and not launched. Nothing runs yet.
    public init(options: SimulationOptions = SimulationOptions()) {
        self.options = options
        let random = SeededGenerator(seed: options.seed)
        scheduler = Scheduler(order: options.order)
        scheduler.stopwatch = options.stopwatch
        scheduler.watch = options.watch
        recorder = Recorder(scheduler: scheduler, tracksCauses: options.tracksCauses)
        network = ConnectivityNetwork(
            scheduler: scheduler, recorder: recorder, knobs: options.knobs, random: random.fork("connectivity"),
            hasSecondWatch: options.hasSecondWatch, phoneCanPair: options.phoneCanPair, isWatchOnlyApp: options.isWatchOnlyApp,
            isDependentWatchApp: options.isDependentWatchApp)
        phone = Device(id: .phone, options: options, scheduler: scheduler, recorder: recorder, network: network)
        watch = Device(id: .watch, options: options, scheduler: scheduler, recorder: recorder, network: network)
        watch2 =
            options.hasSecondWatch
            ? Device(id: .watch2, options: options, scheduler: scheduler, recorder: recorder, network: network) : nil
        let watches = [watch] + (watch2.map { [$0] } ?? [])
        devices = [phone] + watches
        if options.isWatchOnlyApp { phone.isAppInstalled = false }
        network.attach(phone: phone, watches: watches)
        if !options.phoneCanPair {
            for watch in watches { network.setPaired(false, watch.id) }
        }
    }

    /// What was backed up of watches that were unpaired, and which of those have not been paired since (W26, W27).
    private var unpairingBackups: [DeviceID: DeviceBackup] = [:]
    private var unpairedWatches: Set<DeviceID> = []

    /// What happened so far.
    public var trace: Trace { recorder.trace }
    /// The present instant of virtual time.
    public var now: VirtualTime { scheduler.now }

    /// The device of that name; `nil` for a second watch where there is none.
    public func device(_ id: DeviceID) -> Device? {
        devices.first { $0.id == id }
    }

    // MARK: The link

    /// Whether the radios can hear each other.
    public var isLinkUp: Bool { network.isLinkUp }

    /// Brings the devices into range of each other, or out of it. What is under way when the link goes down does not arrive.
    public func setLink(up isUp: Bool) {
        guard isUp != network.isLinkUp else { return }
        recorder.record(isUp ? .linkUp : .linkDown)
        network.setLink(up: isUp)
    }

    /// Pairs a watch with the phone, or ends that. Where the active watch is unpaired, the other one becomes active. Where it is so already, nothing
    /// happens. A watch that stands without its phone, since one of both was replaced, can be unpaired too: a person erases it by hand.
    /// - Throws: ``SimulationError`` for a watch that is not there, a phone that cannot pair or is off, and a watch that is to be paired and is off or out of range.
    public func setPaired(_ isPaired: Bool, _ watch: DeviceID = .watch) throws {
        try requireWatch(watch)
        guard !isPaired || options.phoneCanPair else { throw SimulationError.impossible(device: .phone, reason: "it cannot have a watch") }
        let facts: [TraceEvent.Fact] = watch == .watch ? [] : [.init("watch", .text(watch.description))]
        let wasPaired = network.isPaired(with: watch)
        let isLeftBehind = !isPaired && network.isLeftBehind(watch)
        guard isPaired != wasPaired || isLeftBehind else { return }
        if isPaired || !isLeftBehind { try requireNear(watch, toPair: isPaired) }
        recorder.record(isPaired ? .pair : .unpair, on: nil, process: nil, facts: facts)
        guard options.knobs.unpairErasesWatch, let device = device(watch) else { return network.setPaired(isPaired, watch) }
        if isPaired { beginAnew(device) }
        network.setPaired(isPaired, watch)
        if !isPaired { try leave(device, byHand: isLeftBehind) }
    }

    /// The phone pairs, and ends that. A watch is paired that is near it; of one that is not a person can still rid the phone.
    private func requireNear(_ watch: DeviceID, toPair pairs: Bool) throws {
        guard phone.state.isPoweredOn else { throw SimulationError.impossible(device: .phone, reason: "the device is off") }
        guard pairs else { return }
        guard device(watch)?.state.isPoweredOn == true else { throw SimulationError.impossible(device: watch, reason: "the device is off") }
        guard isLinkUp else {
            throw SimulationError.impossible(device: watch, reason: "it is out of the phone's range, and cannot be paired; `link up` first")
        }
    }

    /// W26: the phone tells the watch to erase itself, having backed it up; one that is out of reach stays as it is. A watch whose phone is another one
    /// now is erased on the watch itself, and nobody backs it up.
    private func leave(_ watch: Device, byHand: Bool) throws {
        unpairingBackups[watch.id] = nil
        unpairedWatches.insert(watch.id)
        if byHand, watch.state.isPoweredOn { watch.erase() }
        guard !byHand, isLinkUp, phone.state.isPoweredOn, watch.state.isPoweredOn else { return }
        unpairingBackups[watch.id] = try watch.makeUnpairingBackup()
        watch.erase()
    }

    /// W26: a watch is paired as a new one. The app comes with the phone's.
    private func beginAnew(_ watch: Device) {
        guard unpairedWatches.remove(watch.id) != nil else { return }
        if watch.isAppInstalled { watch.erase() }
        if phone.isAppInstalled || options.isWatchOnlyApp { watch.install() }
    }

    /// Pairs a watch again and restores what was backed up when it was unpaired (W27). It is before its first unlock then, its app not running.
    /// - Throws: ``SimulationError`` where there is no such backup; what writing gives.
    public func pairFromBackup(_ watch: DeviceID = .watch) throws {
        try requireWatch(watch)
        guard let device = device(watch), device.state.isPoweredOn, let backup = unpairingBackups[watch] else {
            throw SimulationError.impossible(device: watch, reason: "it is off, or was not backed up when it was unpaired")
        }
        try setPaired(true, watch)
        try device.restore(backup)
        unpairingBackups[watch] = nil
    }

    /// The devices are found unpaired: nothing was erased for that.
    package func startUnpaired(_ watch: DeviceID) {
        let facts: [TraceEvent.Fact] = watch == .watch ? [] : [.init("watch", .text(watch.description))]
        recorder.record(.unpair, on: nil, process: nil, facts: facts)
        network.setPaired(false, watch)
    }

    /// The watch that the phone speaks to.
    public var activeWatch: Device { device(network.activeWatch) ?? watch }

    /// A person puts on another one of the phone's watches (W12): the session of the phone's app becomes inactive, is given what the old watch has
    /// sent, and is deactivated after the time of the knob `switch.handover`. Of the active watch: no effect.
    /// - Throws: ``SimulationError`` for a watch that is not there, or not paired, and a phone that is off.
    public func switchWatch(to watch: DeviceID) throws {
        try requireWatch(watch)
        guard network.isPaired(with: watch) else {
            throw SimulationError.impossible(device: .phone, reason: "the \(watch) is not paired; pair it first")
        }
        guard phone.state.isPoweredOn else { throw SimulationError.impossible(device: .phone, reason: "the device is off") }
        recorder.record(.switchWatch, on: nil, process: nil, facts: [.init("to", .text(watch.description))])
        network.switchWatch(to: watch)
    }

    private func requireWatch(_ id: DeviceID) throws {
        guard !id.isPhone, device(id) != nil else { throw SimulationError.impossible(device: id, reason: "there is no such watch") }
    }

    // MARK: Time

    /// Runs all that is ready, and lets no time pass.
    public func runReady() throws {
        guard scheduler.runReady(limit: options.workLimit) else { throw SimulationError.livelock(at: now, limit: options.workLimit) }
    }

    /// Lets time pass.
    public func wait(_ span: VirtualDuration) throws {
        try advance(to: now + span)
    }

    /// Lets time pass until `time`.
    public func advance(to time: VirtualTime) throws {
        let start = Departure(scheduler)
        try runReady()
        while let next = scheduler.nextTimer, next < time { try pass(to: next, since: start) }
        try pass(to: time, since: start)
    }

    /// Lets time pass until `condition` holds, looking after every instant at which something happened, or until `deadline`.
    /// - Parameters:
    ///   - condition: What to wait for. Must have no effects.
    ///   - deadline: When to give up.
    ///   - instant: When to look next, though nothing happens then: something may change with time alone.
    /// - Returns: whether it holds.
    public func run(
        until condition: () throws -> Bool, deadline: VirtualTime, alsoAt instant: () throws -> VirtualTime? = { nil }
    ) throws -> Bool {
        let start = Departure(scheduler)
        try runReady()
        while try !condition() {
            guard let next = [scheduler.nextTimer, try instant()].compactMap({ $0 }).min(), next <= deadline else {
                try pass(to: deadline, since: start)
                return try condition()
            }
            try pass(to: next, since: start)
        }
        return true
    }

    /// Lets time pass until nothing is left to happen but what repeats for ever, such as an app's repeating timer.
    public func settle(limit: VirtualDuration = .seconds(24 * 3600)) throws {
        let start = Departure(scheduler)
        let deadline = now + limit
        try runReady()
        while scheduler.hasPendingTimer, let next = scheduler.nextTimer {
            guard next <= deadline else { throw SimulationError.didNotSettle(after: limit, agenda: scheduler.agenda) }
            try pass(to: next, since: start)
        }
    }

    /// Waits for an operation in an app, letting time pass while it waits for something that is to come.
    public func finish<Result>(_ operation: AppOperation<Result>, within limit: VirtualDuration = .seconds(24 * 3600)) throws {
        let start = Departure(scheduler)
        let deadline = now + limit
        try runReady()
        while !operation.isFinished {
            guard let next = scheduler.nextTimer else { throw SimulationError.deadlock(at: now, operation: operation.name) }
            guard next <= deadline else { throw SimulationError.didNotSettle(after: limit, agenda: scheduler.agenda) }
            try pass(to: next, since: start)
        }
    }

    /// Where a call that lets time pass began.
    private struct Departure {
        let time: VirtualTime
        let work: Int

        init(_ scheduler: Scheduler) {
            time = scheduler.now
            work = scheduler.executedCount
        }
    }

    /// Lets time pass until `time`, within what may run in all since `start`.
    private func pass(to time: VirtualTime, since start: Departure) throws {
        guard scheduler.advance(to: time, limit: options.workLimit) else {
            throw SimulationError.livelock(at: now, limit: options.workLimit)
        }
        guard scheduler.executedCount - start.work <= options.waitWorkLimit else {
            throw SimulationError.unrest(from: start.time, to: now, limit: options.waitWorkLimit)
        }
    }

    /// Ends all processes and lets their tasks unwind, so that nothing of the simulation is left in memory.
    ///
    /// With real files, what the connectivity daemons hold is written beside them first: see `Connectivity` in each device's folder.
    public func shutDown() {
        for device in devices {
            // A host's disk that takes no more takes nothing from the run's outcome.
            if let folder = device.storage.folder { try? ConnectivityFolder(folder: folder).write(device.daemon) }
        }
        for device in devices {
            device.endProcess(.terminate, recorded: false)
            device.endWidget(.terminate, recorded: false)
        }
        scheduler.runReady(limit: options.workLimit)
    }
}

extension Simulation {
    /// Does something in the app that runs on `device`, to the end, letting virtual time pass where it has to wait.
    ///
    /// ```swift
    /// let theme = try simulation.run(on: simulation.watch) { try await StorageRouter.shared.get(StorageKeys.ThemeKey()) }
    /// ```
    /// - Throws: what `operation` throws; ``SimulationError`` if the app does not run or the operation cannot finish.
    public func run<Value>(
        on device: Device, _ name: String = "operation", _ operation: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let outcome = try device.start(name, operation)
        try finish(outcome)
        guard let result = outcome.result else { throw SimulationError.deadlock(at: now, operation: name) }
        return try result.get()
    }

    /// Launches the app on both devices (on a second watch too) and lets it come to rest: sessions activated, first sync done.
    public func launchBoth() throws {
        for device in devices { try finish(device.launch()) }
        try settle()
    }
}

extension Simulation {
    /// Does something in the app that runs on `device`, and lets a crash come at `point`, or right after it if it has fewer operations.
    /// - Returns: what came of it: `nil` if it was cut short. What is returned was acknowledged before the crash.
    /// - Throws: ``SimulationError`` if the app does not run or the operation can never finish.
    public func run<Value>(
        on device: Device, until point: CrashPoint, _ name: String = "operation",
        _ operation: @escaping @Sendable () async throws -> Value
    ) throws -> Result<Value, any Error>? {
        let process = try device.requireProcess()
        device.arm(point)
        let outcome = process.start(name, operation)
        try finish(outcome, in: process)
        device.storage.faults.removeInterruptions()
        guard process.life.isAlive else { return nil }
        device.end(by: point.kind)
        return outcome.result
    }

    /// Does something in the app that runs on `device`, and lists the storage operations that it took.
    public func operations<Value>(
        on device: Device, _ name: String = "operation", _ operation: @escaping @Sendable () async throws -> Value
    ) throws -> (result: Result<Value, any Error>, operations: [StorageOperation]) {
        let process = try device.requireProcess()
        device.storage.operationLog = []
        defer { device.storage.operationLog = nil }
        let outcome = process.start(name, operation)
        try finish(outcome)
        guard let result = outcome.result else { throw SimulationError.deadlock(at: now, operation: name) }
        return (result, (device.storage.operationLog ?? []).map(\.operation))
    }

    /// Waits until the operation has ended, or its process.
    func finish<Value>(_ operation: AppOperation<Value>, in process: AppProcess, within limit: VirtualDuration = .seconds(24 * 3600)) throws
    {
        let isOver = try run(until: { operation.isFinished || !process.life.isAlive }, deadline: now + limit)
        guard isOver else { throw SimulationError.deadlock(at: now, operation: operation.name) }
    }
}

/// What a simulation starts from.
public struct SimulationOptions: Sendable {
    /// What every random draw of the simulation comes from.
    public var seed: UInt64 = 1
    /// Which of the work that is ready at one instant runs first.
    public var order = ReadyOrder.firstInFirstOut
    /// How what is not known of real devices is set.
    public var knobs = Knobs()
    /// Whether the phone is paired with a second watch, which a person can put on instead of the first (W12).
    public var hasSecondWatch = false
    /// False for a phone that cannot have a watch: `WCSession.isSupported()` is false on it, and the watch is not paired.
    public var phoneCanPair = true
    /// Whether the app has no part on the phone: a session on the watch is never activated (W16).
    public var isWatchOnlyApp = false
    /// Whether the watch's app cannot be without that of the phone (W120).
    public var isDependentWatchApp = false
    /// Where the devices keep real files, `phone/…` and `watch/…`; `nil` for memory.
    public var root: URL?
    /// How many pieces of work may run at one instant before the run counts as a livelock.
    public var workLimit = 1_000_000
    /// How many pieces of work may run during one wait, one `settle`, or one operation, before the run counts as one that never comes to rest. A week with a timer
    /// every second needs fewer.
    public var waitWorkLimit = 5_000_000
    /// Makes the app of a new process. Called for every launch: an app object is memory, and ends with its process.
    public var makeApp: @Sendable (DeviceID) -> any SimulatedApp = { _ in ReferenceApp() }
    /// Wraps what a new process of the app sees of its device. For tests of tests: a storage that breaks a promise must make them fail.
    public var adaptEnvironment: @Sendable (DeviceID, StorageEnvironment) -> StorageEnvironment = { $1 }
    /// The version of the installed app.
    public var appVersion = "1.0"
    /// The app's bundle identifier, on all devices.
    public var bundleIdentifier = "com.example.app"
    /// The App Groups whose containers are there from the app's installation on (see ``DeviceStorage/groupsOfTheApp``).
    package var groupsOfTheApp: Set<String> = []
    /// The wall-clock time of both devices at the start: 2026-01-01 09:00 UTC.
    public var startDate = Date(timeIntervalSince1970: 1_767_258_000)

    /// Measures where the time of the run goes.
    public var stopwatch: RunStopwatch?
    /// Shows the watchdog that the run goes on.
    package var watch: RunWatch?
    /// Whether the trace notes of each event what set it off. Changes nothing else.
    package var tracksCauses = false

    /// A phone and a watch in memory, with the reference app.
    public init() {}
}

/// Why a simulation cannot go on.
public enum SimulationError: Error, Sendable, Hashable {
    /// Nothing is ready, nothing is scheduled, and the operation has not finished: it never will.
    case deadlock(at: VirtualTime, operation: String)
    /// More work than `limit` ran at one instant.
    case livelock(at: VirtualTime, limit: Int)
    /// More work than `limit` ran while time passed, and there was still some to come.
    case unrest(from: VirtualTime, to: VirtualTime, limit: Int)
    /// Something was still to happen after this long.
    /// - Parameter agenda: What is still to come: when (in seconds since the start, as in traces), what, and whose.
    case didNotSettle(after: VirtualDuration, agenda: [String])
    /// The device is not in a state in which that can be done, such as a launch on a device that is off.
    case impossible(device: DeviceID, reason: String)
}

extension SimulationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .deadlock(let time, let operation):
            "'\(operation)' waits for ever: at \(time) nothing is ready to run and nothing is scheduled"
        case .livelock(let time, let limit):
            "work goes on without an end: \(limit) jobs ran at \(time) and more are ready"
        case .unrest(let start, let end, let limit):
            "work goes on without an end: \(limit) jobs ran from \(start) to \(end)"
        case .didNotSettle(let span, let agenda):
            (["something is still scheduled after \(span) of virtual time"] + agenda.map { "  due at \($0)" }).joined(separator: "\n")
        case .impossible(let device, let reason):
            "\(device): \(reason)"
        }
    }
}
