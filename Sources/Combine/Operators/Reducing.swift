extension Publishers {
    /// What `reduce` returns.
    public struct Reduce<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// What it begins with.
        public let initial: Output
        /// Makes one of two.
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        /// The operator on a publisher.
        public init(upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output) {
            self.upstream = upstream
            self.initial = initial
            self.nextPartialResult = nextPartialResult
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var result = initial
            upstream.subscribe(
                Transform("Reduce", to: subscriber) { value in
                    result = nextPartialResult(result, value)
                    return .hold
                } last: {
                    result
                })
        }
    }

    /// What `tryReduce` returns.
    public struct TryReduce<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = any Error
        /// What it works on.
        public let upstream: Upstream
        /// What it begins with.
        public let initial: Output
        /// Makes one of two.
        public let nextPartialResult: (Output, Upstream.Output) throws -> Output

        /// The operator on a publisher.
        public init(upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output) {
            self.upstream = upstream
            self.initial = initial
            self.nextPartialResult = nextPartialResult
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var result = initial
            upstream.subscribe(
                Transform<Upstream.Output, Upstream.Failure, S>.trying("TryReduce", to: subscriber, prefetch: .all) { value in
                    result = try nextPartialResult(result, value)
                    return .hold
                } last: {
                    result
                })
        }
    }

    /// What `count` returns.
    public struct Count<Upstream: Publisher>: Publisher {
        public typealias Output = Int
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream

        /// The operator on a publisher.
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var count = 0
            upstream.subscribe(
                Transform("Count", to: subscriber) { _ in
                    count += 1
                    return .hold
                } last: {
                    count
                })
        }
    }

    /// What `last` returns.
    public struct Last<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream

        /// The operator on a publisher.
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var last: Upstream.Output?
            upstream.subscribe(
                Transform("Last", to: subscriber) { value in
                    last = value
                    return .hold
                } last: {
                    last
                })
        }
    }

    /// What `last(where:)` returns.
    public struct LastWhere<Upstream: Publisher>: Publisher {
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
            var last: Upstream.Output?
            upstream.subscribe(
                Transform("LastWhere", to: subscriber) { value in
                    if predicate(value) { last = value }
                    return .hold
                } last: {
                    last
                })
        }
    }

    /// What `tryLast(where:)` returns.
    public struct TryLastWhere<Upstream: Publisher>: Publisher {
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
            var last: Upstream.Output?
            upstream.subscribe(
                Transform<Upstream.Output, Upstream.Failure, S>.trying("TryLastWhere", to: subscriber, prefetch: .all) { value in
                    if try predicate(value) { last = value }
                    return .hold
                } last: {
                    last
                })
        }
    }

    /// What `min` and `max` return.
    public struct Comparison<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Decides.
        public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.areInIncreasingOrder = areInIncreasingOrder
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var result: Upstream.Output?
            upstream.subscribe(
                Transform("Comparison", to: subscriber) { value in
                    if result.map({ areInIncreasingOrder($0, value) }) ?? true { result = value }
                    return .hold
                } last: {
                    result
                })
        }
    }

    /// What `tryMin` and `tryMax` return.
    public struct TryComparison<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = any Error
        /// What it works on.
        public let upstream: Upstream
        /// Decides.
        public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.areInIncreasingOrder = areInIncreasingOrder
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var result: Upstream.Output?
            upstream.subscribe(
                Transform<Upstream.Output, Upstream.Failure, S>.trying("TryComparison", to: subscriber, prefetch: .all) { value in
                    if try result.map({ try areInIncreasingOrder($0, value) }) ?? true { result = value }
                    return .hold
                } last: {
                    result
                })
        }
    }
}

extension Publisher {
    /// Sends, at the end, what the closure makes of all values.
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T) -> Publishers.Reduce<Self, T> {
        .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
    /// Sends, at the end, what the closure makes of all values, and fails with what it throws.
    public func tryReduce<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T) -> Publishers.TryReduce<Self, T> {
        .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
    /// Sends, at the end, how many values there were.
    public func count() -> Publishers.Count<Self> { .init(upstream: self) }
    /// Sends the last value, at the end.
    public func last() -> Publishers.Last<Self> { .init(upstream: self) }
    /// Sends the last value for which the closure says yes, at the end.
    public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Sends the last value for which the closure says yes, at the end, and fails with what it throws.
    public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Sends the greatest value, at the end.
    public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
        .init(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
    }
    /// Sends the greatest value, at the end, and fails with what the closure throws.
    public func tryMax(by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool) -> Publishers.TryComparison<Self> {
        .init(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
    }
    /// Sends the smallest value, at the end.
    public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
        .init(upstream: self) { areInIncreasingOrder($1, $0) }
    }
    /// Sends the smallest value, at the end, and fails with what the closure throws.
    public func tryMin(by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool) -> Publishers.TryComparison<Self> {
        .init(upstream: self) { try areInIncreasingOrder($1, $0) }
    }
}

extension Publisher where Output: Comparable {
    /// Sends the greatest value, at the end.
    public func max() -> Publishers.Comparison<Self> { max(by: <) }
    /// Sends the smallest value, at the end.
    public func min() -> Publishers.Comparison<Self> { min(by: <) }
}
