public import Combine
internal import DeviceSimCore
import Dispatch
public import Foundation
public import SimulatedSystem

/// A span of time as a queue's or a run loop's scheduler counts it: in nanoseconds, written in seconds where it is a number.
public struct SchedulerStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral, Hashable, Codable,
    Sendable
{
    /// Nanoseconds.
    public var magnitude: Int

    init(nanoseconds: Int) { magnitude = nanoseconds }

    init(inSeconds seconds: Double) {
        magnitude = Int(exactly: (seconds * 1_000_000_000).rounded()) ?? (seconds > 0 ? .max : .min)
    }

    /// The span of a dispatch interval.
    public init(_ timeInterval: DispatchTimeInterval) {
        switch timeInterval {
        case .seconds(let count): self = .seconds(count)
        case .milliseconds(let count): self = .milliseconds(count)
        case .microseconds(let count): self = .microseconds(count)
        case .nanoseconds(let count): self = .nanoseconds(count)
        default: magnitude = .max
        }
    }

    /// So many seconds.
    public init(_ timeInterval: TimeInterval) { self.init(inSeconds: timeInterval) }
    public init(floatLiteral value: Double) { self.init(inSeconds: value) }
    public init(integerLiteral value: Int) { self = .seconds(value) }

    public init?<T: BinaryInteger>(exactly source: T) {
        guard let seconds = Int(exactly: source) else { return nil }
        self = .seconds(seconds)
    }

    /// Seconds.
    var inSeconds: TimeInterval { Double(magnitude) / 1_000_000_000 }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
    public static func + (lhs: Self, rhs: Self) -> Self { Self(nanoseconds: lhs.magnitude + rhs.magnitude) }
    public static func - (lhs: Self, rhs: Self) -> Self { Self(nanoseconds: lhs.magnitude - rhs.magnitude) }
    public static func * (lhs: Self, rhs: Self) -> Self { Self(inSeconds: lhs.inSeconds * rhs.inSeconds) }
    public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }
    public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
    public static func seconds(_ s: Int) -> Self { Self(inSeconds: Double(s)) }
    public static func seconds(_ s: Double) -> Self { Self(inSeconds: s) }
    public static func milliseconds(_ ms: Int) -> Self { Self(inSeconds: Double(ms) / 1_000) }
    public static func microseconds(_ us: Int) -> Self { Self(inSeconds: Double(us) / 1_000_000) }
    public static func nanoseconds(_ ns: Int) -> Self { Self(nanoseconds: ns) }
}

extension SystemShims {
    /// An instant of a queue's scheduler: virtual time in a simulation.
    public struct DispatchInstant: Strideable, Hashable, Sendable {
        public typealias Stride = SchedulerStride
        /// The same instant as queues have it, which stands still while the device sleeps.
        public var dispatchTime: DispatchTime

        /// An instant by its dispatch time.
        public init(_ time: DispatchTime) {
            dispatchTime = time
        }

        public func distance(to other: Self) -> SchedulerStride {
            let (here, there) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
            return .nanoseconds(there >= here ? Int(clamping: there - here) : -Int(clamping: here - there))
        }

        public func advanced(by span: SchedulerStride) -> Self { Self(dispatchTime.advanced(by: .nanoseconds(span.magnitude))) }
    }

    /// An instant of a run loop's or an operation queue's scheduler: the device's time of day.
    public struct DateInstant: Strideable, Hashable, Codable, Sendable {
        public typealias Stride = SchedulerStride
        /// The same instant by the device's clock, which a person or a scenario may set.
        public var date: Date

        /// An instant by its date.
        public init(_ date: Date) {
            self.date = date
        }

        public func distance(to other: Self) -> SchedulerStride { .seconds(other.date.timeIntervalSince(date)) }
        public func advanced(by span: SchedulerStride) -> Self { Self(date.addingTimeInterval(span.inSeconds)) }
    }

    /// Does something again and again on a queue until it is cancelled. Does not keep a simulation from settling, as an app's repeating timer does not.
    private final class Repetition: Cancellable, @unchecked Sendable {
        private let interval: SchedulerStride
        private let action: () -> Void
        private let queue: DispatchQueue
        private var isOver = false

        init(on queue: DispatchQueue, every interval: SchedulerStride, _ action: @escaping () -> Void) {
            self.interval = max(interval, .microseconds(1))
            self.action = action
            self.queue = queue
        }

        func cancel() { isOver = true }

        func begin(at time: DispatchTime) {
            queue.asyncAfter(deadline: time, isIdle: true) {
                guard !self.isOver else { return }
                self.action()
                self.begin(at: time.advanced(by: .nanoseconds(self.interval.magnitude)))
            }
        }
    }

    /// Does something on a queue, with what the closures of other modules capture.
    private struct Errand: @unchecked Sendable {
        let run: () -> Void
    }
}

extension SystemShims.DispatchQueue: Combine.Scheduler {
    public typealias SchedulerTimeType = SystemShims.DispatchInstant

    /// What a block is put on the queue with.
    public struct SchedulerOptions: @unchecked Sendable {
        /// Decides nothing in a simulation.
        public var qos: DispatchQoS
        /// Dispatch's own.
        public var flags: DispatchWorkItemFlags
        /// Counts the block until it has run.
        public var group: SystemShims.DispatchGroup?

        /// The options of a block.
        public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: SystemShims.DispatchGroup? = nil) {
            self.qos = qos
            self.flags = flags
            self.group = group
        }
    }

    public var now: SystemShims.DispatchInstant { SystemShims.DispatchInstant(.now()) }
    public var minimumTolerance: SchedulerStride { .nanoseconds(0) }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let errand = SystemShims.Errand(run: action)
        async(group: options?.group, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { errand.run() }
    }

    public func schedule(
        after date: SystemShims.DispatchInstant, tolerance: SchedulerStride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) {
        let errand = SystemShims.Errand(run: action)
        asyncAfter(deadline: date.dispatchTime) { errand.run() }
    }

    public func schedule(
        after date: SystemShims.DispatchInstant, interval: SchedulerStride, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        let repetition = SystemShims.Repetition(on: self, every: interval, action)
        repetition.begin(at: date.dispatchTime)
        return AnyCancellable(repetition)
    }
}

extension SystemShims.RunLoop: Combine.Scheduler {
    public typealias SchedulerTimeType = SystemShims.DateInstant

    /// None are there.
    public struct SchedulerOptions: Sendable {}

    public var now: SystemShims.DateInstant { SystemShims.DateInstant(SystemShims.now) }
    public var minimumTolerance: SchedulerStride { .nanoseconds(0) }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let errand = SystemShims.Errand(run: action)
        perform { errand.run() }
    }

    public func schedule(
        after date: SystemShims.DateInstant, tolerance: SchedulerStride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) {
        let errand = SystemShims.Errand(run: action)
        SystemShims.DispatchQueue.main.asyncAfter(deadline: date.deadline) { errand.run() }
    }

    public func schedule(
        after date: SystemShims.DateInstant, interval: SchedulerStride, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        let repetition = SystemShims.Repetition(on: .main, every: interval, action)
        repetition.begin(at: date.deadline)
        return AnyCancellable(repetition)
    }
}

extension SystemShims.OperationQueue: Combine.Scheduler {
    public typealias SchedulerTimeType = SystemShims.DateInstant

    /// None are there.
    public struct SchedulerOptions: Sendable {}

    public var now: SystemShims.DateInstant { SystemShims.DateInstant(SystemShims.now) }
    public var minimumTolerance: SchedulerStride { .nanoseconds(0) }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let errand = SystemShims.Errand(run: action)
        addOperation { errand.run() }
    }

    public func schedule(
        after date: SystemShims.DateInstant, tolerance: SchedulerStride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) {
        let errand = SystemShims.Errand(run: action)
        SystemShims.DispatchQueue.global().asyncAfter(deadline: date.deadline) { self.addOperation { errand.run() } }
    }

    public func schedule(
        after date: SystemShims.DateInstant, interval: SchedulerStride, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        let errand = SystemShims.Errand(run: action)
        let repetition = SystemShims.Repetition(on: .global(), every: interval) { self.addOperation { errand.run() } }
        repetition.begin(at: date.deadline)
        return AnyCancellable(repetition)
    }
}

extension SystemShims.DateInstant {
    /// The same instant as a queue counts it.
    fileprivate var deadline: SystemShims.DispatchTime {
        .now().advanced(by: max(date.timeIntervalSince(SystemShims.now), 0))
    }
}
