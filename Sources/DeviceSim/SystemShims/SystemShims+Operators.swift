import Dispatch

// Operators are found only where their module is imported: code that the plugin makes sees this one, and none of DeviceSim's.
extension SystemShims.DispatchTime {
    /// A later instant, or an earlier one for negative seconds.
    public static func + (time: Self, seconds: Double) -> Self { time.advanced(by: seconds) }
    /// An earlier instant.
    public static func - (time: Self, seconds: Double) -> Self { time.advanced(by: -seconds) }
    /// A later instant, or an earlier one for a negative interval.
    public static func + (time: Self, interval: DispatchTimeInterval) -> Self { time.advanced(by: interval) }
}
