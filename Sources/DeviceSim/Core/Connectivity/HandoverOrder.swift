/// The order in which an app handed over what goes to one counterpart in the background: contexts, user infos and files. W72: whether it holds among these
/// kinds is disputed; where it does, nothing leaves before what was handed over earlier has arrived.
///
/// What cannot leave at all holds up its own kind alone: what got stuck (P20), and what stays where it is in Apple's Simulator (W112).
///
/// Confined to the simulation's thread.
final class HandoverOrder {
    /// One of the lines that share the order.
    struct Line {
        /// The ticket of what was handed over first of all that has not arrived, and may leave; `nil` for nothing.
        let oldest: () -> Int?
        /// Looks whether something may leave now.
        let look: () -> Void
    }

    private let counter: HandoverCounter
    private var lines: [Line] = []

    init(counter: HandoverCounter) {
        self.counter = counter
    }

    /// For what is handed over now: higher than every ticket of the device before.
    func nextTicket() -> Int { counter.next() }

    func add(_ line: Line) { lines.append(line) }

    /// Whether nothing was handed over before that has not arrived.
    func isTurn(of ticket: Int) -> Bool { lines.allSatisfy { line in line.oldest().map { $0 >= ticket } ?? true } }

    /// Something has arrived, or was taken out.
    func changed() {
        for line in lines { line.look() }
    }
}

/// Counts what a device hands over, to whichever counterpart.
final class HandoverCounter {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
