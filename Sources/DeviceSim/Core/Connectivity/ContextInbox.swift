import LocalData

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
