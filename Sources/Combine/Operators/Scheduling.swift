extension Publishers {
    /// What `receive(on:)` returns.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Where values and end are received.
        public let scheduler: Context
        /// The scheduler's own.
        public let options: Context.SchedulerOptions?

        /// The operator on a publisher.
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (scheduler, options) = (scheduler, options)
            upstream.subscribe(Detour("ReceiveOn", to: subscriber) { action in scheduler.schedule(options: options, action) })
        }
    }

    /// What `delay` returns.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// How much later.
        public let interval: Context.SchedulerTimeType.Stride
        /// How much later than that it may be.
        public let tolerance: Context.SchedulerTimeType.Stride
        /// Where.
        public let scheduler: Context
        /// The scheduler's own.
        public let options: Context.SchedulerOptions?

        /// The operator on a publisher.
        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride,
            scheduler: Context, options: Context.SchedulerOptions? = nil
        ) {
            self.upstream = upstream
            self.interval = interval
            self.tolerance = tolerance
            self.scheduler = scheduler
            self.options = options
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let delay = self
            // What comes at one instant has one deadline, and keeps its order all the same.
            let line = Box<[() -> Void]>([])
            upstream.subscribe(
                Detour("Delay", to: subscriber) { action in
                    line.value?.append(action)
                    delay.scheduler.schedule(
                        after: delay.scheduler.now.advanced(by: delay.interval), tolerance: delay.tolerance, options: delay.options
                    ) {
                        line.value?.removeFirst()()
                    }
                })
        }
    }

    /// What `subscribe(on:)` returns.
    public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Where it is subscribed, asked and cancelled.
        public let scheduler: Context
        /// The scheduler's own.
        public let options: Context.SchedulerOptions?

        /// The operator on a publisher.
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (upstream, scheduler, options) = (upstream, scheduler, options)
            let detour = AskingDetour("SubscribeOn", to: subscriber) { action in scheduler.schedule(options: options, action) }
            scheduler.schedule(options: options) { upstream.subscribe(detour) }
        }
    }

    /// What `measureInterval` returns.
    public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Context.SchedulerTimeType.Stride
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Whose time counts.
        public let scheduler: Context

        /// The operator on a publisher.
        public init(upstream: Upstream, scheduler: Context) {
            self.upstream = upstream
            self.scheduler = scheduler
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var last = scheduler.now
            upstream.subscribe(
                Transform("MeasureInterval", to: subscriber) { _ in
                    let now = scheduler.now
                    defer { last = now }
                    return .value(last.distance(to: now))
                })
        }
    }
}

extension Publisher {
    /// Sends values and end on a scheduler.
    public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.ReceiveOn<Self, S> {
        .init(upstream: self, scheduler: scheduler, options: options)
    }
    /// Subscribes, asks and cancels on a scheduler.
    public func subscribe<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.SubscribeOn<Self, S> {
        .init(upstream: self, scheduler: scheduler, options: options)
    }
    /// Sends values and end so much later.
    public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, S> {
        .init(
            upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance, scheduler: scheduler, options: options)
    }
    /// Sends, for each value, how long it came after the one before.
    public func measureInterval<S: Scheduler>(using scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.MeasureInterval<Self, S>
    {
        .init(upstream: self, scheduler: scheduler)
    }
}

/// Sends each value and the end by way of a scheduler, each on its own: on a scheduler that runs its work in any order, such as a global queue, the end may
/// come before the last value, which is lost then. Apple's framework does so too (OpenCombine's issue 234).
class Detour<Down: Subscriber>: Subscriber, Subscription, CustomStringConvertible {
    typealias Input = Down.Input
    typealias Failure = Down.Failure
    let description: String
    final let schedule: (@escaping () -> Void) -> Void
    final let connection = Connection()
    private let lock = Lock()
    private var down: Down?

    init(_ name: String, to down: Down, schedule: @escaping (@escaping () -> Void) -> Void) {
        description = name
        self.down = down
        self.schedule = schedule
    }

    func receive(subscription: any Subscription) {
        if connection.begin(subscription) { lock.withLock { down }?.receive(subscription: self) }
    }

    func receive(_ input: Down.Input) -> Subscribers.Demand {
        if connection.isOpen { schedule { self.pass(input) } }
        return .none
    }

    func receive(completion: Subscribers.Completion<Down.Failure>) {
        if connection.isOpen { schedule { self.finish(completion) } }
    }

    func request(_ demand: Subscribers.Demand) { connection.subscription?.request(demand) }

    func cancel() {
        lock.withLock { down = nil }
        connection.end()?.cancel()
    }

    private func pass(_ input: Down.Input) {
        guard let down = lock.withLock({ down }) else { return }
        let more = down.receive(input)
        if more > 0 { request(more) }
    }

    final func finish(_ completion: Subscribers.Completion<Down.Failure>) {
        let told = lock.withLock { down.take() }
        _ = connection.end()
        told?.receive(completion: completion)
    }
}

/// Asks and cancels by way of a scheduler, and passes what comes on at once.
private final class AskingDetour<Down: Subscriber>: Detour<Down> {
    private var target: Down?

    override init(_ name: String, to down: Down, schedule: @escaping (@escaping () -> Void) -> Void) {
        target = down
        super.init(name, to: down, schedule: schedule)
    }

    override func receive(_ input: Down.Input) -> Subscribers.Demand {
        guard connection.isOpen, let more = target?.receive(input), more > 0 else { return .none }
        request(more)
        return .none
    }

    override func receive(completion: Subscribers.Completion<Down.Failure>) {
        guard connection.end() != nil else { return }
        target.take()?.receive(completion: completion)
    }

    override func request(_ demand: Subscribers.Demand) {
        schedule { [connection] in connection.subscription?.request(demand) }
    }

    override func cancel() {
        target = nil
        guard let ended = connection.end() else { return }
        schedule { ended.cancel() }
    }
}
