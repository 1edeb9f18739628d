import Foundation
import LocalData
import Synchronization

/// A clock that seems to go on by two minutes whenever somebody begins to look at it.
package struct LeapingClock: WallClock {
    private let base: any WallClock
    private let leaps: Int

    package init(base: any WallClock, leaps: Int) {
        self.base = base
        self.leaps = leaps
    }

    package var now: Date { base.now }
    package var uptime: Double? { base.uptime.map { $0 + 120 * Double(leaps) } }

    package final class Count: Sendable {
        private let count = Mutex(0)

        package init() {}

        package func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }
}
