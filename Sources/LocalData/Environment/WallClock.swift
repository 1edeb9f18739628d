import Foundation

/// The time of day, as the device believes it to be. Never used to order writes.
public protocol WallClock: Sendable {
    /// The time of day at this moment. May jump forward and back.
    var now: Date { get }
    /// Seconds since the device was switched on, which no change of the time of day moves; sleep need not count. `nil` where nobody knows.
    var uptime: Double? { get }
}
