import DeviceSim
import Foundation
import Testing

@testable import DeviceSimCore

@Suite struct ComplicationBudgetTests {
    @Test("W95 a day's budget is spent, and renewed on the next")
    func spending() {
        var budget = DailyBudget()
        #expect(budget.remaining(of: 2, on: 10) == 2)
        let spent = (0..<3).map { _ in budget.spend(of: 2, on: 10) }
        #expect(spent == [true, true, false])
        #expect(budget.remaining(of: 2, on: 10) == 0)
        #expect(budget.remaining(of: 2, on: 9) == 0, "a clock that is set back brings none")
        #expect(budget.remaining(of: 2, on: 11) == 2)
        #expect(budget.remaining(of: 0, on: 12) == 0)
        let next = budget.spend(of: 2, on: 11)
        #expect(next)
        #expect(budget.remaining(of: 2, on: 11) == 1)
    }

    @Test("W95 the day begins at midnight, or later by the knob", arguments: [(0, 0), (-1, -1), (86_399, 0), (86_400, 1), (90_000, 1)])
    func days(seconds: Int, day: Int) {
        let time = Date(timeIntervalSince1970: Double(seconds))
        #expect(DailyBudget.day(at: time, reset: .zero) == day)
        #expect(DailyBudget.day(at: time.addingTimeInterval(3_600), reset: .seconds(3_600)) == day)
    }
}
