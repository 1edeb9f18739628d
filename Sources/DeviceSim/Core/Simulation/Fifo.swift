/// A line of things that leave at the front. Adding and taking cost the same however long it is.
struct Fifo<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var first: Element? { isEmpty ? nil : elements[head] }

    /// In order. Costs as much as the line is long.
    var all: [Element] { elements[head...].compactMap { $0 } }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Puts an element back to the front. Costs as much as the line is long.
    mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        // Taken, not copied, so that what an element holds is let go with it.
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: head <= 64)
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll() {
        elements.removeAll()
        head = 0
    }
}

extension Fifo: Sendable where Element: Sendable {}
