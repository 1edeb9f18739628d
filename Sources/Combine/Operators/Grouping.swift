extension Publishers {
    /// When `collect(_:)` sends what it has collected.
    public enum TimeGroupingStrategy<Context: Scheduler> {
        /// At the end of each interval.
        case byTime(Context, Context.SchedulerTimeType.Stride)
        /// At the end of each interval, and as soon as there are so many.
        case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
    }

    /// What `collect` with a strategy returns.
    public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = [Upstream.Output]
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// When it sends.
        public let strategy: TimeGroupingStrategy<Context>
        /// The scheduler's own.
        public let options: Context.SchedulerOptions?

        /// The operator on a publisher.
        public init(upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.strategy = strategy
            self.options = options
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let scheduler: Context
            let interval: Context.SchedulerTimeType.Stride
            let limit: Int
            switch strategy {
            case .byTime(let context, let span): (scheduler, interval, limit) = (context, span, .max)
            case .byTimeOrCount(let context, let span, let count): (scheduler, interval, limit) = (context, span, count)
            }
            let options = options
            var values: [Upstream.Output] = []
            var boundary = scheduler.now.advanced(by: interval)
            var isTimed = false
            // Values and ends of intervals come to one subscriber, one after the other.
            let gathered = PassthroughSubject<Output, Failure>()
            let send = {
                guard !values.isEmpty else { return }
                defer { values = [] }
                gathered.send(values)
            }
            let connection = upstream.sink { completion in
                if case .finished = completion { send() }
                gathered.send(completion: completion)
            } receiveValue: { value in
                values.append(value)
                if values.count >= limit { return send() }
                guard !isTimed else { return }
                isTimed = true
                while boundary <= scheduler.now { boundary = boundary.advanced(by: interval) }
                scheduler.schedule(after: boundary, tolerance: scheduler.minimumTolerance, options: options) {
                    isTimed = false
                    send()
                }
            }
            gathered.handleEvents(receiveCancel: connection.cancel).subscribe(subscriber)
        }
    }

    /// What is done with values beyond the size of a buffer.
    public enum BufferingStrategy<Failure: Error> {
        /// The new value is lost.
        case dropNewest
        /// The oldest value is lost.
        case dropOldest
        /// It fails with this.
        case customError(() -> Failure)
    }

    /// How a buffer is filled.
    public enum PrefetchStrategy: Hashable, Sendable {
        /// By asking for as many values as it holds.
        case keepFull
        /// By asking for all there are.
        case byRequest
    }

    /// What `buffer` returns.
    public struct Buffer<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// How many values it holds.
        public let size: Int
        /// How it is filled.
        public let prefetch: PrefetchStrategy
        /// What is done with more.
        public let whenFull: BufferingStrategy<Upstream.Failure>

        /// The operator on a publisher.
        public init(upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Failure>) {
            self.upstream = upstream
            self.size = size
            self.prefetch = prefetch
            self.whenFull = whenFull
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Reservoir(self, to: subscriber))
        }
    }
}

extension Publisher {
    /// Sends arrays of the values of each interval.
    public func collect<S: Scheduler>(
        _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
    ) -> Publishers.CollectByTime<Self, S> {
        .init(upstream: self, strategy: strategy, options: options)
    }
    /// Holds values until they are asked for.
    public func buffer(
        size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
    ) -> Publishers.Buffer<Self> {
        .init(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
    }
}

/// Values that wait to be asked for.
private final class Reservoir<Upstream: Publisher, Down: Subscriber>: Subscriber, Subscription, CustomStringConvertible
where Down.Input == Upstream.Output, Down.Failure == Upstream.Failure {
    private let buffer: Publishers.Buffer<Upstream>
    private let connection = Connection()
    private let lock = Lock()
    private var down: Down?
    private var demand = Subscribers.Demand.none
    private var values: [Down.Input] = []
    private var end: Subscribers.Completion<Down.Failure>?
    private var isSending = false

    init(_ buffer: Publishers.Buffer<Upstream>, to down: Down) {
        self.buffer = buffer
        self.down = down
    }

    var description: String { "Buffer" }

    func receive(subscription: any Subscription) {
        guard connection.begin(subscription) else { return }
        subscription.request(buffer.prefetch == .keepFull ? .max(buffer.size) : .unlimited)
        down?.receive(subscription: self)
    }

    func receive(_ input: Down.Input) -> Subscribers.Demand {
        guard connection.isOpen else { return .none }
        var failure: Down.Failure?
        lock.withLock {
            if values.count >= buffer.size {
                switch buffer.whenFull {
                case .dropNewest: return
                case .dropOldest: values.removeFirst()
                case .customError(let make):
                    failure = make()
                    return
                }
            }
            values.append(input)
        }
        if let failure {
            connection.end()?.cancel()
            lock.withLock { end = .failure(failure) }
        }
        send()
        return .none
    }

    func receive(completion: Subscribers.Completion<Down.Failure>) {
        guard connection.end() != nil else { return }
        lock.withLock { end = completion }
        send()
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock { self.demand += demand }
        send()
    }

    func cancel() {
        lock.withLock { (down, values) = (nil, []) }
        connection.end()?.cancel()
    }

    private func send() {
        guard
            !lock.withLock({
                defer { isSending = true }; return isSending
            })
        else { return }
        while let (value, down) = lock.withLock({ take() }) {
            let more = down.receive(value)
            lock.withLock { demand += more }
            if buffer.prefetch == .keepFull { connection.subscription?.request(.max(1)) }
        }
        lock.withLock { isSending = false }
        guard let end = lock.withLock({ values.isEmpty ? self.end : nil }) else { return }
        lock.withLock { down.take() }?.receive(completion: end)
    }

    private func take() -> (Down.Input, Down)? {
        guard demand > 0, let down, !values.isEmpty else { return nil }
        demand -= 1
        return (values.removeFirst(), down)
    }
}
