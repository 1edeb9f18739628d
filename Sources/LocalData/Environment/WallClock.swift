import Foundation

/// The time of day, as the device believes it to be. Never used to order writes.
public protocol WallClock: Sendable {
    var now: Date { get }
}
