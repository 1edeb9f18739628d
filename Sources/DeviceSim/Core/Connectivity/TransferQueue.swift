/// What waits to be carried to the counterpart, one at a time, in the order of the calls: the rules of the sending side (W80, W84, W88).
///
/// An entry stays until it has arrived, so that a broken transfer starts again. One entry may be *current*: it goes before all others
/// that wait; the next one takes that from it, and it goes when its turn comes (W96).
///
/// Adding and carrying cost the same however long the queue is; finding an entry costs the logarithm of that.
package struct TransferQueue<Content> {
    struct Entry {
        let number: Int
        let content: Content
        /// Its place among all that the device handed over, where that counts (W72); else 0.
        var ticket = 0
        /// Likewise among all that arrived at the counterpart, from 1.
        var arrival = 0
    }

    fileprivate struct Place {
        let number: Int
        /// `nil` once the entry is out of the queue.
        var content: Content?
        var ticket: Int
    }

    /// By number. What is before `head` is out of the queue.
    private var places: [Place] = []
    private var head = 0
    /// How many entries are in the queue, the one in flight among them.
    private(set) var count = 0
    /// The entry that is on the link.
    package private(set) var inFlight: Int?
    /// The entry that got stuck (P20). Until it is freed or taken out, none departs.
    private(set) var stuck: Int?
    /// The entry that goes before the others, until it has arrived.
    package private(set) var current: Int?

    var isEmpty: Bool { count == 0 }
    var canDepart: Bool { inFlight == nil && stuck == nil && count > 0 }

    /// - Parameter number: Higher than that of any entry before.
    mutating func add(_ content: Content, number: Int, ticket: Int = 0, isCurrent: Bool = false) {
        places.append(Place(number: number, content: content, ticket: ticket))
        count += 1
        if isCurrent { current = number }
    }

    /// The ticket of what was added first of all that is in the queue.
    var oldestTicket: Int? { head < places.count ? places[head].ticket : nil }

    /// The ticket of what departs next; `nil` for nothing, and for what waits for no turn (W96).
    var nextTicket: Int? { canDepart && current == nil ? oldestTicket : nil }

    /// Puts the next entry on the link.
    mutating func depart() -> Entry? {
        guard canDepart else { return nil }
        if let current, let content = self[current] {
            inFlight = current
            return Entry(number: current, content: content)
        }
        guard head < places.count, let content = places[head].content else { return nil }
        inFlight = places[head].number
        return Entry(number: places[head].number, content: content)
    }

    /// The next entry does not depart, and neither do those behind it (P20).
    mutating func stick() {
        if depart() != nil { interrupt(sticks: true) }
    }

    /// What got stuck may depart again.
    /// - Returns: whether something was stuck.
    mutating func free() -> Bool {
        defer { stuck = nil }
        return stuck != nil
    }

    /// What is on the link has arrived.
    mutating func arrive() -> Entry? {
        guard let number = inFlight, let content = remove(number) else { return nil }
        return Entry(number: number, content: content)
    }

    /// The link broke: what was on it waits again, where it was; until it is freed, if it sticks.
    mutating func interrupt(sticks: Bool = false) {
        if sticks, stuck == nil { stuck = inFlight }
        inFlight = nil
    }

    /// Takes an entry out.
    /// - Returns: what it was; `nil` if it is in the queue no more (W86).
    mutating func remove(_ number: Int) -> Content? {
        guard let index = index(of: number), let content = places[index].content else { return nil }
        places[index].content = nil
        count -= 1
        if inFlight == number { inFlight = nil }
        if stuck == number { stuck = nil }
        if current == number { current = nil }
        trim()
        return content
    }

    /// Gives an entry another content, where it is.
    mutating func replace(_ number: Int, with content: Content) {
        guard let index = index(of: number), places[index].content != nil else { return }
        places[index].content = content
    }

    package subscript(number: Int) -> Content? {
        index(of: number).flatMap { places[$0].content }
    }

    /// What is neither arrived nor taken out, in the order of the calls.
    var outstanding: [Entry] {
        places[head...].compactMap { place in place.content.map { Entry(number: place.number, content: $0, ticket: place.ticket) } }
    }

    private func index(of number: Int) -> Int? {
        var low = head
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if places[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < places.count && places[low].number == number ? low : nil
    }

    private mutating func trim() {
        while head < places.count, places[head].content == nil { head += 1 }
        if head == places.count {
            places.removeAll(keepingCapacity: head <= 64)
            head = 0
        } else if head >= 64, head * 2 >= places.count {
            places.removeFirst(head)
            head = 0
        }
    }
}

extension TransferQueue: Sendable where Content: Sendable {}
extension TransferQueue.Entry: Sendable where Content: Sendable {}
extension TransferQueue.Place: Sendable where Content: Sendable {}
