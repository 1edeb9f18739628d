import Foundation
import LocalData
import Synchronization

/// A clock that seems to go on by two minutes whenever somebody begins to look at it.
struct LeapingClock: WallClock {
    let base: any WallClock
    let leaps: Int

    var now: Date { base.now }
    var uptime: Double? { base.uptime.map { $0 + 120 * Double(leaps) } }

    final class Count: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }
}
