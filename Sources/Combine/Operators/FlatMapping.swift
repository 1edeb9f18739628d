extension Publishers {
    /// What `flatMap` returns.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher where NewPublisher.Failure == Upstream.Failure {
        public typealias Output = NewPublisher.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// How many publishers may be there at one time.
        public let maxPublishers: Subscribers.Demand
        /// Makes a publisher of a value.
        public let transform: (Upstream.Output) -> NewPublisher

        /// The operator on a publisher.
        public init(upstream: Upstream, maxPublishers: Subscribers.Demand, transform: @escaping (Upstream.Output) -> NewPublisher) {
            self.upstream = upstream
            self.maxPublishers = maxPublishers
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let confluence = Confluence("FlatMap", to: subscriber)
            let outer = Box<Tap>()
            let inlet = Inlet<Upstream.Output, Upstream.Failure> {
                confluence.onCancel = { outer.value?.cancel() }
                if maxPublishers != .unlimited { confluence.onEnd = { outer.value?.request(.max(1)) } }
                confluence.announce()
                outer.value?.request(maxPublishers)
            } onValue: { value in
                confluence.add(transform(value))
                return .none
            } onCompletion: { completion in
                switch completion {
                case .finished: confluence.complete()
                case .failure(let failure): confluence.fail(failure)
                }
            }
            outer.value = Tap(inlet)
            upstream.subscribe(inlet)
        }
    }

    /// What `switchToLatest` returns.
    public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher where P == Upstream.Output, P.Failure == Upstream.Failure {
        public typealias Output = P.Output
        public typealias Failure = P.Failure
        /// What it works on.
        public let upstream: Upstream

        /// The operator on a publisher.
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let succession = Succession("SwitchToLatest", to: subscriber)
            let outer = Box<Tap>()
            var isInnerOpen = false
            var isOuterOver = false
            let inlet = Inlet<P, Failure> {
                succession.onCancel = { outer.value?.cancel() }
                succession.announce()
                outer.value?.request(.unlimited)
            } onValue: { publisher in
                succession.leave()
                isInnerOpen = true
                succession.follow(publisher) { completion in
                    isInnerOpen = false
                    switch completion {
                    case .finished: if isOuterOver { succession.finish(.finished) }
                    case .failure:
                        outer.value?.cancel()
                        succession.finish(completion)
                    }
                }
                return .none
            } onCompletion: { completion in
                isOuterOver = true
                switch completion {
                case .finished: if !isInnerOpen { succession.finish(.finished) }
                case .failure:
                    succession.leave()
                    succession.finish(completion)
                }
            }
            outer.value = Tap(inlet)
            upstream.subscribe(inlet)
        }
    }
}

extension Publisher {
    /// Sends the values of the publishers that the closure makes of each value, as they come.
    public func flatMap<T, P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where T == P.Output, Failure == P.Failure {
        .init(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}

extension Publisher where Failure == Never {
    /// Sends the values of the publishers that the closure makes of each value, as they come, and fails as one of them does.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
        setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }

    /// Sends the values of the publishers that the closure makes of each value, as they come.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
        .init(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}

extension Publisher {
    /// Sends the values of the publishers that the closure makes of each value, as they come; those never fail.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
        .init(upstream: self, maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
    }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
    /// Sends the values of the newest of the publishers that it is sent.
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> { .init(upstream: self) }
}

extension Publisher where Failure == Never, Output: Publisher {
    /// Sends the values of the newest of the publishers that it is sent, and fails as that does.
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>> {
        setFailureType(to: Output.Failure.self).switchToLatest()
    }

    /// Sends the values of the newest of the publishers that it is sent.
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> where Output.Failure == Never { .init(upstream: self) }
}
