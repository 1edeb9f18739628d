/// Something that sends values over time to those who subscribe, and at most one completion after them: Apple's public interface, on hosts without
/// Apple's framework.
///
/// The names, the declarations and the published rules (demand, completion, cancellation, order) are Apple's; the code is this project's. What the
/// simulated queues are as schedulers is in the module `SimulatedKits`.
public protocol Publisher<Output, Failure> {
    /// What the publisher sends.
    associatedtype Output
    /// What it fails with; `Never` for one that cannot fail.
    associatedtype Failure: Error

    /// Attaches a subscriber. Called by ``subscribe(_:)-6qhvm``.
    func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input
}

/// Something that gets a publisher's values: first one subscription, then no more values than it asked for, then at most one completion.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    /// What it takes.
    associatedtype Input
    /// The failure that it takes; `Never` for one that takes none.
    associatedtype Failure: Error

    /// Gets the subscription, by which it asks for values.
    func receive(subscription: any Subscription)
    /// Gets a value, and says how many it wants beyond those that it asked for before.
    func receive(_ input: Input) -> Subscribers.Demand
    /// Gets the end.
    func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
    /// Gets a value without content.
    public func receive() -> Subscribers.Demand { receive(()) }
}

/// The connection of one subscriber to one publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Says that so many values more may be sent.
    func request(_ demand: Subscribers.Demand)
}

/// Something that can be cancelled.
public protocol Cancellable {
    /// Ends it. What it holds is let go.
    func cancel()
}

/// Something with an identity of its own, even if it is a value.
public protocol CustomCombineIdentifierConvertible {
    /// Tells it from all others.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    /// The object's.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// An identity, for values that have none.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
    private let object: ObjectIdentifier?
    private let number: UInt64

    /// A new one.
    public init() {
        object = nil
        number = Self.numbers.next()
    }

    /// That of an object.
    public init(_ object: AnyObject) {
        self.object = ObjectIdentifier(object)
        number = 0
    }

    public var description: String { object.map { "\($0)" } ?? "0x" + String(number, radix: 16) }

    private static let numbers = Numbers()

    private final class Numbers: @unchecked Sendable {
        private let lock = Lock()
        private var last: UInt64 = 0

        func next() -> UInt64 {
            lock.withLock {
                last += 1
                return last
            }
        }
    }
}

extension Publisher {
    /// Attaches a subscriber.
    public func subscribe<S: Subscriber>(_ subscriber: S) where Failure == S.Failure, Output == S.Input {
        receive(subscriber: subscriber)
    }

    /// Attaches a subject, which sends on what it gets.
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where Failure == S.Failure, Output == S.Output {
        let subscriber = SubjectSubscriber(subject)
        receive(subscriber: subscriber)
        return AnyCancellable(subscriber)
    }
}
