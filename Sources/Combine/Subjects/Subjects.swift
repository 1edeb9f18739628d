/// A subject that keeps nothing: a value is lost to who has not asked for it.
public final class PassthroughSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
    private let conduits = Conduits<Output, Failure>()

    /// A subject without subscribers.
    public init() {}

    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        conduits.add(subscriber, owner: self)
    }

    public func send(_ value: Output) { conduits.send(value) }
    public func send(completion: Subscribers.Completion<Failure>) { conduits.send(completion: completion) }
    public func send(subscription: any Subscription) { conduits.send(subscription: subscription) }
}

/// A subject that has a value, which whoever subscribes gets first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
    private let conduits = Conduits<Output, Failure>()
    private var current: Output

    /// A subject with its first value.
    public init(_ value: Output) {
        current = value
    }

    /// The present value. Setting it sends it. It is not changed after the end.
    public var value: Output {
        get { conduits.lock.withLock { current } }
        set { send(newValue) }
    }

    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        conduits.add(subscriber, owner: self) { [weak self] in self?.current }
    }

    public func send(_ value: Output) {
        let isOpen = conduits.lock.withLock {
            guard conduits.completion == nil else { return false }
            current = value
            return true
        }
        if isOpen { conduits.send(value) }
    }

    public func send(completion: Subscribers.Completion<Failure>) { conduits.send(completion: completion) }
    public func send(subscription: any Subscription) { conduits.send(subscription: subscription) }
}
