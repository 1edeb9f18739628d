/// Sends one value to each subscriber, and ends.
public struct Just<Output>: Publisher {
    public typealias Failure = Never
    /// The value.
    public let output: Output

    /// A publisher of one value.
    public init(_ output: Output) {
        self.output = output
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        subscriber.receive(subscription: Delivery("Just", [output], to: subscriber))
    }
}

/// Sends nothing, and ends at once or never.
public struct Empty<Output, Failure: Error>: Publisher, Equatable {
    /// Whether it ends at once.
    public let completeImmediately: Bool

    /// A publisher without values.
    public init(completeImmediately: Bool = true) {
        self.completeImmediately = completeImmediately
    }

    /// A publisher without values, of these types.
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.init(completeImmediately: completeImmediately)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}

/// Fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
    /// The failure.
    public let error: Failure

    /// A publisher of a failure.
    public init(error: Failure) {
        self.error = error
    }

    /// A publisher of a failure, of these types.
    public init(outputType: Output.Type, failure: Failure) {
        error = failure
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
    }
}

extension Fail: Equatable where Failure: Equatable {}

/// Makes a publisher for each subscriber, when it subscribes.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    public typealias Output = DeferredPublisher.Output
    public typealias Failure = DeferredPublisher.Failure
    /// Makes it.
    public let createPublisher: () -> DeferredPublisher

    /// A publisher that is made later.
    public init(createPublisher: @escaping () -> DeferredPublisher) {
        self.createPublisher = createPublisher
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        createPublisher().subscribe(subscriber)
    }
}

/// Sends values that were written down, and the end that was.
public struct Record<Output, Failure: Error>: Publisher {
    /// What it sends.
    public let recording: Recording

    /// Values and an end.
    public struct Recording {
        public typealias Input = Output
        /// The values.
        public private(set) var output: [Output] = []
        /// The end.
        public private(set) var completion = Subscribers.Completion<Failure>.finished

        /// Nothing yet.
        public init() {}

        /// Values and an end.
        public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
            self.output = output
            self.completion = completion
        }

        /// Adds a value.
        public mutating func receive(_ input: Output) { output.append(input) }
        /// Sets the end.
        public mutating func receive(completion: Subscribers.Completion<Failure>) { self.completion = completion }
    }

    /// A publisher of what the closure writes down.
    public init(record: (inout Recording) -> Void) {
        var recording = Recording()
        record(&recording)
        self.init(recording: recording)
    }

    /// A publisher of a recording.
    public init(recording: Recording) {
        self.recording = recording
    }

    /// A publisher of values and an end.
    public init(output: [Output], completion: Subscribers.Completion<Failure>) {
        self.init(recording: Recording(output: output, completion: completion))
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        Delivery.subscribe("Record", recording.output, completion: recording.completion, subscriber)
    }
}

extension Optional {
    /// Sends the value, if there is one, and ends.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Wrapped
        public typealias Failure = Never
        /// The value.
        public let output: Wrapped?

        /// A publisher of an optional value.
        public init(_ output: Wrapped?) {
            self.output = output
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Wrapped, S.Failure == Never {
            Delivery.subscribe("Optional", output.map { [$0] } ?? [], completion: .finished, subscriber)
        }
    }

    /// Sends the value, if there is one, and ends.
    public var publisher: Publisher { Publisher(self) }
}

extension Result {
    /// Sends the value and ends, or fails.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Success
        /// What it sends.
        public let result: Result<Success, Failure>

        /// A publisher of a result.
        public init(_ result: Result<Success, Failure>) {
            self.result = result
        }

        /// A publisher of a value.
        public init(_ output: Success) {
            self.init(.success(output))
        }

        /// A publisher of a failure.
        public init(_ failure: Failure) {
            self.init(.failure(failure))
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Success, S.Failure == Failure {
            switch result {
            case .success(let output): subscriber.receive(subscription: Delivery("Once", [output], to: subscriber))
            case .failure(let failure): Fail<Success, Failure>(error: failure).subscribe(subscriber)
            }
        }
    }

    /// Sends the value and ends, or fails.
    public var publisher: Publisher { Publisher(self) }
}

extension Publishers {
    /// Sends a sequence's elements, and ends.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        public typealias Output = Elements.Element
        /// What it sends.
        public let sequence: Elements

        /// A publisher of a sequence.
        public init(sequence: Elements) {
            self.sequence = sequence
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Delivery.subscribe("\(sequence)", sequence, completion: .finished, subscriber)
        }
    }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Sequence {
    /// Sends the elements, and ends.
    public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

/// A namespace for the types of operators.
public enum Publishers {}
