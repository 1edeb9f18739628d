import LocalData

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

    /// Nobody is there any more to whom what waits could be sent.
    func withdraw() {
        cancelTimers()
        outbox.withdraw()
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

/// What a device has received as application contexts: the rules of the receiving side.
struct ContextInbox: Sendable {
    /// `receivedApplicationContext`: what arrived last (W45, W46).
    private(set) var latest: [String: PropertyListValue] = [:]
    /// Arrived, and not yet handed to the app.
    private(set) var undelivered: [ContextUpdate] = []

    /// Takes in what arrived. It replaces what was not handed over yet (W42), unless `keepsIntermediate` (W43).
    /// - Returns: what was replaced.
    mutating func arrive(_ update: ContextUpdate, keepsIntermediate: Bool) -> ContextUpdate? {
        latest = update.payload.values
        if keepsIntermediate {
            undelivered.append(update)
            return nil
        }
        let replaced = undelivered.last
        undelivered = [update]
        return replaced
    }

    /// What arrived last elsewhere is what was received last, unless something waits here.
    mutating func takeOver(_ other: ContextInbox) {
        if undelivered.isEmpty { latest = other.latest }
    }

    /// Forgets what was not handed over.
    mutating func withdraw() { undelivered = [] }

    /// Hands over the next context.
    mutating func takeNext() -> ContextUpdate? {
        undelivered.isEmpty ? nil : undelivered.removeFirst()
    }

    /// W43: what is handed over last on a wake is handed over `count` times more.
    mutating func repeatLast(_ count: Int) {
        guard let last = undelivered.last else { return }
        undelivered.append(contentsOf: repeatElement(last, count: count))
    }
}

/// One application context on its way.
struct ContextUpdate: Sendable, Hashable {
    /// Counts the accepted updates of the sending device, from 1.
    let sequence: Int
    let payload: Payload
    /// Its place among all that the device handed over for the counterpart, where that counts (W72); else 0.
    var ticket = 0
    /// Likewise among all that arrived there, from 1.
    var arrival = 0
}

/// What a device has to say through its application context: the rules of the sending side.
struct ContextOutbox: Sendable {
    /// `applicationContext`: what was last accepted (W45, W47).
    private(set) var current: [String: PropertyListValue] = [:]
    /// What was accepted first of all.
    private(set) var first: [String: PropertyListValue] = [:]
    /// Accepted, and not yet on the link.
    private(set) var waiting: ContextUpdate?
    /// On the link. It may still fail to arrive.
    private(set) var inFlight: ContextUpdate?
    private var updateCount = 0

    /// What was handed over first of what has not arrived.
    var oldestTicket: Int? { (inFlight ?? waiting)?.ticket }

    enum Outcome: Hashable {
        /// W48: nothing is sent.
        case unchanged
        /// `replaced` will never be seen by the counterpart (W42).
        case accepted(ContextUpdate, replaced: ContextUpdate?)
    }

    /// Takes a new context, which replaces the whole of the last one (W40).
    mutating func update(_ payload: Payload, suppressesEqual: Bool, ticket: Int = 0) -> Outcome {
        if suppressesEqual && payload.values == current { return .unchanged }
        updateCount += 1
        let update = ContextUpdate(sequence: updateCount, payload: payload, ticket: ticket)
        let replaced = waiting
        current = payload.values
        if updateCount == 1 { first = current }
        waiting = update
        return .accepted(update, replaced: replaced)
    }

    /// Puts what waits on the link. One at a time, so that contexts arrive in order.
    mutating func depart() -> ContextUpdate? {
        guard inFlight == nil, let update = waiting else { return nil }
        waiting = nil
        inFlight = update
        return update
    }

    mutating func arrive() -> ContextUpdate? {
        defer { inFlight = nil }
        return inFlight
    }

    /// The link broke. What was on it waits again, unless something newer does.
    /// - Returns: what the newer one replaced.
    mutating func interrupt() -> ContextUpdate? {
        guard let update = inFlight else { return nil }
        inFlight = nil
        if waiting != nil { return update }
        waiting = update
        return nil
    }

    /// What was accepted last by another outbox counts as accepted here: an equal context is not sent (W48).
    mutating func takeOver(_ other: ContextOutbox) {
        current = other.current
    }

    /// Forgets what has not arrived.
    mutating func withdraw() {
        waiting = nil
        inFlight = nil
    }

    /// Forgets all contexts. The count goes on, so that a sequence number means one update only.
    mutating func clear() {
        current = [:]
        withdraw()
    }
}
