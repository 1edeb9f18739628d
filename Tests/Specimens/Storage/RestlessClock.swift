import Foundation
import LocalData

/// A clock that runs a thousand times as fast, so that what needs time is taken for done.
package struct RestlessClock: WallClock {
    private let base: any WallClock

    package init(_ base: any WallClock) { self.base = base }

    package var now: Date { base.now }
    package var uptime: Double? { base.uptime.map { $0 * 1000 } }
}
