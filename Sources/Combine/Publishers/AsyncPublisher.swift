/// A publisher's values, to be awaited. One value is asked for at a time.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output
    private let publisher: P

    /// The values of this publisher.
    public init(_ publisher: P) {
        self.publisher = publisher
    }

    public func makeAsyncIterator() -> Iterator { Iterator(publisher) }

    /// Subscribes when it is made. Ends with the publisher, or when its task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        private let hand: Hand<P.Output, Never>

        fileprivate init(_ publisher: P) {
            hand = Hand(publisher)
        }

        public mutating func next() async -> P.Output? {
            guard case .success(let value) = await hand.next() else { return nil }
            return value
        }
    }
}

/// A publisher's values, to be awaited, and its failure, which is thrown. One value is asked for at a time.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    public typealias Element = P.Output
    private let publisher: P

    /// The values of this publisher.
    public init(_ publisher: P) {
        self.publisher = publisher
    }

    public func makeAsyncIterator() -> Iterator { Iterator(publisher) }

    /// Subscribes when it is made. Ends with the publisher, or when its task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        private let hand: Hand<P.Output, P.Failure>

        fileprivate init(_ publisher: P) {
            hand = Hand(publisher)
        }

        public mutating func next() async throws -> P.Output? { try await hand.next().get() }
    }
}

extension Publisher where Failure == Never {
    /// The values, to be awaited.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
    /// The values, to be awaited, and the failure, which is thrown.
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// Holds the place of an iterator in its publisher's line, and leaves it when the iterator is gone.
private final class Hand<Output, Failure: Error>: @unchecked Sendable {
    private let taker = Taker<Output, Failure>()

    init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        publisher.subscribe(taker)
    }

    deinit { taker.cancel() }

    /// The next value; `nil` after the end.
    func next() async -> sending Result<Output?, Failure> {
        let taker = taker
        return await withTaskCancellationHandler {
            await withCheckedContinuation { taker.ask($0) }
        } onCancel: {
            taker.cancel()
        }
    }
}

private final class Taker<Input, Failure: Error>: Subscriber, @unchecked Sendable {
    typealias Continuation = CheckedContinuation<Result<Input?, Failure>, Never>
    private let connection = Connection()
    private let lock = Lock()
    private var asking: [Continuation] = []
    /// Asked for before there was a subscription.
    private var early = 0
    private var waiting: [Input] = []
    private var end: Result<Input?, Failure>?

    func ask(_ continuation: Continuation) {
        let answer: Result<Input?, Failure>? = lock.withLock {
            if !waiting.isEmpty { return .success(waiting.removeFirst()) }
            if let end {
                defer { self.end = .success(nil) }
                return end
            }
            asking.append(continuation)
            if connection.subscription == nil { early += 1 }
            return nil
        }
        if let answer { resume(continuation, answer) } else { connection.subscription?.request(.max(1)) }
    }

    func receive(subscription: any Subscription) {
        guard connection.begin(subscription) else { return }
        let early = lock.withLock { self.early }
        if early > 0 { subscription.request(.max(early)) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let continuation = lock.withLock { () -> Continuation? in
            if asking.isEmpty { waiting.append(input) }
            return asking.isEmpty ? nil : asking.removeFirst()
        }
        if let continuation { resume(continuation, .success(input)) }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        _ = connection.end()
        switch completion {
        case .finished: finish(.success(nil))
        case .failure(let failure): finish(.failure(failure))
        }
    }

    func cancel() {
        connection.end()?.cancel()
        finish(.success(nil))
    }

    private func finish(_ end: Result<Input?, Failure>) {
        let told = lock.withLock { () -> [Continuation] in
            if self.end == nil { self.end = asking.isEmpty ? end : .success(nil) }
            defer { asking = [] }
            return asking
        }
        for (index, continuation) in told.enumerated() { resume(continuation, index == 0 ? end : .success(nil)) }
    }

    private func resume(_ continuation: Continuation, _ result: Result<Input?, Failure>) {
        nonisolated(unsafe) let result = result
        continuation.resume(returning: result)
    }
}
