import LocalData

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

    /// Forgets all contexts. The count goes on, so that a sequence number means one update only.
    mutating func clear() {
        current = [:]
        waiting = nil
        inFlight = nil
    }
}
