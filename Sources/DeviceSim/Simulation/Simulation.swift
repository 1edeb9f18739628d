import Foundation
import LocalData

/// Two devices, a phone and its watch, joined by a simulated connectivity session: one seed, one virtual clock, one scheduler, one trace.
///
/// Confined to the thread that drives it. Same options and same calls give the same trace, on every host.
public final class Simulation: @unchecked Sendable {
    public let options: SimulationOptions
    public let scheduler: Scheduler
    public let recorder: Recorder
    public let phone: Device
    public let watch: Device
    let network: ConnectivityNetwork

    public init(options: SimulationOptions = SimulationOptions()) {
        self.options = options
        let random = SeededGenerator(seed: options.seed)
        scheduler = Scheduler(order: options.order)
        recorder = Recorder(scheduler: scheduler)
        network = ConnectivityNetwork(
            scheduler: scheduler, recorder: recorder, knobs: options.knobs, random: random.fork("connectivity"))
        phone = Device(id: .phone, options: options, scheduler: scheduler, recorder: recorder, network: network)
        watch = Device(id: .watch, options: options, scheduler: scheduler, recorder: recorder, network: network)
        network.attach(phone: phone, watch: watch)
    }

    /// What happened so far.
    public var trace: Trace { recorder.trace }
    public var now: VirtualTime { scheduler.now }
    public var devices: [Device] { [phone, watch] }

    public func device(_ id: DeviceID) -> Device? {
        devices.first { $0.id == id }
    }

    // MARK: The link

    /// Whether the radios can hear each other.
    public var isLinkUp: Bool { network.isLinkUp }

    public func setLink(up isUp: Bool) {
        guard isUp != network.isLinkUp else { return }
        recorder.record(isUp ? .linkUp : .linkDown)
        network.setLink(up: isUp)
    }

    public func setPaired(_ isPaired: Bool) {
        recorder.record(isPaired ? .pair : .unpair)
        network.setPaired(isPaired)
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
    /// - Returns: whether it holds.
    public func run(until condition: () throws -> Bool, deadline: VirtualTime) throws -> Bool {
        let start = Departure(scheduler)
        try runReady()
        while try !condition() {
            guard let next = scheduler.nextTimer, next <= deadline else {
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
            guard next <= deadline else { throw SimulationError.didNotSettle(after: limit) }
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
            guard next <= deadline else { throw SimulationError.didNotSettle(after: limit) }
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
    public func shutDown() {
        for device in devices {
            device.endProcess(.terminate, recorded: false)
        }
        scheduler.runReady(limit: options.workLimit)
    }
}
