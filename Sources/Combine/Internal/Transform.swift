/// The part of an operator with one upstream that lies between it and the subscriber: makes values of values, hands demand up, and holds a last value
/// until it is asked for.
final class Transform<Input, Failure: Error, Down: Subscriber>: Subscriber, Subscription, CustomStringConvertible {
    /// What becomes of one value.
    enum Step {
        case value(Down.Input)
        /// Nothing, and another one is asked for.
        case skip
        /// Nothing for now.
        case hold
        /// The end, after this value if there is one.
        case last(Down.Input?)
        case failure(Down.Failure)
    }

    /// How many values are asked for.
    enum Prefetch: Equatable {
        case asDemanded
        /// So many for each that is wanted.
        case times(Int)
        /// All, whatever is wanted.
        case all
    }

    /// How it ends.
    struct End {
        let last: Down.Input?
        let completion: Subscribers.Completion<Down.Failure>

        init(_ last: Down.Input?, _ completion: Subscribers.Completion<Down.Failure>) {
            self.last = last
            self.completion = completion
        }
    }

    let description: String
    private let lock = Lock()
    private let prefetch: Prefetch
    private let onValue: (Input) -> Step
    private let onCompletion: (Subscribers.Completion<Failure>) -> End
    private let upstream = Connection()
    private var down: Down?
    private var demand = Subscribers.Demand.none
    /// What is to be told as soon as a value is wanted.
    private var end: End?

    init(
        _ name: String, to down: Down, prefetch: Prefetch = .asDemanded, onValue: @escaping (Input) -> Step,
        onCompletion: @escaping (Subscribers.Completion<Failure>) -> End
    ) {
        description = name
        self.down = down
        self.prefetch = prefetch
        self.onValue = onValue
        self.onCompletion = onCompletion
    }

    func receive(subscription: any Subscription) {
        guard upstream.begin(subscription) else { return }
        down?.receive(subscription: self)
        if prefetch == .all, upstream.isOpen { subscription.request(.unlimited) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        guard upstream.isOpen, lock.withLock({ down != nil }) else { return .none }
        switch onValue(input) {
        case .value(let value): return above(pass(value))
        case .skip: return prefetch == .all ? .none : .max(1)
        case .hold: return .none
        case .last(let value):
            upstream.end()?.cancel()
            finish(End(value, .finished))
        case .failure(let failure):
            upstream.end()?.cancel()
            finish(End(nil, .failure(failure)))
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        if upstream.end() != nil { finish(onCompletion(completion)) }
    }

    func request(_ demand: Subscribers.Demand) {
        let end: End? = lock.withLock {
            self.demand += demand
            return self.end
        }
        if let end {
            finish(end)
        } else {
            let wanted = above(demand)
            if wanted > 0 { upstream.subscription?.request(wanted) }
        }
    }

    func cancel() {
        lock.withLock { (down, end) = (nil, nil) }
        upstream.end()?.cancel()
    }

    private func above(_ demand: Subscribers.Demand) -> Subscribers.Demand {
        switch prefetch {
        case .asDemanded: demand
        case .times(let factor): demand * factor
        case .all: .none
        }
    }

    private func pass(_ value: Down.Input) -> Subscribers.Demand {
        let down = lock.withLock {
            demand -= 1
            return self.down
        }
        let more = down?.receive(value) ?? .none
        lock.withLock { demand += more }
        return more
    }

    private func finish(_ end: End) {
        if let last = end.last {
            if keeps(end) { return }
            _ = pass(last)
        }
        release()?.receive(completion: end.completion)
    }

    /// Whether the end has to wait until a value is wanted.
    private func keeps(_ end: End) -> Bool {
        lock.withLock {
            let isWanted = demand > 0 || down == nil
            self.end = isWanted ? nil : end
            return !isWanted
        }
    }

    private func release() -> Down? {
        lock.withLock { down.take() }
    }
}

extension Transform where Failure == Down.Failure {
    /// Ends as the upstream does.
    convenience init(_ name: String, to down: Down, prefetch: Prefetch = .asDemanded, onValue: @escaping (Input) -> Step) {
        self.init(name, to: down, prefetch: prefetch, onValue: onValue) { End(nil, $0) }
    }

    /// Tells one value, after the upstream has ended well.
    convenience init(
        _ name: String, to down: Down, onValue: @escaping (Input) -> Step, last: @escaping () -> Down.Input?
    ) {
        self.init(name, to: down, prefetch: .all, onValue: onValue) { completion in
            if case .finished = completion { End(last(), completion) } else { End(nil, completion) }
        }
    }
}

extension Transform where Down.Failure == any Error {
    /// Ends as the upstream does, and with what `onValue` throws.
    static func trying(
        _ name: String, to down: Down, prefetch: Prefetch = .asDemanded, onValue: @escaping (Input) throws -> Step,
        last: @escaping () -> Down.Input? = { nil }
    ) -> Transform {
        Transform(name, to: down, prefetch: prefetch) { value in
            do {
                return try onValue(value)
            } catch {
                return .failure(error)
            }
        } onCompletion: { completion in
            if case .finished = completion { End(last(), .finished) } else { End(nil, completion.erased) }
        }
    }
}
