import DeviceSim
import Testing

@testable import DeviceSimCore

@Suite struct SleepSpanTests {
    /// What was asked for, in microseconds, and what becomes of it however much of it the host's clock has already counted.
    @Test(
        arguments: [
            (asked: 5_000, lost: [0, 1, 40, 900]), (asked: 250_000, lost: [0, 3, 1_000, 5_000]), (asked: 1_500_000, lost: [0, 10, 20_000]),
            (asked: 3_600_000_000, lost: [0, 5, 1_000_000]), (asked: 1_000, lost: [0, 999, 1_000, 1_001]), (asked: 1, lost: [0, 1, 2]),
        ] as [(Int64, [Int64])])
    func whatIsLeftIsRoundedToWhatWasAskedFor(_ row: (asked: Int64, lost: [Int64])) throws {
        for lost in row.lost {
            let span = try #require(SleepSpan(left: Duration.microseconds(row.asked - lost)))
            #expect(span.duration.microseconds == max(row.asked, 1_000), "lost \(lost)")
        }
    }

    @Test func itIsNeverLessAndLittleMore() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let left = Int64(generator.below(10_000_000)) + 1
            let span = try #require(SleepSpan(left: Duration.microseconds(left))).duration.microseconds
            #expect(span >= left && span <= left + left / 50 + 1_000, "\(left) gives \(span)")
        }
        #expect(SleepSpan(left: Duration.seconds(Int64.max))?.duration.microseconds ?? 0 > 0)
    }

    @Test func whatIsAskedForInDurationsIsExact() {
        #expect(SleepSpan(asked: Duration.microseconds(317_301))?.duration.microseconds == 317_301)
        #expect(SleepSpan(asked: Duration.seconds(-5))?.duration == .milliseconds(1))
    }
}
