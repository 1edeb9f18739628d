internal import DeviceSimCore
import Dispatch

extension SystemShims {
    /// `DispatchTime` as app code uses it: virtual time in a simulation.
    public struct DispatchTime: Sendable, Hashable, Comparable {
        /// Virtual time since the simulation began, in nanoseconds; outside a simulation the host's uptime.
        public let uptimeNanoseconds: UInt64

        /// An instant by its nanoseconds.
        public init(uptimeNanoseconds: UInt64) {
            self.uptimeNanoseconds = uptimeNanoseconds
        }

        /// Later than any other. A timer for it never fires.
        public static let distantFuture = DispatchTime(uptimeNanoseconds: .max)

        /// This instant of the running process's virtual time.
        public static func now() -> DispatchTime {
            guard let now = process("DispatchTime.now")?.executor.scheduler?.now else {
                return DispatchTime(uptimeNanoseconds: Dispatch.DispatchTime.now().uptimeNanoseconds)
            }
            return DispatchTime(uptimeNanoseconds: UInt64(clamping: now.microseconds) * 1_000)
        }

        public static func < (lhs: DispatchTime, rhs: DispatchTime) -> Bool { lhs.uptimeNanoseconds < rhs.uptimeNanoseconds }

        /// What `+` is in the modules that the plugin makes; there it is found without an import.
        public func advanced(by seconds: Double) -> DispatchTime {
            let nanoseconds = Double(uptimeNanoseconds) + (seconds * 1_000_000_000).rounded()
            return DispatchTime(uptimeNanoseconds: UInt64(exactly: nanoseconds) ?? (nanoseconds > 0 ? .max : 0))
        }

        /// A later instant, or an earlier one for a negative interval.
        public func advanced(by interval: DispatchTimeInterval) -> DispatchTime {
            switch interval {
            case .seconds(let count): advanced(by: Double(count))
            case .milliseconds(let count): advanced(by: Double(count) / 1_000)
            case .microseconds(let count): advanced(by: Double(count) / 1_000_000)
            case .nanoseconds(let count): advanced(by: Double(count) / 1_000_000_000)
            default: .distantFuture
            }
        }

        /// `nil` for what never comes.
        var virtual: VirtualTime? {
            uptimeNanoseconds == .max ? nil : VirtualTime(microseconds: Int64(clamping: (uptimeNanoseconds / 1_000)))
        }

        var host: Dispatch.DispatchTime {
            uptimeNanoseconds == .max ? .distantFuture : Dispatch.DispatchTime(uptimeNanoseconds: uptimeNanoseconds)
        }
    }
}

// Operators are found only where their module is imported: code that the plugin makes sees this one, and none of DeviceSim's.
extension SystemShims.DispatchTime {
    /// A later instant, or an earlier one for negative seconds.
    public static func + (time: Self, seconds: Double) -> Self { time.advanced(by: seconds) }
    /// An earlier instant.
    public static func - (time: Self, seconds: Double) -> Self { time.advanced(by: -seconds) }
    /// A later instant, or an earlier one for a negative interval.
    public static func + (time: Self, interval: DispatchTimeInterval) -> Self { time.advanced(by: interval) }
}
