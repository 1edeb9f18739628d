// What Apple's Combine declares beside its own types: that queues and run loops are schedulers. The rest of the module is the mirror that hosts have
// (Sources/Combine), which says what Apple's says.

import Dispatch
import Foundation

/// What Apple declares once for each of the three, with the same members.
public struct SchedulerStrideStandIn: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral, Hashable,
    Codable,
    Sendable
{
    public var magnitude: Int
    public init(_ timeInterval: DispatchTimeInterval) { magnitude = 0 }
    public init(_ timeInterval: TimeInterval) { magnitude = 0 }
    public init(floatLiteral value: Double) { magnitude = 0 }
    public init(integerLiteral value: Int) { magnitude = value }
    public init?<T: BinaryInteger>(exactly source: T) { return nil }
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
    public static func + (lhs: Self, rhs: Self) -> Self { lhs }
    public static func - (lhs: Self, rhs: Self) -> Self { lhs }
    public static func * (lhs: Self, rhs: Self) -> Self { lhs }
    public static func += (lhs: inout Self, rhs: Self) {}
    public static func -= (lhs: inout Self, rhs: Self) {}
    public static func *= (lhs: inout Self, rhs: Self) {}
    public static func seconds(_ s: Int) -> Self { 0 }
    public static func seconds(_ s: Double) -> Self { 0 }
    public static func milliseconds(_ ms: Int) -> Self { 0 }
    public static func microseconds(_ us: Int) -> Self { 0 }
    public static func nanoseconds(_ ns: Int) -> Self { 0 }
}

extension DispatchQueue: Scheduler {
    public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
        public typealias Stride = SchedulerStrideStandIn
        public var dispatchTime: DispatchTime { .now() }
        public init(_ time: DispatchTime) {}
        public func distance(to other: Self) -> Stride { 0 }
        public func advanced(by n: Stride) -> Self { self }
    }

    public struct SchedulerOptions {
        public var qos: DispatchQoS
        public var flags: DispatchWorkItemFlags
        public var group: DispatchGroup?
        public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
            (self.qos, self.flags, self.group) = (qos, flags, group)
        }
    }

    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {}
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) {}
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable { AnyCancellable {} }
}

extension RunLoop: Scheduler {
    public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
        public typealias Stride = SchedulerStrideStandIn
        public var date: Date
        public init(_ date: Date) { self.date = date }
        public func distance(to other: Self) -> Stride { 0 }
        public func advanced(by n: Stride) -> Self { self }
    }

    public struct SchedulerOptions {}

    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {}
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) {}
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable { AnyCancellable {} }
}

extension OperationQueue: Scheduler {
    public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
        public typealias Stride = SchedulerStrideStandIn
        public var date: Date
        public init(_ date: Date) { self.date = date }
        public func distance(to other: Self) -> Stride { 0 }
        public func advanced(by n: Stride) -> Self { self }
    }

    public struct SchedulerOptions {}

    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {}
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) {}
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable { AnyCancellable {} }
}
