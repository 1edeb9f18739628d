import Foundation

extension Publishers {
    /// What `handleEvents` returns.
    public struct HandleEvents<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Is told of the subscription.
        public var receiveSubscription: ((any Subscription) -> Void)?
        /// Is told of each value.
        public var receiveOutput: ((Upstream.Output) -> Void)?
        /// Is told of the end.
        public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?
        /// Is told that it was cancelled.
        public var receiveCancel: (() -> Void)?
        /// Is told what is asked for.
        public var receiveRequest: ((Subscribers.Demand) -> Void)?

        /// The operator on a publisher.
        public init(
            upstream: Upstream, receiveSubscription: ((any Subscription) -> Void)? = nil,
            receiveOutput: ((Upstream.Output) -> Void)? = nil,
            receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
            receiveRequest: ((Subscribers.Demand) -> Void)? = nil
        ) {
            self.upstream = upstream
            self.receiveSubscription = receiveSubscription
            self.receiveOutput = receiveOutput
            self.receiveCompletion = receiveCompletion
            self.receiveCancel = receiveCancel
            self.receiveRequest = receiveRequest
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Watcher(self, down: subscriber))
        }

        private final class Watcher<Down: Subscriber>: Subscriber, Subscription, CustomStringConvertible
        where Down.Input == Upstream.Output, Down.Failure == Upstream.Failure {
            private let connection = Connection()
            private var events: HandleEvents?
            private var down: Down?

            init(_ events: HandleEvents, down: Down) {
                self.events = events
                self.down = down
            }

            var description: String { "HandleEvents" }

            func receive(subscription: any Subscription) {
                events?.receiveSubscription?(subscription)
                if connection.begin(subscription) { down?.receive(subscription: self) }
            }

            func receive(_ input: Down.Input) -> Subscribers.Demand {
                guard connection.isOpen else { return .none }
                events?.receiveOutput?(input)
                let more = down?.receive(input) ?? .none
                if more > 0 { events?.receiveRequest?(more) }
                return more
            }

            func receive(completion: Subscribers.Completion<Down.Failure>) {
                guard connection.end() != nil else { return }
                events?.receiveCompletion?(completion)
                let told = down
                (events, down) = (nil, nil)
                told?.receive(completion: completion)
            }

            func request(_ demand: Subscribers.Demand) {
                events?.receiveRequest?(demand)
                connection.subscription?.request(demand)
            }

            func cancel() {
                guard let subscription = connection.end() else { return }
                events?.receiveCancel?()
                (events, down) = (nil, nil)
                subscription.cancel()
            }
        }
    }

    /// What `print` returns.
    public struct Print<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Begins each line.
        public let prefix: String
        /// Where the lines go; `nil` for the standard output.
        public let stream: (any TextOutputStream)?

        /// The operator on a publisher.
        public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
            self.upstream = upstream
            self.prefix = prefix
            self.stream = stream
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var stream = stream
            let start = prefix.isEmpty ? "" : "\(prefix): "
            func write(_ text: String) {
                if stream != nil { stream?.write(start + text + "\n") } else { Swift.print(start + text) }
            }
            upstream.handleEvents(
                receiveSubscription: { write("receive subscription: (\($0))") },
                receiveOutput: { write("receive value: (\($0))") },
                receiveCompletion: { completion in
                    switch completion {
                    case .finished: write("receive finished")
                    case .failure(let failure): write("receive error: (\(failure))")
                    }
                },
                receiveCancel: { write("receive cancel") },
                receiveRequest: { write("request \($0 == .unlimited ? "unlimited" : "max: (\($0.max ?? 0))")") }
            ).subscribe(subscriber)
        }
    }

    /// What `breakpoint` returns.
    public struct Breakpoint<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Whether to stop at the subscription.
        public let receiveSubscription: ((any Subscription) -> Bool)?
        /// Whether to stop at a value.
        public let receiveOutput: ((Upstream.Output) -> Bool)?
        /// Whether to stop at the end.
        public let receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)?

        /// The operator on a publisher.
        public init(
            upstream: Upstream, receiveSubscription: ((any Subscription) -> Bool)? = nil,
            receiveOutput: ((Upstream.Output) -> Bool)? = nil,
            receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)? = nil
        ) {
            self.upstream = upstream
            self.receiveSubscription = receiveSubscription
            self.receiveOutput = receiveOutput
            self.receiveCompletion = receiveCompletion
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.handleEvents(
                receiveSubscription: { stop(receiveSubscription?($0)) },
                receiveOutput: { stop(receiveOutput?($0)) },
                receiveCompletion: { stop(receiveCompletion?($0)) }
            ).subscribe(subscriber)
        }

        private func stop(_ isWanted: Bool?) {
            if isWanted == true { raise(SIGTRAP) }
        }
    }
}

extension Publisher {
    /// Calls the closures with what passes, and changes nothing.
    public func handleEvents(
        receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
        receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        .init(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
    }
    /// Prints what passes.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        .init(upstream: self, prefix: prefix, to: stream)
    }
    /// Stops in the debugger where a closure says so.
    public func breakpoint(
        receiveSubscription: ((any Subscription) -> Bool)? = nil, receiveOutput: ((Output) -> Bool)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) -> Publishers.Breakpoint<Self> {
        .init(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput, receiveCompletion: receiveCompletion)
    }
    /// Stops in the debugger at a failure.
    public func breakpointOnError() -> Publishers.Breakpoint<Self> {
        breakpoint(receiveCompletion: { if case .failure = $0 { true } else { false } })
    }
}
