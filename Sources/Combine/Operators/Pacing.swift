extension Publishers {
    /// What `debounce` returns.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// How long nothing else must come.
        public let dueTime: Context.SchedulerTimeType.Stride
        /// Where values are sent.
        public let scheduler: Context
        /// The scheduler's own.
        public let options: Context.SchedulerOptions?

        /// The operator on a publisher.
        public init(
            upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions?
        ) {
            self.upstream = upstream
            self.dueTime = dueTime
            self.scheduler = scheduler
            self.options = options
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (scheduler, options, dueTime) = (scheduler, options, dueTime)
            var newest = 0
            let pace = Pace<S>("Debounce", to: subscriber)
            pace.onValue = { [weak pace] value in
                newest += 1
                let number = newest
                scheduler.schedule(
                    after: scheduler.now.advanced(by: dueTime), tolerance: scheduler.minimumTolerance, options: options
                ) { [weak pace] in
                    if number == newest { pace?.send(value) }
                }
            }
            // What waits for the end of its time is lost with the end of the upstream.
            pace.onCompletion = { [weak pace] completion in
                newest += 1
                scheduler.schedule(options: options) { [pace] in pace?.finish(completion) }
            }
            upstream.subscribe(pace)
        }
    }

    /// What `throttle` returns.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// The shortest time between two values.
        public let interval: Context.SchedulerTimeType.Stride
        /// Where values are sent.
        public let scheduler: Context
        /// Whether the last value of an interval is sent, or its first.
        public let latest: Bool

        /// The operator on a publisher.
        public init(upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool) {
            self.upstream = upstream
            self.interval = interval
            self.scheduler = scheduler
            self.latest = latest
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (scheduler, interval, latest) = (scheduler, interval, latest)
            var free: Context.SchedulerTimeType?
            var waiting: Output?
            var end: Subscribers.Completion<Failure>?
            let pace = Pace<S>("Throttle", to: subscriber)
            pace.onValue = { [weak pace] value in
                if waiting != nil {
                    if latest { waiting = value }
                    return
                }
                let now = scheduler.now
                guard let next = free, next > now else {
                    free = now.advanced(by: interval)
                    scheduler.schedule { [pace] in pace?.send(value) }
                    return
                }
                waiting = value
                free = next.advanced(by: interval)
                scheduler.schedule(after: next) { [pace] in
                    if let value = waiting.take() { pace?.send(value) }
                    if let end = end.take() { pace?.finish(end) }
                }
            }
            pace.onCompletion = { [weak pace] completion in
                if case .finished = completion, waiting != nil {
                    end = completion
                } else {
                    waiting = nil
                    scheduler.schedule { [pace] in pace?.finish(completion) }
                }
            }
            upstream.subscribe(pace)
        }
    }

    /// What `timeout` returns.
    public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// How long it waits for a value.
        public let interval: Context.SchedulerTimeType.Stride
        /// Where values are sent.
        public let scheduler: Context
        /// The scheduler's own.
        public let options: Context.SchedulerOptions?
        /// Makes the failure; `nil` for an end without one.
        public let customError: (() -> Upstream.Failure)?

        /// The operator on a publisher.
        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions?,
            customError: (() -> Upstream.Failure)?
        ) {
            self.upstream = upstream
            self.interval = interval
            self.scheduler = scheduler
            self.options = options
            self.customError = customError
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (scheduler, options, interval, customError) = (scheduler, options, interval, customError)
            var newest = 0
            let detour = Detour("Timeout", to: subscriber) { action in scheduler.schedule(options: options, action) }
            func wait() {
                newest += 1
                let number = newest
                scheduler.schedule(
                    after: scheduler.now.advanced(by: interval), tolerance: scheduler.minimumTolerance, options: options
                ) { [weak detour] in
                    guard number == newest else { return }
                    detour?.stop(customError.map { .failure($0()) } ?? .finished)
                }
            }
            upstream.handleEvents(
                receiveSubscription: { _ in wait() }, receiveOutput: { _ in wait() }, receiveCompletion: { _ in newest += 1 },
                receiveCancel: { newest += 1 }
            ).subscribe(detour)
        }
    }
}

extension Publisher {
    /// Sends a value once nothing else has come for so long.
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, S> {
        .init(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
    }
    /// Sends at most one value in each interval.
    public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Publishers.Throttle<Self, S> {
        .init(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
    }
    /// Ends, or fails, if nothing comes for so long.
    public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil, customError: (() -> Failure)? = nil
    ) -> Publishers.Timeout<Self, S> {
        .init(upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
    }
}

extension Detour {
    /// Ends it before the upstream does.
    fileprivate func stop(_ completion: Subscribers.Completion<Down.Failure>) {
        let ended = connection.end()
        ended?.cancel()
        finish(completion)
    }
}
