extension Publishers {
    /// What `append` and `prepend` return: one publisher after the other.
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
    where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
        public typealias Output = Suffix.Output
        public typealias Failure = Suffix.Failure
        /// Comes first.
        public let prefix: Prefix
        /// Comes after it.
        public let suffix: Suffix

        /// One publisher after the other.
        public init(prefix: Prefix, suffix: Suffix) {
            self.prefix = prefix
            self.suffix = suffix
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let succession = Succession("Concatenate", to: subscriber)
            succession.follow(prefix) { completion in
                guard case .finished = completion else { return succession.finish(completion) }
                succession.follow(suffix) { succession.finish($0) }
            }
        }
    }

    /// What `catch` returns.
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher where Upstream.Output == NewPublisher.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = NewPublisher.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Makes what goes on after a failure.
        public let handler: (Upstream.Failure) -> NewPublisher

        /// The operator on a publisher.
        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let succession = Succession("Catch", to: subscriber)
            succession.follow(upstream) { completion in
                switch completion {
                case .finished: succession.finish(.finished)
                case .failure(let failure): succession.follow(handler(failure)) { succession.finish($0) }
                }
            }
        }
    }

    /// What `tryCatch` returns.
    public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher where Upstream.Output == NewPublisher.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = any Error
        /// What it works on.
        public let upstream: Upstream
        /// Makes what goes on after a failure.
        public let handler: (Upstream.Failure) throws -> NewPublisher

        /// The operator on a publisher.
        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let succession = Succession("TryCatch", to: subscriber)
            succession.follow(upstream) { completion in
                guard case .failure(let failure) = completion else { return succession.finish(.finished) }
                do {
                    succession.follow(try handler(failure)) { succession.finish($0.erased) }
                } catch {
                    succession.finish(.failure(error))
                }
            }
        }
    }

    /// What `retry` returns.
    public struct Retry<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// How often it subscribes again; `nil` for without end.
        public let retries: Int?

        /// The operator on a publisher.
        public init(upstream: Upstream, retries: Int?) {
            self.upstream = upstream
            self.retries = retries
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attempt(Succession("Retry", to: subscriber), left: retries)
        }

        private func attempt<S: Subscriber>(_ succession: Succession<S>, left: Int?) where S.Input == Output, S.Failure == Failure {
            succession.follow(upstream) { completion in
                if case .failure = completion, left ?? 1 > 0 {
                    attempt(succession, left: left.map { $0 - 1 })
                } else {
                    succession.finish(completion)
                }
            }
        }
    }
}

extension Publisher {
    /// Sends these values first.
    public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> { prepend(elements) }
    /// Sends these values first.
    public func prepend<S: Sequence>(_ elements: S) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self>
    where Output == S.Element {
        prepend(Publishers.Sequence(sequence: elements))
    }
    /// Sends what another publisher sends first.
    public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self> where Failure == P.Failure, Output == P.Output {
        .init(prefix: publisher, suffix: self)
    }
    /// Sends these values at the end.
    public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> { append(elements) }
    /// Sends these values at the end.
    public func append<S: Sequence>(_ elements: S) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>>
    where Output == S.Element {
        append(Publishers.Sequence(sequence: elements))
    }
    /// Sends what another publisher sends at the end.
    public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P> where Failure == P.Failure, Output == P.Output {
        .init(prefix: self, suffix: publisher)
    }
    /// Goes on, after a failure, with what the closure makes of it.
    public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P> where Output == P.Output {
        .init(upstream: self, handler: handler)
    }
    /// Goes on, after a failure, with what the closure makes of it, or fails with what it throws.
    public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P>
    where Output == P.Output {
        .init(upstream: self, handler: handler)
    }
    /// Subscribes again after a failure, at most so often.
    public func retry(_ retries: Int) -> Publishers.Retry<Self> { .init(upstream: self, retries: retries) }
}
