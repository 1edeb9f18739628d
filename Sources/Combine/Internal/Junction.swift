/// The subscription of one subscriber to a fixed number of publishers whose values are put together: the newest of each, or one of each.
final class Junction<Down: Subscriber>: Subscription, CustomStringConvertible {
    /// How values are put together.
    enum Rule {
        /// Whenever one comes, with the newest of the others.
        case newest
        /// As soon as there is one of each, in order.
        case oneOfEach
    }

    private struct Input {
        var tap: Tap?
        var values: [Slot] = []
        var isOver = false
    }

    let description: String
    private let lock = Lock()
    private let rule: Rule
    private let combine: ([Slot]) -> Down.Input
    private var down: Down?
    private var demand = Subscribers.Demand.none
    private var inputs: [Input]
    private var isAnnounced = false
    private var failure: Down.Failure?

    init(_ name: String, _ rule: Rule, of count: Int, to down: Down, combine: @escaping ([Slot]) -> Down.Input) {
        description = name
        self.rule = rule
        self.down = down
        self.combine = combine
        inputs = Array(repeating: Input(), count: count)
    }

    func add<P: Publisher>(_ publisher: P, at index: Int) where P.Failure == Down.Failure {
        let box = Box<Tap>()
        let inlet = Inlet<P.Output, P.Failure> { [self] in
            lock.withLock { inputs[index].tap = box.value }
        } onValue: { [self] value in
            receive(Slot(value), at: index)
        } onCompletion: { [self] completion in
            ended(index, completion)
        }
        box.value = Tap(inlet)
        publisher.subscribe(inlet)
    }

    /// Gives the subscriber its subscription, once all upstreams are there.
    func announce() {
        down?.receive(subscription: self)
        lock.withLock { isAnnounced = true }
        if let failure { fail(failure) } else { finishIfDone() }
    }

    func request(_ demand: Subscribers.Demand) {
        let taps = lock.withLock {
            self.demand += demand
            return inputs.compactMap(\.tap)
        }
        for tap in taps { tap.request(demand) }
    }

    func cancel() {
        for tap in release().1 { tap.cancel() }
    }

    private func receive(_ value: Slot, at index: Int) -> Subscribers.Demand {
        let sent: (Down, [Slot])? = lock.withLock {
            guard let down else { return nil }
            if rule == .newest { inputs[index].values = [value] } else { inputs[index].values.append(value) }
            guard demand > 0, inputs.allSatisfy({ !$0.values.isEmpty }) else { return nil }
            demand -= 1
            let values = inputs.map { $0.values[0] }
            if rule == .oneOfEach { for index in inputs.indices { inputs[index].values.removeFirst() } }
            return (down, values)
        }
        guard let (down, values) = sent else { return .none }
        let more = down.receive(combine(values))
        let others = lock.withLock {
            demand += more
            return inputs.indices.filter { $0 != index }.compactMap { inputs[$0].tap }
        }
        if more > 0 { for tap in others { tap.request(more) } }
        finishIfDone()
        return more
    }

    private func ended(_ index: Int, _ completion: Subscribers.Completion<Down.Failure>) {
        lock.withLock { (inputs[index].isOver, inputs[index].tap) = (true, nil) }
        switch completion {
        case .finished: finishIfDone()
        case .failure(let failure): fail(failure)
        }
    }

    private func fail(_ failure: Down.Failure) {
        let isAnnounced = lock.withLock {
            self.failure = failure
            return self.isAnnounced
        }
        guard isAnnounced else { return }
        let (down, taps) = release()
        for tap in taps { tap.cancel() }
        down?.receive(completion: .failure(failure))
    }

    /// Ends when no more values can come of it.
    private func finishIfDone() {
        let isDone = lock.withLock {
            guard isAnnounced else { return false }
            return switch rule {
            case .newest: inputs.allSatisfy(\.isOver)
            case .oneOfEach: inputs.contains { $0.isOver && $0.values.isEmpty }
            }
        }
        guard isDone else { return }
        let (down, taps) = release()
        for tap in taps { tap.cancel() }
        down?.receive(completion: .finished)
    }

    private func release() -> (Down?, [Tap]) {
        lock.withLock {
            let taps = inputs.compactMap(\.tap)
            for index in inputs.indices { inputs[index].tap = nil }
            defer { down = nil }
            return (down, taps)
        }
    }
}

/// A value of one of a junction's upstreams.
struct Slot {
    private let content: Any

    init<Value>(_ value: Value) {
        content = value
    }

    /// The value, of the type with which the upstream at that place was added.
    func value<Value>() -> Value {
        guard let value = content as? Value else { preconditionFailure("\(type(of: content)) is no \(Value.self)") }
        return value
    }
}
