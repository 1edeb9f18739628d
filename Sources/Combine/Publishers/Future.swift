/// A value that comes once, or a failure. The closure begins at once, not when somebody subscribes; all subscribers get the one result.
public final class Future<Output, Failure: Error>: Publisher, @unchecked Sendable {
    /// Takes the result. Only the first one counts.
    public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

    private let lock = Lock()
    private var result: Result<Output, Failure>?
    private var waiting: [Waiter] = []

    /// Calls the closure at once.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill { self.fulfill($0) }
    }

    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        let waiter = Waiter(AnySubscriber(subscriber), future: self)
        let result = lock.withLock {
            waiting.append(waiter)
            return self.result
        }
        subscriber.receive(subscription: waiter)
        // A failure needs no demand; a value that was asked for meanwhile is told by then.
        if case .failure = result { waiter.tell() }
    }

    private func fulfill(_ result: Result<Output, Failure>) {
        let told = lock.withLock {
            guard self.result == nil else { return [Waiter]() }
            self.result = result
            return waiting
        }
        for waiter in told { waiter.tell() }
    }

    /// The subscription of one subscriber.
    private final class Waiter: Subscription, CustomStringConvertible {
        private var down: AnySubscriber<Output, Failure>?
        private var future: Future?
        private var isAsking = false

        init(_ down: AnySubscriber<Output, Failure>, future: Future) {
            self.down = down
            self.future = future
        }

        var description: String { "Future" }

        func request(_ demand: Subscribers.Demand) {
            guard demand > 0, let future else { return }
            future.lock.withLock { isAsking = true }
            tell()
        }

        func cancel() { _ = release() }

        /// Tells the result, if it is there and asked for.
        func tell() {
            guard let future, let result = future.lock.withLock({ future.result }) else { return }
            switch result {
            case .success(let value):
                guard future.lock.withLock({ isAsking }), let down = release() else { return }
                _ = down.receive(value)
                down.receive(completion: .finished)
            case .failure(let failure): release()?.receive(completion: .failure(failure))
            }
        }

        private func release() -> AnySubscriber<Output, Failure>? {
            guard let future else { return nil }
            return future.lock.withLock {
                future.waiting.removeAll { $0 === self }
                defer { (down, self.future) = (nil, nil) }
                return down
            }
        }
    }
}

extension Future where Failure == Never {
    /// Waits for the value.
    public var value: Output {
        get async {
            await withCheckedContinuation { continuation in
                subscribe(Waiting<Output, Never> { if case .success(let value) = $0 { continuation.resume(returning: value) } })
            }
        }
    }
}

extension Future {
    /// Waits for the value. Throws the failure.
    public var value: Output {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                subscribe(Waiting<Output, Failure> { continuation.resume(with: $0.mapError { $0 }) })
            }
        }
    }
}

/// A task that waits for a future.
private final class Waiting<Input, Failure: Error>: Subscriber {
    private let resume: (sending Result<Input, Failure>) -> Void

    init(_ resume: @escaping (sending Result<Input, Failure>) -> Void) {
        self.resume = resume
    }

    func receive(subscription: any Subscription) { subscription.request(.unlimited) }

    func receive(_ input: Input) -> Subscribers.Demand {
        nonisolated(unsafe) let result = Result<Input, Failure>.success(input)
        resume(result)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        if case .failure(let failure) = completion { resume(.failure(failure)) }
    }
}
