/// The part of an operator that decides when values are sent: takes all that its upstream has, and sends what it is told to, as far as that is asked for.
///
/// A value that nobody has asked for is lost.
final class Pace<Down: Subscriber>: Subscriber, Subscription, CustomStringConvertible {
    let description: String
    var onValue: ((Down.Input) -> Void)?
    var onCompletion: ((Subscribers.Completion<Down.Failure>) -> Void)?
    private let lock = Lock()
    private let connection = Connection()
    private var down: Down?
    private var demand = Subscribers.Demand.none

    init(_ name: String, to down: Down) {
        description = name
        self.down = down
    }

    func receive(subscription: any Subscription) {
        guard connection.begin(subscription) else { return }
        lock.withLock { down }?.receive(subscription: self)
        if connection.isOpen { subscription.request(.unlimited) }
    }

    func receive(_ input: Down.Input) -> Subscribers.Demand {
        if connection.isOpen { onValue?(input) }
        return .none
    }

    func receive(completion: Subscribers.Completion<Down.Failure>) {
        if connection.end() != nil { onCompletion?(completion) }
    }

    func request(_ demand: Subscribers.Demand) { lock.withLock { self.demand += demand } }

    func cancel() {
        (onValue, onCompletion) = (nil, nil)
        _ = lock.withLock { down.take() }
        connection.end()?.cancel()
    }

    func send(_ value: Down.Input) {
        let taker = lock.withLock { () -> Down? in
            guard demand > 0 else { return nil }
            demand -= 1
            return down
        }
        guard let taker else { return }
        let more = taker.receive(value)
        lock.withLock { demand += more }
    }

    func finish(_ completion: Subscribers.Completion<Down.Failure>) {
        (onValue, onCompletion) = (nil, nil)
        lock.withLock { down.take() }?.receive(completion: completion)
    }
}
