internal import DeviceSimCore
import Foundation

extension SystemShims {
    /// `Timer` as app code uses it: it fires on its process's main queue, in virtual time. One that repeats does not keep a simulation from settling.
    ///
    /// Outside a simulation it is never scheduled: a host's test has no run loop.
    public final class Timer: @unchecked Sendable {
        /// The seconds between two firings; 0 for one that fires once.
        public let timeInterval: TimeInterval
        /// Whether it may still fire.
        public private(set) var isValid = true
        /// When it fires next, by the device's clock.
        public private(set) var fireDate: Date
        /// Kept for the app. A simulated timer fires exactly.
        public var tolerance: TimeInterval = 0
        /// What the app gave the timer for the method that it calls.
        public private(set) var userInfo: Any?
        private let repeats: Bool
        /// Let go of when the timer is over: with it the object whose method is called.
        private var block: (@Sendable (Timer) -> Void)?
        private var isScheduled = false

        /// A timer that is not scheduled yet.
        @preconcurrency
        public init(timeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void) {
            timeInterval = repeats ? max(interval, 0.0001) : 0
            self.repeats = repeats
            self.block = block
            fireDate = SystemShims.now.addingTimeInterval(max(interval, 0.0001))
        }

        /// A timer that is not scheduled yet and fires first at `date`.
        @preconcurrency
        public convenience init(
            fire date: Date, interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void
        ) {
            self.init(timeInterval: interval, repeats: repeats, block: block)
            fireDate = date
        }

        /// A timer on the process's main run loop.
        @discardableResult @preconcurrency
        public static func scheduledTimer(
            withTimeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void
        ) -> Timer {
            let timer = Timer(timeInterval: interval, repeats: repeats, block: block)
            timer.schedule()
            return timer
        }

        /// A timer that is not scheduled yet and calls a method of the target, which it holds until it is over.
        public convenience init(
            timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector, userInfo: Any?, repeats yesOrNo: Bool
        ) {
            nonisolated(unsafe) let target = aTarget
            self.init(timeInterval: ti, repeats: yesOrNo) { aSelector.call(on: target, with: $0) }
            self.userInfo = userInfo
        }

        /// A timer on the process's main run loop that calls a method of the target, which it holds until it is over.
        @discardableResult
        public static func scheduledTimer(
            timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector, userInfo: Any?, repeats yesOrNo: Bool
        ) -> Timer {
            let timer = Timer(timeInterval: ti, target: aTarget, selector: aSelector, userInfo: userInfo, repeats: yesOrNo)
            timer.schedule()
            return timer
        }

        /// Calls the block at once. A timer that does not repeat is over then.
        public func fire() {
            guard isValid, let block else { return }
            if !repeats { invalidate() }
            block(self)
        }

        /// Cancels the timer: it never fires again.
        public func invalidate() {
            isValid = false
            (block, userInfo) = (nil, nil)
        }

        /// Adds the timer to its process's main run loop, once.
        func schedule() {
            guard !isScheduled, let context = process("Timer") else { return }
            isScheduled = true
            schedule(in: context)
        }

        private func schedule(in context: ProcessContext) {
            guard isValid, let scheduler = context.executor.scheduler else { return }
            let delay = max(fireDate.timeIntervalSince(SystemShims.now), 0)
            let span = VirtualDuration(microseconds: Int64(exactly: (delay * 1_000_000).rounded()) ?? .max / 4)
            let work = ScheduledWork("timer of the app", of: context.executor.name)
            scheduler.schedule(at: scheduler.now + span, isIdle: repeats, as: work) { [weak context] in
                guard let context, context.life.isAlive, self.isValid else { return }
                DispatchQueue.main.add(in: context) {
                    self.fire()
                    self.fireDate = SystemShims.now.addingTimeInterval(self.timeInterval)
                    self.schedule(in: context)
                }
            }
        }
    }

    /// `RunLoop` as app code uses it: to add timers, and to do something on the main thread.
    public final class RunLoop: Sendable {
        /// Foundation's own. All modes are one.
        public typealias Mode = Foundation.RunLoop.Mode

        /// The run loop of the process's main queue.
        public static let main = RunLoop()
        /// As ``main``: no other is there.
        public static var current: RunLoop { main }

        /// Schedules the timer, once.
        public func add(_ timer: Timer, forMode mode: Mode) {
            timer.schedule()
        }

        /// Puts a block on the process's main queue.
        @preconcurrency
        public func perform(_ block: @escaping @Sendable () -> Void) {
            DispatchQueue.main.async(execute: block)
        }
    }
}
