import Testing

@testable import LocalData

/// What was written down may be any number.
@Suite struct SystemUptimeTests {
    @Test(
        arguments: [
            (0, 59, false), (0, 60, true), (100, 160, true), (100, 159, false), (100, 40, true), (Int64.min, 5, true), (Int64.max, 5, true),
            (-1, 59, true), (-1, 58, false), (Int64.min, Int64.max, true), (Int64.max, Int64.max, false),
        ] as [(Int64, Int64, Bool)])
    func anyNumbersAreCompared(then: Int64, now: Int64, hasPassed: Bool) {
        #expect(SystemUptime.hasPassed(60, since: then, at: now) == hasPassed)
    }
}
