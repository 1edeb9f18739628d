/// What arrived through transfers in the background and was not handed over: the rules of the receiving side (W82, W87, W88).
struct TransferInbox: Sendable {
    private var waiting = Fifo<Transfer>()
    /// What the app is being given at this moment.
    private(set) var delivering: Transfer?

    /// W10: whether something is still to be handed over. What is being handed over now is not.
    var hasContent: Bool { !waiting.isEmpty }

    /// What is handed over next.
    var next: Transfer? { waiting.first }

    /// What the app has not taken yet, in order.
    var contents: [Transfer] { (delivering.map { [$0] } ?? []) + waiting.all }

    mutating func arrive(_ transfer: Transfer) {
        waiting.append(transfer)
    }

    /// Begins to hand over the first: again, if a process ended while it was given it.
    mutating func begin() -> Transfer? {
        delivering = waiting.popFirst()
        return delivering
    }

    /// The receive callback has returned.
    mutating func finish() {
        delivering = nil
    }

    /// The process ended. What it was being given comes again (W87), if it is to.
    /// - Returns: what will not come again.
    mutating func interrupt(redelivers: Bool) -> Transfer? {
        guard let transfer = delivering else { return nil }
        delivering = nil
        guard redelivers else { return transfer }
        waiting.prepend(transfer)
        return nil
    }
}
