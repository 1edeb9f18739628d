/// Says where the time of runs goes. For benchmarks: nothing in a simulation depends on it.
///
/// Each moment counts for one part, the innermost that is going on. Confined to the thread of the runs that it measures.
public final class RunStopwatch: @unchecked Sendable {
    /// What the time of a run is spent on.
    public enum Part: Int, CaseIterable, Sendable {
        /// The code under test, that is the app and LocalData, with the simulated storage and session that it calls.
        case work
        /// Choosing what runs next, and virtual time.
        case scheduling
        /// Writing down what happened.
        case trace
        /// Holding a run to the promises.
        case checks
        /// The rest: drawing the run, setting devices up and taking them down, reading steps.
        case other
    }

    private let now: () -> UInt64
    private var nanoseconds = [UInt64](repeating: 0, count: Part.allCases.count)
    private var part = Part.other
    private var since: UInt64

    /// - Parameter now: The host's clock, in nanoseconds from anywhere.
    public init(now: @escaping () -> UInt64) {
        self.now = now
        since = now()
    }

    /// How long each part took so far, in nanoseconds.
    public func total(of part: Part) -> UInt64 {
        enter(self.part)
        return nanoseconds[part.rawValue]
    }

    /// - Returns: The part that was going on, to go back to.
    @discardableResult
    func enter(_ part: Part) -> Part {
        let outer = self.part
        let moment = now()
        nanoseconds[outer.rawValue] += moment &- since
        since = moment
        self.part = part
        return outer
    }
}

extension RunStopwatch? {
    /// Counts the time of `body` for a part, if anybody measures.
    @inline(__always)
    package func measure<Value>(_ part: RunStopwatch.Part, _ body: () throws -> Value) rethrows -> Value {
        guard let self else { return try body() }
        let outer = self.enter(part)
        defer { self.enter(outer) }
        return try body()
    }
}
