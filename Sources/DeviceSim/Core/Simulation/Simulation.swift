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
        recorder = Recorder(scheduler: scheduler)
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

    /// Pairs a watch with the phone, or ends that. Where the active watch is unpaired, the other one becomes active.
    /// - Throws: ``SimulationError`` for a watch that is not there, and a phone that cannot pair.
    public func setPaired(_ isPaired: Bool, _ watch: DeviceID = .watch) throws {
        try requireWatch(watch)
        guard !isPaired || options.phoneCanPair else { throw SimulationError.impossible(device: .phone, reason: "it cannot have a watch") }
        let facts: [TraceEvent.Fact] = watch == .watch ? [] : [.init("watch", .text(watch.description))]
        let wasPaired = network.isPaired(with: watch)
        recorder.record(isPaired ? .pair : .unpair, on: nil, process: nil, facts: facts)
        guard options.knobs.unpairErasesWatch, isPaired != wasPaired, let device = device(watch) else {
            return network.setPaired(isPaired, watch)
        }
        if isPaired { beginAnew(device) }
        network.setPaired(isPaired, watch)
        if !isPaired { try leave(device) }
    }

    /// W26: the phone tells the watch to erase itself, having backed it up; one that is out of reach stays as it is.
    private func leave(_ watch: Device) throws {
        unpairingBackups[watch.id] = nil
        unpairedWatches.insert(watch.id)
        guard isLinkUp, phone.state.isPoweredOn, watch.state.isPoweredOn else { return }
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
    /// - Throws: ``SimulationError`` for a watch that is not there, or not paired.
    public func switchWatch(to watch: DeviceID) throws {
        try requireWatch(watch)
        guard network.isPaired(with: watch) else {
            throw SimulationError.impossible(device: .phone, reason: "the \(watch) is not paired; pair it first")
        }
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
