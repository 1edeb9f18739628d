/// A publisher whose type says only what it sends.
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible {
    private let attach: (AnySubscriber<Output, Failure>) -> Void

    /// Hides the type of a publisher.
    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        if let publisher = publisher as? AnyPublisher<Output, Failure> {
            self = publisher
        } else {
            attach = { publisher.subscribe($0) }
        }
    }

    public var description: String { "AnyPublisher" }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }
}

extension AnyPublisher: @unchecked Sendable {}

extension Publisher {
    /// Hides the publisher's type.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A subscriber whose type says only what it takes.
public struct AnySubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible {
    private let onSubscription: ((any Subscription) -> Void)?
    private let onValue: ((Input) -> Subscribers.Demand)?
    private let onCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    /// That of the hidden subscriber.
    public let combineIdentifier: CombineIdentifier

    /// Hides the type of a subscriber.
    public init<S: Subscriber>(_ subscriber: S) where Input == S.Input, Failure == S.Failure {
        if let subscriber = subscriber as? AnySubscriber<Input, Failure> {
            self = subscriber
            return
        }
        onSubscription = { subscriber.receive(subscription: $0) }
        onValue = { subscriber.receive($0) }
        onCompletion = { subscriber.receive(completion: $0) }
        combineIdentifier = subscriber.combineIdentifier
    }

    /// A subscriber that passes on to a subject.
    public init<S: Subject>(_ subject: S) where Input == S.Output, Failure == S.Failure {
        self.init(SubjectSubscriber(subject))
    }

    /// A subscriber of closures. One without `receiveSubscription` asks for nothing; one without `receiveValue` for no more.
    public init(
        receiveSubscription: ((any Subscription) -> Void)? = nil, receiveValue: ((Input) -> Subscribers.Demand)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) {
        onSubscription = receiveSubscription
        onValue = receiveValue
        onCompletion = receiveCompletion
        combineIdentifier = CombineIdentifier()
    }

    public var description: String { "AnySubscriber" }
    public func receive(subscription: any Subscription) { onSubscription?(subscription) }
    public func receive(_ value: Input) -> Subscribers.Demand { onValue?(value) ?? .none }
    public func receive(completion: Subscribers.Completion<Failure>) { onCompletion?(completion) }
}

/// Something to cancel, which is cancelled at the latest when nobody holds it any more.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
    private let lock = Lock()
    private var action: (() -> Void)?

    /// Calls the closure once, when it is cancelled or let go.
    public init(_ cancel: @escaping () -> Void) {
        action = cancel
    }

    /// Cancels something else.
    public init<C: Cancellable>(_ canceller: C) {
        action = { canceller.cancel() }
    }

    deinit { cancel() }

    public func cancel() {
        let action = lock.withLock {
            defer { self.action = nil }
            return self.action
        }
        action?()
    }

    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Keeps it in a set.
    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
    /// Keeps it in a collection.
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable { collection.append(self) }
}

extension Cancellable {
    /// Keeps it in a set.
    public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(self).store(in: &set) }
    /// Keeps it in a collection.
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        AnyCancellable(self).store(in: &collection)
    }
}

/// A namespace for subscriptions.
public enum Subscriptions {
    /// One that never sends anything.
    public static var empty: any Subscription { EmptySubscription.only }
}

private struct EmptySubscription: Subscription, CustomStringConvertible, Sendable {
    static let only = EmptySubscription()
    let combineIdentifier = CombineIdentifier()
    var description: String { "Empty" }
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
}
