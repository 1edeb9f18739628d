import Foundation

/// The system's time of day.
struct SystemClock: WallClock {
    var now: Date { Date() }
    var uptime: Double? { ProcessInfo.processInfo.systemUptime }
}
