/// Sends values that are there already, as many as are asked for, and then the end.
final class Delivery<Down: Subscriber>: Subscription, CustomStringConvertible {
    let description: String
    private let lock = Lock()
    private var down: Down?
    private var next: () -> Down.Input?
    private var upcoming: Down.Input?
    private let completion: Subscribers.Completion<Down.Failure>
    private var demand = Subscribers.Demand.none
    private var isSending = false

    init<Values: Sequence>(
        _ name: String, _ values: Values, completion: Subscribers.Completion<Down.Failure> = .finished, to down: Down
    ) where Values.Element == Down.Input {
        var iterator = values.makeIterator()
        description = name
        next = { iterator.next() }
        self.completion = completion
        self.down = down
        upcoming = next()
    }

    /// Sends the end at once where there are no values.
    static func subscribe<Values: Sequence>(
        _ name: String, _ values: Values, completion: Subscribers.Completion<Down.Failure>, _ down: Down
    ) where Values.Element == Down.Input {
        let delivery = Delivery(name, values, completion: completion, to: down)
        if delivery.upcoming == nil {
            down.receive(subscription: Subscriptions.empty)
            down.receive(completion: completion)
        } else {
            down.receive(subscription: delivery)
        }
    }

    func request(_ demand: Subscribers.Demand) {
        let isFirst = lock.withLock {
            self.demand += demand
            defer { isSending = true }
            return !isSending
        }
        guard isFirst else { return }
        while let (down, value, isLast) = take() {
            let more = down.receive(value)
            lock.withLock { self.demand += more }
            if isLast { finish() }
        }
        lock.withLock { isSending = false }
    }

    func cancel() {
        lock.withLock { (down, upcoming) = (nil, nil) }
    }

    /// The end follows the last value at once, without another one being asked for.
    private func take() -> (Down, Down.Input, isLast: Bool)? {
        lock.withLock {
            guard demand > 0, let down, let value = upcoming else { return nil }
            demand -= 1
            upcoming = next()
            return (down, value, upcoming == nil)
        }
    }

    private func finish() {
        let down = lock.withLock {
            defer { self.down = nil }
            return self.down
        }
        down?.receive(completion: completion)
    }
}
