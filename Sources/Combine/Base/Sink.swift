extension Subscribers {
    /// Calls closures, and takes as many values as there are.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible, @unchecked Sendable {
        /// Gets each value.
        public let receiveValue: (Input) -> Void
        /// Gets the end.
        public let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
        private let connection = Connection()

        /// A sink that is to be subscribed.
        public init(receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void) {
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
        }

        public var description: String { "Sink" }

        public func receive(subscription: any Subscription) {
            if connection.begin(subscription) { subscription.request(.unlimited) }
        }

        public func receive(_ value: Input) -> Subscribers.Demand {
            if connection.isOpen { receiveValue(value) }
            return .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            if connection.end() != nil { receiveCompletion(completion) }
        }

        public func cancel() { connection.end()?.cancel() }
    }

    /// Writes each value to a property, and holds the object until the end or until it is cancelled.
    public final class Assign<Root, Input>: Subscriber, Cancellable, CustomStringConvertible, @unchecked Sendable {
        public typealias Failure = Never
        /// Whose property it is; `nil` after the end.
        public private(set) var object: Root?
        /// The property.
        public let keyPath: ReferenceWritableKeyPath<Root, Input>
        private let connection = Connection()

        /// An assignment that is to be subscribed.
        public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
            self.object = object
            self.keyPath = keyPath
        }

        public var description: String { "Assign \(Root.self)." }

        public func receive(subscription: any Subscription) {
            if connection.begin(subscription) { subscription.request(.unlimited) }
        }

        public func receive(_ value: Input) -> Subscribers.Demand {
            if connection.isOpen { object?[keyPath: keyPath] = value }
            return .none
        }

        public func receive(completion: Subscribers.Completion<Never>) {
            _ = connection.end()
            object = nil
        }

        public func cancel() {
            connection.end()?.cancel()
            object = nil
        }
    }
}

extension Publisher {
    /// Calls the closures, until it is cancelled or let go.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink<Output, Failure>(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        subscribe(sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Calls the closure for each value, until it is cancelled or let go.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Writes each value to a property. Holds the object until it is cancelled, let go, or at an end.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        let assign = Subscribers.Assign(object: object, keyPath: keyPath)
        subscribe(assign)
        return AnyCancellable(assign)
    }

    /// Publishes each value by a `@Published` property: `assign(to: &$name)`. Ends when the property does.
    public func assign(to published: inout Published<Output>.Publisher) {
        published.storage.take(from: self)
    }
}
