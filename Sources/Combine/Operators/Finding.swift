extension Publishers {
    /// What `first` returns.
    public struct First<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream

        /// The operator on a publisher.
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Transform("First", to: subscriber, prefetch: .all) { .last($0) })
        }
    }

    /// What `first(where:)` returns.
    public struct FirstWhere<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Decides.
        public let predicate: (Upstream.Output) -> Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Transform("FirstWhere", to: subscriber, prefetch: .all) { predicate($0) ? .last($0) : .hold })
        }
    }

    /// What `tryFirst(where:)` returns.
    public struct TryFirstWhere<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = any Error
        /// What it works on.
        public let upstream: Upstream
        /// Decides.
        public let predicate: (Upstream.Output) throws -> Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform<Upstream.Output, Upstream.Failure, S>.trying("TryFirstWhere", to: subscriber, prefetch: .all) {
                    try predicate($0) ? .last($0) : .hold
                })
        }
    }

    /// What `contains(where:)` returns.
    public struct ContainsWhere<Upstream: Publisher>: Publisher {
        public typealias Output = Bool
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Decides.
        public let predicate: (Upstream.Output) -> Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform("ContainsWhere", to: subscriber) {
                    predicate($0) ? .last(true) : .hold
                } last: {
                    false
                })
        }
    }

    /// What `tryContains(where:)` returns.
    public struct TryContainsWhere<Upstream: Publisher>: Publisher {
        public typealias Output = Bool
        public typealias Failure = any Error
        /// What it works on.
        public let upstream: Upstream
        /// Decides.
        public let predicate: (Upstream.Output) throws -> Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform<Upstream.Output, Upstream.Failure, S>.trying("TryContainsWhere", to: subscriber, prefetch: .all) {
                    try predicate($0) ? .last(true) : .hold
                } last: {
                    false
                })
        }
    }

    /// What `contains(_:)` returns.
    public struct Contains<Upstream: Publisher>: Publisher where Upstream.Output: Equatable {
        public typealias Output = Bool
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// What is looked for.
        public let output: Upstream.Output

        /// The operator on a publisher.
        public init(upstream: Upstream, output: Upstream.Output) {
            self.upstream = upstream
            self.output = output
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform("Contains", to: subscriber) {
                    $0 == output ? .last(true) : .hold
                } last: {
                    false
                })
        }
    }

    /// What `allSatisfy` returns.
    public struct AllSatisfy<Upstream: Publisher>: Publisher {
        public typealias Output = Bool
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Decides.
        public let predicate: (Upstream.Output) -> Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform("AllSatisfy", to: subscriber) {
                    predicate($0) ? .hold : .last(false)
                } last: {
                    true
                })
        }
    }

    /// What `tryAllSatisfy` returns.
    public struct TryAllSatisfy<Upstream: Publisher>: Publisher {
        public typealias Output = Bool
        public typealias Failure = any Error
        /// What it works on.
        public let upstream: Upstream
        /// Decides.
        public let predicate: (Upstream.Output) throws -> Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform<Upstream.Output, Upstream.Failure, S>.trying("TryAllSatisfy", to: subscriber, prefetch: .all) {
                    try predicate($0) ? .hold : .last(false)
                } last: {
                    true
                })
        }
    }

    /// What `collect` returns.
    public struct Collect<Upstream: Publisher>: Publisher {
        public typealias Output = [Upstream.Output]
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream

        /// The operator on a publisher.
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var values: [Upstream.Output] = []
            upstream.subscribe(
                Transform("Collect", to: subscriber) {
                    values.append($0)
                    return .hold
                } last: {
                    values
                })
        }
    }

    /// What `collect(_:)` with a count returns.
    public struct CollectByCount<Upstream: Publisher>: Publisher {
        public typealias Output = [Upstream.Output]
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// How many make one array.
        public let count: Int

        /// The operator on a publisher.
        public init(upstream: Upstream, count: Int) {
            self.upstream = upstream
            self.count = count
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var values: [Upstream.Output] = []
            upstream.subscribe(
                Transform("CollectByCount", to: subscriber, prefetch: .times(count)) { value in
                    values.append(value)
                    guard values.count >= count else { return .hold }
                    defer { values = [] }
                    return .value(values)
                } onCompletion: { completion in
                    guard case .finished = completion, !values.isEmpty else { return .init(nil, completion) }
                    return .init(values, completion)
                })
        }
    }
}

extension Publisher {
    /// Sends the first value, and ends.
    public func first() -> Publishers.First<Self> { .init(upstream: self) }
    /// Sends the first value for which the closure says yes, and ends.
    public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Sends the first value for which the closure says yes, and ends then or with what it throws.
    public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryFirstWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Sends whether the closure says yes to a value, as soon as that is known.
    public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Sends whether the closure says yes to a value, as soon as that is known, and fails with what it throws.
    public func tryContains(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryContainsWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Sends whether the closure says yes to all values, as soon as that is known.
    public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Sends whether the closure says yes to all values, as soon as that is known, and fails with what it throws.
    public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool) -> Publishers.TryAllSatisfy<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Sends all values as one array, at the end.
    public func collect() -> Publishers.Collect<Self> { .init(upstream: self) }
    /// Sends arrays of so many values, and what is left at the end.
    public func collect(_ count: Int) -> Publishers.CollectByCount<Self> { .init(upstream: self, count: count) }
}

extension Publisher where Output: Equatable {
    /// Sends whether a value equals this one, as soon as that is known.
    public func contains(_ output: Output) -> Publishers.Contains<Self> { .init(upstream: self, output: output) }
}
