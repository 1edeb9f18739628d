/// One of the upstreams of an operator that has several, or one after the other.
///
/// Nothing that it is sent after its end, or after it was cancelled, gets through.
final class Inlet<Input, Failure: Error>: Subscriber {
    private let connection = Connection()
    private var onSubscription: (() -> Void)?
    private var onValue: ((Input) -> Subscribers.Demand)?
    private var onCompletion: ((Subscribers.Completion<Failure>) -> Void)?

    init(
        onSubscription: @escaping () -> Void, onValue: @escaping (Input) -> Subscribers.Demand,
        onCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
        self.onSubscription = onSubscription
        self.onValue = onValue
        self.onCompletion = onCompletion
    }

    func receive(subscription: any Subscription) {
        if connection.begin(subscription) { onSubscription?() }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        connection.isOpen ? onValue?(input) ?? .none : .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        guard connection.end() != nil else { return }
        let told = onCompletion
        (onSubscription, onValue, onCompletion) = (nil, nil, nil)
        told?(completion)
    }

    func request(_ demand: Subscribers.Demand) {
        if demand > 0 { connection.subscription?.request(demand) }
    }

    func cancel() {
        let subscription = connection.end()
        (onSubscription, onValue, onCompletion) = (nil, nil, nil)
        subscription?.cancel()
    }
}

/// An inlet of any type, as those see it that only ask and cancel.
struct Tap {
    let request: (Subscribers.Demand) -> Void
    let cancel: () -> Void

    init<Input, Failure>(_ inlet: Inlet<Input, Failure>) {
        request = { inlet.request($0) }
        cancel = { inlet.cancel() }
    }
}

/// The subscription of one subscriber to publishers that follow each other. What one of them has not sent of what is asked for, the next one is asked.
final class Succession<Down: Subscriber>: Subscription, CustomStringConvertible {
    let description: String
    private let lock = Lock()
    private var down: Down?
    private var demand = Subscribers.Demand.none
    private var current: Tap?
    private var isAnnounced = false
    /// What else ends when this is cancelled.
    var onCancel: (() -> Void)?

    init(_ name: String, to down: Down) {
        description = name
        self.down = down
    }

    var isOpen: Bool { lock.withLock { down != nil } }

    /// Gives the subscriber its subscription, once.
    func announce() {
        let told = lock.withLock {
            defer { isAnnounced = true }
            return isAnnounced ? nil : down
        }
        told?.receive(subscription: self)
    }

    /// Takes the values of a publisher from now on, in place of those of the one before.
    func follow<P: Publisher>(_ publisher: P, onCompletion: @escaping (Subscribers.Completion<P.Failure>) -> Void)
    where P.Output == Down.Input {
        guard isOpen else { return }
        let box = Box<Tap>()
        let inlet = Inlet<P.Output, P.Failure> { [self] in
            lock.withLock { current = box.value }
            guard isOpen else {
                box.value?.cancel()
                return
            }
            if lock.withLock({ isAnnounced }) {
                box.value?.request(lock.withLock { demand })
            } else {
                announce()
            }
        } onValue: { [self] value in
            let down = lock.withLock {
                demand -= 1
                return self.down
            }
            let more = down?.receive(value) ?? .none
            lock.withLock { demand += more }
            return more
        } onCompletion: { [self] completion in
            lock.withLock { current = nil }
            onCompletion(completion)
        }
        box.value = Tap(inlet)
        publisher.subscribe(inlet)
    }

    /// Cancels the one whose values are taken.
    func leave() {
        let left = lock.withLock { current.take() }
        left?.cancel()
    }

    func finish(_ completion: Subscribers.Completion<Down.Failure>) {
        announce()
        let told = lock.withLock { down.take() }
        onCancel = nil
        told?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        let current = lock.withLock {
            self.demand += demand
            return self.current
        }
        current?.request(demand)
    }

    func cancel() {
        _ = lock.withLock { down.take() }
        leave()
        onCancel.take()?()
    }
}

/// A value that is known a little later than what needs it.
final class Box<Value> {
    var value: Value?

    init(_ value: Value? = nil) {
        self.value = value
    }
}
