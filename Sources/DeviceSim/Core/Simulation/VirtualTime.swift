/// An instant of a simulation: microseconds since its start.
public struct VirtualTime: Sendable, Hashable, Comparable {
    /// Since the start of the simulation.
    public let microseconds: Int64

    /// An instant that long after the start.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The instant at which every simulation begins.
    public static let start = VirtualTime(microseconds: 0)

    public static func < (lhs: VirtualTime, rhs: VirtualTime) -> Bool { lhs.microseconds < rhs.microseconds }
    /// A later instant, or an earlier one for a negative span; never one beyond the last that there is, some 292,000 years after the start.
    public static func + (time: VirtualTime, span: VirtualDuration) -> VirtualTime {
        let (sum, isBeyond) = time.microseconds.addingReportingOverflow(span.microseconds)
        return VirtualTime(microseconds: isBeyond ? (span.microseconds < 0 ? .min : .max) : sum)
    }
    /// The span between two instants; negative where the first is the earlier one.
    public static func - (lhs: VirtualTime, rhs: VirtualTime) -> VirtualDuration {
        VirtualDuration(microseconds: lhs.microseconds - rhs.microseconds)
    }
}

/// A span of virtual time, in microseconds.
public struct VirtualDuration: Sendable, Hashable, Comparable {
    /// May be negative.
    public let microseconds: Int64

    /// A span of so many millionths of a second.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// No time.
    public static let zero = VirtualDuration(microseconds: 0)

    /// So many thousandths of a second.
    public static func milliseconds(_ count: Int64) -> VirtualDuration { VirtualDuration(microseconds: count * 1_000) }
    /// So many seconds.
    public static func seconds(_ count: Int64) -> VirtualDuration { VirtualDuration(microseconds: count * 1_000_000) }

    public static func < (lhs: VirtualDuration, rhs: VirtualDuration) -> Bool { lhs.microseconds < rhs.microseconds }
}

extension VirtualTime: CustomStringConvertible {
    public var description: String { (self - .start).description }
}

extension VirtualDuration: CustomStringConvertible {
    /// In the notation of scenario files: `0ms`, `250us`, `20ms`, `5s`, `2min`, `1h`, in the largest unit that divides it.
    public var description: String {
        let units: [(Int64, String)] = [(3_600_000_000, "h"), (60_000_000, "min"), (1_000_000, "s"), (1_000, "ms")]
        guard microseconds != 0 else { return "0ms" }
        for (size, name) in units where microseconds % size == 0 {
            return "\(microseconds / size)\(name)"
        }
        return "\(microseconds)us"
    }
}

extension VirtualDuration {
    /// As a person reads it, and a scenario file may have it: whole hours, minutes or seconds, else seconds or milliseconds with what is after the point,
    /// such as `15.053538s` or `34.95ms`.
    package var readable: String {
        let size: Int64 = microseconds.magnitude < 1_000_000 ? 1_000 : 1_000_000
        guard microseconds.magnitude >= 1_000, microseconds % size != 0 else { return description }
        var digits = String(microseconds.magnitude % UInt64(size))
        digits = String(repeating: "0", count: (size == 1_000 ? 3 : 6) - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return "\(microseconds < 0 ? "-" : "")\(microseconds.magnitude / UInt64(size)).\(digits)\(size == 1_000 ? "ms" : "s")"
    }
}
