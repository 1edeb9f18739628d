/// A publisher into which values are put by a call.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value to those who subscribe and have asked for one.
    func send(_ value: Output)
    /// Ends it. Nothing is sent after that.
    func send(completion: Subscribers.Completion<Failure>)
    /// Takes the subscription to a publisher whose values it is to send.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Sends a value without content.
    public func send() { send(()) }
}

/// Passes what a publisher sends on to a subject.
final class SubjectSubscriber<S: Subject>: Subscriber, Cancellable, CustomStringConvertible {
    private var subject: S?
    private let connection = Connection()

    init(_ subject: S) {
        self.subject = subject
    }

    var description: String { "Subject" }

    func receive(subscription: any Subscription) {
        if connection.begin(subscription) { subject?.send(subscription: subscription) }
    }

    func receive(_ input: S.Output) -> Subscribers.Demand {
        if connection.isOpen { subject?.send(input) }
        return .none
    }

    func receive(completion: Subscribers.Completion<S.Failure>) {
        guard connection.end() != nil else { return }
        subject?.send(completion: completion)
        subject = nil
    }

    func cancel() {
        connection.end()?.cancel()
        subject = nil
    }
}

/// Those who subscribed to a subject, in the order in which they did.
///
/// A value goes to those that subscribed before it was sent, also where one of them subscribes another one or cancels.
final class Conduits<Output, Failure: Error>: @unchecked Sendable {
    let lock = Lock()
    private(set) var completion: Subscribers.Completion<Failure>?
    private var all: [Conduit<Output, Failure>] = []
    private var upstreams: [any Subscription] = []
    private var isWanted = false

    /// The upstreams are cancelled with what they send to.
    deinit {
        for upstream in upstreams { upstream.cancel() }
    }

    var isEmpty: Bool { lock.withLock { all.isEmpty } }

    /// - Parameters:
    ///   - owner: Held by the subscription: who subscribes keeps the subject.
    ///   - current: What a new subscriber gets first, as soon as it asks.
    func add<S: Subscriber>(_ subscriber: S, owner: AnyObject, current: (() -> Output?)? = nil)
    where S.Input == Output, S.Failure == Failure {
        let conduit = Conduit(AnySubscriber(subscriber), owner: owner, conduits: self, current: current)
        let completion = lock.withLock {
            if self.completion == nil { all.append(conduit) }
            return self.completion
        }
        if let completion {
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: completion)
        } else {
            subscriber.receive(subscription: conduit)
        }
    }

    func send(_ value: Output) {
        let conduits = lock.withLock { completion == nil ? all : [] }
        for conduit in conduits { conduit.offer(value) }
    }

    func send(completion: Subscribers.Completion<Failure>) {
        let ended: (conduits: [Conduit<Output, Failure>], upstreams: [any Subscription]) = lock.withLock {
            guard self.completion == nil else { return ([], []) }
            self.completion = completion
            defer { (all, upstreams) = ([], []) }
            return (all, upstreams)
        }
        for conduit in ended.conduits { conduit.finish(completion) }
    }

    func send(subscription: any Subscription) {
        let isWanted = lock.withLock {
            upstreams.append(subscription)
            return self.isWanted
        }
        if isWanted { subscription.request(.unlimited) }
    }

    /// Somebody has asked for values: those of publishers are asked for.
    fileprivate func want() {
        let asked = lock.withLock {
            defer { isWanted = true }
            return isWanted ? [] : upstreams
        }
        for upstream in asked { upstream.request(.unlimited) }
    }

    fileprivate func remove(_ conduit: Conduit<Output, Failure>) {
        lock.withLock { all.removeAll { $0 === conduit } }
    }
}

/// The subscription of one subscriber to a subject.
final class Conduit<Output, Failure: Error>: Subscription, CustomStringConvertible {
    private var down: AnySubscriber<Output, Failure>?
    private var owner: AnyObject?
    private var conduits: Conduits<Output, Failure>?
    private var demand = Subscribers.Demand.none
    /// The subject's present value, as long as this subscriber has not got it.
    private var current: (() -> Output?)?
    private let keepsCurrent: (() -> Output?)?
    private let lock: Lock
    /// Names the subject.
    let description: String

    init(_ down: AnySubscriber<Output, Failure>, owner: AnyObject, conduits: Conduits<Output, Failure>, current: (() -> Output?)?) {
        self.down = down
        self.owner = owner
        self.conduits = conduits
        self.current = current
        keepsCurrent = current
        lock = conduits.lock
        description = "\(type(of: owner))".prefix { $0 != "<" }.description
    }

    /// Gives the value to the subscriber if it wants one. It is lost otherwise, if it is not the present value of a subject that has one.
    func offer(_ value: Output) {
        let taker = lock.withLock { () -> AnySubscriber<Output, Failure>? in
            guard demand > 0 else {
                current = keepsCurrent
                return nil
            }
            demand -= 1
            current = nil
            return down
        }
        guard let taker else { return }
        let more = taker.receive(value)
        lock.withLock { demand += more }
    }

    func finish(_ completion: Subscribers.Completion<Failure>) {
        let told = release()
        told?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > 0, let conduits = lock.withLock({ down == nil ? nil : self.conduits }) else { return }
        let value = lock.withLock { () -> Output? in
            self.demand += demand
            return current?()
        }
        if let value { offer(value) }
        conduits.want()
    }

    func cancel() {
        let conduits = lock.withLock { self.conduits }
        _ = release()
        conduits?.remove(self)
    }

    private func release() -> AnySubscriber<Output, Failure>? {
        lock.withLock {
            defer { (down, owner, conduits, current) = (nil, nil, nil, nil) }
            return down
        }
    }
}
