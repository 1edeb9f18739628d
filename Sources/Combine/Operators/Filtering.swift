extension Publishers {
    /// What `filter` returns.
    public struct Filter<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Decides.
        public let isIncluded: (Upstream.Output) -> Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform("Filter", to: subscriber) { isIncluded($0) ? .value($0) : .skip })
        }
    }

    /// What `tryFilter` returns.
    public struct TryFilter<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = any Error
        /// What it works on.
        public let upstream: Upstream
        /// Decides.
        public let isIncluded: (Upstream.Output) throws -> Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform<Upstream.Output, Upstream.Failure, S>.trying("TryFilter", to: subscriber) {
                    try isIncluded($0) ? .value($0) : .skip
                })
        }
    }

    /// What `removeDuplicates` returns.
    public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Whether two are the same.
        public let predicate: (Upstream.Output, Upstream.Output) -> Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var last: Upstream.Output?
            upstream.subscribe(
                Transform("RemoveDuplicates", to: subscriber) { value in
                    if let last, predicate(last, value) { return .skip }
                    last = value
                    return .value(value)
                })
        }
    }

    /// What `tryRemoveDuplicates` returns.
    public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = any Error
        /// What it works on.
        public let upstream: Upstream
        /// Whether two are the same.
        public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var last: Upstream.Output?
            upstream.subscribe(
                Transform<Upstream.Output, Upstream.Failure, S>.trying("TryRemoveDuplicates", to: subscriber) { value in
                    if let last, try predicate(last, value) { return .skip }
                    last = value
                    return .value(value)
                })
        }
    }

    /// What `dropFirst` returns.
    public struct Drop<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// How many are left out.
        public let count: Int

        /// The operator on a publisher.
        public init(upstream: Upstream, count: Int) {
            self.upstream = upstream
            self.count = count
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var left = count
            upstream.subscribe(
                Transform("Drop", to: subscriber) { value in
                    guard left > 0 else { return .value(value) }
                    left -= 1
                    return .skip
                })
        }
    }

    /// What `drop(while:)` returns.
    public struct DropWhile<Upstream: Publisher>: Publisher {
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
            var isDropping = true
            upstream.subscribe(
                Transform("DropWhile", to: subscriber) { value in
                    isDropping = isDropping && predicate(value)
                    return isDropping ? .skip : .value(value)
                })
        }
    }

    /// What `tryDrop(while:)` returns.
    public struct TryDropWhile<Upstream: Publisher>: Publisher {
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
            var isDropping = true
            upstream.subscribe(
                Transform<Upstream.Output, Upstream.Failure, S>.trying("TryDropWhile", to: subscriber) { value in
                    if isDropping { isDropping = try predicate(value) }
                    return isDropping ? .skip : .value(value)
                })
        }
    }

    /// What `prefix(while:)` returns.
    public struct PrefixWhile<Upstream: Publisher>: Publisher {
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
            upstream.subscribe(
                Transform("PrefixWhile", to: subscriber) { predicate($0) ? .value($0) : .last(nil) })
        }
    }

    /// What `tryPrefix(while:)` returns.
    public struct TryPrefixWhile<Upstream: Publisher>: Publisher {
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
                Transform<Upstream.Output, Upstream.Failure, S>.trying("TryPrefixWhile", to: subscriber) {
                    try predicate($0) ? .value($0) : .last(nil)
                })
        }
    }

    /// What `output(in:)` and `prefix(_:)` return.
    public struct Output<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Which are sent.
        public let range: CountableRange<Int>

        /// The operator on a publisher.
        public init(upstream: Upstream, range: CountableRange<Int>) {
            self.upstream = upstream
            self.range = range
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            guard !range.isEmpty else {
                return Empty<Output, Failure>().subscribe(subscriber)
            }
            var index = 0
            upstream.subscribe(
                Transform("Output", to: subscriber) { value in
                    defer { index += 1 }
                    if index < range.lowerBound { return .skip }
                    return index < range.upperBound - 1 ? .value(value) : .last(value)
                })
        }
    }

    /// What `ignoreOutput` returns.
    public struct IgnoreOutput<Upstream: Publisher>: Publisher {
        public typealias Output = Never
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream

        /// The operator on a publisher.
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Transform("IgnoreOutput", to: subscriber, prefetch: .all) { _ in .hold })
        }
    }
}

extension Publisher {
    /// Sends the values for which the closure says yes.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
        .init(upstream: self, isIncluded: isIncluded)
    }
    /// Sends the values for which the closure says yes, and fails with what it throws.
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
        .init(upstream: self, isIncluded: isIncluded)
    }
    /// Leaves out a value that is the same as the one before.
    public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> Publishers.RemoveDuplicates<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Leaves out a value that is the same as the one before, and fails with what the closure throws.
    public func tryRemoveDuplicates(by predicate: @escaping (Output, Output) throws -> Bool) -> Publishers.TryRemoveDuplicates<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Leaves out the first so many values.
    public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> { .init(upstream: self, count: count) }
    /// Leaves out values as long as the closure says yes.
    public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Leaves out values as long as the closure says yes, and fails with what it throws.
    public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Sends at most so many values, and ends after the last of them.
    public func prefix(_ maxLength: Int) -> Publishers.Output<Self> { output(in: ..<maxLength) }
    /// Sends values as long as the closure says yes, and ends then.
    public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Sends values as long as the closure says yes, and ends then or with what it throws.
    public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryPrefixWhile<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Sends the value of this number, from 0.
    public func output(at index: Int) -> Publishers.Output<Self> { .init(upstream: self, range: index..<index + 1) }
    /// Sends the values of these numbers, from 0.
    public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
        .init(upstream: self, range: range.relative(to: 0..<Int.max))
    }
    /// Sends nothing but the end.
    public func ignoreOutput() -> Publishers.IgnoreOutput<Self> { .init(upstream: self) }
}

extension Publisher where Output: Equatable {
    /// Leaves out a value that equals the one before.
    public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> { removeDuplicates(by: ==) }
}
