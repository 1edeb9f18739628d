import Foundation

/// How much of what the system grants an app in a day is spent: urgent complication transfers (W95), wakes for content (W151), reloads of a widget (W153).
package struct DailyBudget: Sendable, Hashable {
    private var spent = 0
    /// The day of which they are.
    private var day = Int.min

    /// What is left on `today` of `limit`.
    func remaining(of limit: Int, on today: Int) -> Int {
        max(0, limit - (today > day ? 0 : spent))
    }

    /// Takes one, if one is left. A clock that is set back brings none.
    /// - Returns: whether one was left.
    mutating func spend(of limit: Int, on today: Int) -> Bool {
        guard remaining(of: limit, on: today) > 0 else { return false }
        if today > day {
            day = today
            spent = 0
        }
        spent += 1
        return true
    }

    /// The number of the day for which the budget counts at a time of the device's wall clock. A simulated device lives by UTC.
    /// - Parameter reset: How long after midnight a new day begins (`Knobs.complicationReset`).
    static func day(at time: Date, reset: VirtualDuration) -> Int {
        let seconds = time.timeIntervalSince1970 - Double(reset.microseconds) / 1_000_000
        return Int((seconds / 86_400).rounded(.down))
    }

    /// How long from a time of the device's wall clock until the next day of the budget, rounded up to a microsecond.
    package static func timeUntilNextDay(after time: Date, reset: VirtualDuration) -> VirtualDuration {
        let seconds = time.timeIntervalSince1970 - Double(reset.microseconds) / 1_000_000
        let left = (Double(day(at: time, reset: reset)) + 1) * 86_400 - seconds
        return VirtualDuration(microseconds: max(1, Int64((left * 1_000_000).rounded(.up))))
    }
}
