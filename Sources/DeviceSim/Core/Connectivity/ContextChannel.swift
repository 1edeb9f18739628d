/// Carries application contexts from one device to the other. It needs the link, and no app at either end (W41).
///
/// Confined to the simulation's thread.
final class ContextChannel {
    private(set) var outbox = ContextOutbox()
    private let world: ConnectivityContext
    private let sender: DeviceID
    private weak var receiver: ConnectivityDaemon?
    /// Where the order holds among the kinds of what is sent (W72).
    private let order: HandoverOrder?
    private var departure: TimerID?
    private var arrival: TimerID?

    init(from sender: DeviceID, to receiver: ConnectivityDaemon, world: ConnectivityContext, order: HandoverOrder? = nil) {
        self.sender = sender
        self.receiver = receiver
        self.world = world
        self.order = order
        order?.add(.init(oldest: { [weak self] in self?.outbox.oldestTicket }, look: { [weak self] in self?.scheduleDeparture() }))
    }

    /// Takes a context from the app's process of number `process`.
    func update(_ payload: Payload, process: Int) {
        switch outbox.update(payload, suppressesEqual: world.knobs.suppressEqualContexts, ticket: order?.nextTicket() ?? 0) {
        case .unchanged:
            world.recorder.record(.contextUnchanged, on: sender, process: process, facts: payload.facts)
        case .accepted(let update, let replaced):
            world.recorder.record(.contextUpdated, on: sender, process: process, facts: update.facts)
            if let replaced { record(replaced: replaced) }
            world.contextWasUpdated(by: sender)
            scheduleDeparture()
            // It stands behind what was handed over since the one that it replaced.
            if replaced != nil { order?.changed() }
        }
    }

    func conditionsChanged() {
        if world.facts.canTransfer(from: sender) {
            scheduleDeparture()
        } else {
            cancelTimers()
            if let replaced = outbox.interrupt() { record(replaced: replaced) }
        }
    }

    /// The app was removed from the sending device.
    func clear() {
        cancelTimers()
        outbox.clear()
        order?.changed()
    }

    /// What was said last elsewhere counts as said here (`Knobs.contextsOutliveSwitch`).
    func takeOver(_ other: ContextChannel) {
        outbox.takeOver(other.outbox)
    }

    /// A context leaves after all that is ready now has run: updates of one instant go as one (W42).
    private func scheduleDeparture() {
        guard departure == nil, let waiting = outbox.waiting, outbox.inFlight == nil, world.facts.canTransfer(from: sender),
            order?.isTurn(of: waiting.ticket) ?? true
        else { return }
        departure = world.scheduler.schedule(at: world.departure, as: ScheduledWork("departure of a context", of: sender)) { [weak self] in
            self?.depart()
        }
    }

    private func depart() {
        departure = nil
        // A newer one may have taken its place meanwhile, whose turn has not come.
        if let order, let waiting = outbox.waiting, !order.isTurn(of: waiting.ticket) { return }
        guard let update = outbox.depart() else { return }
        world.recorder.record(.contextSent, on: sender, process: nil, facts: [update.number])
        arrival = world.scheduler.schedule(
            at: world.scheduler.now + world.latency, as: ScheduledWork("arrival of a context", of: receiver?.device.description)
        ) { [weak self] in self?.arrive() }
    }

    private func arrive() {
        arrival = nil
        if let update = outbox.arrive() { receiver?.contextArrived(update) }
        scheduleDeparture()
        order?.changed()
    }

    private func cancelTimers() {
        for timer in [departure, arrival].compactMap({ $0 }) { world.scheduler.cancel(timer) }
        departure = nil
        arrival = nil
    }

    private func record(replaced update: ContextUpdate) {
        world.recorder.record(.contextReplaced, on: sender, process: nil, facts: [update.number, .init("from", .text(sender.description))])
    }
}

extension ContextUpdate {
    var number: TraceEvent.Fact { .init("sequence", .number(sequence)) }
    var facts: [TraceEvent.Fact] { [number] + payload.facts }
}
