import Foundation

extension AppSystem {
    /// `Timer` as app code uses it: it fires on its process's main queue, in virtual time. One that repeats does not keep a simulation from settling.
    ///
    /// Outside a simulation it is never scheduled: a host's test has no run loop.
    public final class Timer: @unchecked Sendable {
        public let timeInterval: TimeInterval
        public private(set) var isValid = true
        public private(set) var fireDate: Date
        public var tolerance: TimeInterval = 0
        private let repeats: Bool
        private let block: @Sendable (Timer) -> Void
        private var isScheduled = false

        @preconcurrency
        public init(timeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void) {
            timeInterval = repeats ? max(interval, 0.0001) : 0
            self.repeats = repeats
            self.block = block
            fireDate = AppSystem.now.addingTimeInterval(max(interval, 0.0001))
        }

        @preconcurrency
        public convenience init(
            fire date: Date, interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void
        ) {
            self.init(timeInterval: interval, repeats: repeats, block: block)
            fireDate = date
        }

        @discardableResult @preconcurrency
        public static func scheduledTimer(
            withTimeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void
        ) -> Timer {
            let timer = Timer(timeInterval: interval, repeats: repeats, block: block)
            timer.schedule()
            return timer
        }

        public func fire() {
            guard isValid else { return }
            if !repeats { invalidate() }
            block(self)
        }

        public func invalidate() {
            isValid = false
        }

        /// Adds the timer to its process's main run loop, once.
        func schedule() {
            guard !isScheduled, let context = process("Timer") else { return }
            isScheduled = true
            schedule(in: context)
        }

        private func schedule(in context: ProcessContext) {
            guard isValid, let scheduler = context.executor.scheduler else { return }
            let delay = max(fireDate.timeIntervalSince(AppSystem.now), 0)
            let span = VirtualDuration(microseconds: Int64(exactly: (delay * 1_000_000).rounded()) ?? .max / 4)
            let work = ScheduledWork("timer of the app", of: context.executor.name)
            scheduler.schedule(at: scheduler.now + span, isIdle: repeats, as: work) { [weak context] in
                guard let context, context.life.isAlive, self.isValid else { return }
                DispatchQueue.main.add(in: context) {
                    self.fire()
                    self.fireDate = AppSystem.now.addingTimeInterval(self.timeInterval)
                    self.schedule(in: context)
                }
            }
        }
    }

    /// `RunLoop` as app code uses it: to add timers, and to do something on the main thread.
    public final class RunLoop: Sendable {
        public typealias Mode = Foundation.RunLoop.Mode

        public static let main = RunLoop()
        public static var current: RunLoop { main }

        public func add(_ timer: Timer, forMode mode: Mode) {
            timer.schedule()
        }

        @preconcurrency
        public func perform(_ block: @escaping @Sendable () -> Void) {
            DispatchQueue.main.async(execute: block)
        }
    }
}
