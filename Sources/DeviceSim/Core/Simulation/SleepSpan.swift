/// How long a task sleeps in virtual time.
struct SleepSpan: Hashable {
    let duration: VirtualDuration

    private init(_ duration: VirtualDuration) {
        self.duration = duration
    }

    /// What the running task asked for, where that is known.
    static func asked() -> SleepSpan? {
        SystemShims.sleepRequest.map { SleepSpan(max(.microseconds(of: $0.duration), VirtualDuration(microseconds: 1))) }
    }

    /// - Parameter delay: What the code asked for; `nil` results if that is no time.
    init?(asked delay: some DurationProtocol) {
        guard let delay = delay as? Duration else { return nil }
        duration = max(.microseconds(of: delay), .milliseconds(1))
    }

    /// What is left until an instant of the host's clock. That is less than the code asked for by the time that passed since it read the clock, which
    /// differs from run to run. So the end is put off to a round time, by at most 2 % and a millisecond; and no sleep is shorter than a millisecond.
    init?(left: some DurationProtocol) {
        guard let left = left as? Duration else { return nil }
        let nanoseconds = left.components.seconds.clampedProduct(1_000_000_000) + left.components.attoseconds / 1_000_000_000
        guard nanoseconds > 0 else {
            duration = .milliseconds(1)
            return
        }
        let latest = nanoseconds + nanoseconds / 50 + 1_000_000
        var unit: Int64 = 1_000_000
        var end = Self.ceiling(nanoseconds, to: unit)
        while unit < latest {
            unit *= 10
            let rounder = Self.ceiling(nanoseconds, to: unit)
            if rounder > latest { break }
            end = rounder
        }
        duration = VirtualDuration(microseconds: end / 1_000)
    }

    private static func ceiling(_ value: Int64, to unit: Int64) -> Int64 {
        (value + unit - 1) / unit * unit
    }
}

extension VirtualDuration {
    /// The whole microseconds of a duration, rounded up.
    static func microseconds(of duration: Duration) -> VirtualDuration {
        let (seconds, attoseconds) = duration.components
        return VirtualDuration(microseconds: seconds.clampedProduct(1_000_000) + (attoseconds + 999_999_999_999) / 1_000_000_000_000)
    }
}

extension Int64 {
    /// The product, or half of the largest number: an age, which still can be added to.
    fileprivate func clampedProduct(_ factor: Int64) -> Int64 {
        let limit = Int64.max / 4
        return self > limit / factor ? limit : self < -limit / factor ? -limit : self * factor
    }
}
