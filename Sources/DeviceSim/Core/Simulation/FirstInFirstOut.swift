/// Elements that leave in the order in which they came; taking the first costs the same however many there are.
///
/// What left stays in front of ``head`` until there is enough of it to move the rest.
struct FirstInFirstOut<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Takes the first element, if there is one.
    mutating func removeFirst() -> Element? {
        guard head < elements.count else { return nil }
        // Taken, not copied, so that what an element holds is let go with it.
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
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
