extension Publishers {
    /// What `mapError` returns.
    public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
        public typealias Output = Upstream.Output
        /// What it works on.
        public let upstream: Upstream
        /// Makes one failure of another.
        public let transform: (Upstream.Failure) -> Failure

        /// The operator on a publisher.
        public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform("MapError", to: subscriber) {
                    .value($0)
                } onCompletion: {
                    .init(nil, $0.mapError(transform))
                })
        }
    }

    /// What `replaceError` returns.
    public struct ReplaceError<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Never
        /// What it works on.
        public let upstream: Upstream
        /// What is sent instead.
        public let output: Upstream.Output

        /// The operator on a publisher.
        public init(upstream: Upstream, output: Upstream.Output) {
            self.upstream = upstream
            self.output = output
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform("ReplaceError", to: subscriber) {
                    .value($0)
                } onCompletion: { completion in
                    if case .failure = completion { .init(output, .finished) } else { .init(nil, .finished) }
                })
        }
    }

    /// What `replaceEmpty` returns.
    public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// What is sent instead.
        public let output: Upstream.Output

        /// The operator on a publisher.
        public init(upstream: Upstream, output: Upstream.Output) {
            self.upstream = upstream
            self.output = output
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var isEmpty = true
            upstream.subscribe(
                Transform("ReplaceEmpty", to: subscriber) {
                    isEmpty = false
                    return .value($0)
                } onCompletion: { completion in
                    if case .finished = completion, isEmpty { .init(output, completion) } else { .init(nil, completion) }
                })
        }
    }

    /// What `assertNoFailure` returns.
    public struct AssertNoFailure<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Never
        /// What it works on.
        public let upstream: Upstream
        /// What is said first.
        public let prefix: String
        /// Where it was asked for.
        public let file: StaticString
        /// Where it was asked for.
        public let line: UInt

        /// The operator on a publisher.
        public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
            self.upstream = upstream
            self.prefix = prefix
            self.file = file
            self.line = line
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform("AssertNoFailure", to: subscriber) {
                    .value($0)
                } onCompletion: { completion in
                    if case .failure(let failure) = completion { fatalError("\(prefix): \(failure)", file: file, line: line) }
                    return .init(nil, .finished)
                })
        }
    }

    /// What `setFailureType` returns.
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
        public typealias Output = Upstream.Output
        /// What it works on.
        public let upstream: Upstream

        /// The operator on a publisher.
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform<Output, Never, S>("SetFailureType", to: subscriber) {
                    .value($0)
                } onCompletion: { _ in
                    .init(nil, .finished)
                })
        }

        /// With another type of failure.
        public func setFailureType<E: Error>(to failure: E.Type) -> SetFailureType<Upstream, E> { .init(upstream: upstream) }
    }
}

extension Publisher {
    /// Fails with what the closure makes of the failure.
    public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
        .init(upstream: self, transform: transform)
    }
    /// Sends a value and ends, instead of failing.
    public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> { .init(upstream: self, output: output) }
    /// Sends a value at the end if there was none.
    public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> { .init(upstream: self, output: output) }
    /// Ends the host's process if it fails: as on a device.
    public func assertNoFailure(
        _ prefix: String = "", file: StaticString = #file, line: UInt = #line
    ) -> Publishers.AssertNoFailure<Self> {
        .init(upstream: self, prefix: prefix, file: file, line: line)
    }
}

extension Publisher where Failure == Never {
    /// Says that it fails with this type, which it never does.
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> { .init(upstream: self) }
}
