internal import DeviceSimCore
import Dispatch
import Synchronization

extension SystemShims {
    /// `DispatchSource` as app code uses it: timers, in virtual time. Other sources are not there.
    public enum DispatchSource {
        /// Foundation's own. Decides nothing.
        public struct TimerFlags: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
            /// Decides nothing: every simulated timer is exact.
            public static let strict = TimerFlags(rawValue: 1)
        }

        /// A timer that fires on a queue once it is scheduled and resumed.
        public static func makeTimerSource(flags: TimerFlags = [], queue: DispatchQueue? = nil) -> any DispatchSourceTimer {
            TimerSource(queue: queue ?? .global())
        }
    }

    /// `DispatchSourceTimer` as app code uses it.
    public protocol DispatchSourceTimer: AnyObject, Sendable {
        /// Fires at the deadline, and then again and again.
        func schedule(deadline: DispatchTime, repeating interval: Double, leeway: DispatchTimeInterval)
        /// Fires at the deadline, and then again and again.
        func schedule(deadline: DispatchTime, repeating interval: DispatchTimeInterval, leeway: DispatchTimeInterval)
        /// What it does when it fires.
        func setEventHandler(handler: (() -> Void)?)
        /// What it does when it was cancelled.
        func setCancelHandler(handler: (() -> Void)?)
        /// Lets it fire.
        func resume()
        /// Lets it fire.
        func activate()
        /// Keeps it from firing until it is resumed.
        func suspend()
        /// Ends it.
        func cancel()
        /// Whether it was cancelled.
        var isCancelled: Bool { get }
    }

    /// A timer of one process. One that repeats does not keep a simulation from settling.
    private final class TimerSource: DispatchSourceTimer, @unchecked Sendable {
        private let queue: DispatchQueue
        private var deadline: DispatchTime?
        /// In seconds; `nil`: once.
        private var interval: Double?
        private var handler: (() -> Void)?
        private var cancelHandler: (() -> Void)?
        private var isRunning = false
        private(set) var isCancelled = false
        /// Counts schedules, so that what an earlier one left does nothing.
        private var epoch = 0

        init(queue: DispatchQueue) {
            self.queue = queue
        }

        func schedule(deadline: DispatchTime, repeating interval: DispatchTimeInterval, leeway: DispatchTimeInterval) {
            let start = DispatchTime(uptimeNanoseconds: 0)
            let end = start + interval
            schedule(
                deadline: deadline, repeating: interval == .never ? .infinity : Double(end.uptimeNanoseconds) / 1_000_000_000,
                leeway: leeway)
        }

        func schedule(deadline: DispatchTime, repeating interval: Double, leeway: DispatchTimeInterval) {
            self.deadline = deadline
            self.interval = interval.isFinite && interval > 0 ? max(interval, 0.000_001) : nil
            epoch += 1
            wait()
        }

        func setEventHandler(handler: (() -> Void)?) { self.handler = handler }
        func setCancelHandler(handler: (() -> Void)?) { cancelHandler = handler }

        func resume() {
            guard !isRunning else { return }
            isRunning = true
            epoch += 1
            wait()
        }

        func activate() { resume() }
        func suspend() { isRunning = false }

        func cancel() {
            guard !isCancelled else { return }
            isCancelled = true
            handler = nil
            if let cancelHandler {
                nonisolated(unsafe) let handler = cancelHandler
                queue.async { handler() }
            }
            cancelHandler = nil
        }

        private func wait() {
            guard isRunning, !isCancelled, let deadline, let context = process("DispatchSourceTimer") else { return }
            let (number, queue) = (epoch, queue)
            guard let time = deadline.virtual, let scheduler = context.executor.scheduler else { return }
            let work = ScheduledWork("a timer source", of: context.executor.name)
            // A source that nobody holds any more fires no more, as on a device.
            scheduler.schedule(at: time, isIdle: interval != nil, as: work) { [weak self, weak context] in
                guard let context, context.life.isAlive else { return }
                queue.add(in: context) { self?.fire(number) }
            }
        }

        private func fire(_ number: Int) {
            guard isRunning, !isCancelled, number == epoch else { return }
            if let interval, let last = deadline {
                deadline = max(last + interval, DispatchTime.now())
                wait()
            } else {
                deadline = nil
            }
            handler?()
        }
    }
}

extension SystemShims.DispatchSourceTimer {
    /// Fires once.
    public func schedule(deadline: SystemShims.DispatchTime, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        schedule(deadline: deadline, repeating: .infinity, leeway: leeway)
    }
    /// Fires at the deadline, and then again and again.
    public func schedule(deadline: SystemShims.DispatchTime, repeating interval: Double) {
        schedule(deadline: deadline, repeating: interval, leeway: .nanoseconds(0))
    }
    /// Fires at the deadline, and then again and again.
    public func schedule(deadline: SystemShims.DispatchTime, repeating interval: DispatchTimeInterval) {
        schedule(deadline: deadline, repeating: interval, leeway: .nanoseconds(0))
    }
    /// What it does when it fires.
    public func setEventHandler(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: (() -> Void)?) {
        setEventHandler(handler: handler)
    }
    /// What it does when it was cancelled.
    public func setCancelHandler(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: (() -> Void)?) {
        setCancelHandler(handler: handler)
    }
}
