import DeviceSimLanguage

/// How far a scenario is whose steps crash at every operation: it runs once for each crash point, and with several such steps once for each combination.
public struct SweepProgress: Sendable, Hashable {
    /// How many runs are made.
    public internal(set) var done = 0
    /// About how many there are to make; `nil` where a run without a crash did not come to the end of each such step.
    ///
    /// Counted in a few runs. What a step does can depend on the point of the crash before it.
    public internal(set) var total: Int?
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Why the scenario is not run, or not any further, if it would take too long.
    func excess(of scenario: Scenario, operations: [Int]) -> ScenarioFailure? {
        let count: String
        if done == 0, let total, total > limit {
            let product = operations.map { "\($0 + 1)" }.joined(separator: " × ")
            count = "about \(total) runs" + (operations.count > 1 ? " (\(product) crash points)" : "")
        } else if done >= limit {
            count = "more than \(limit) runs"
        } else {
            return nil
        }
        let step = scenario.sweepingSteps.last
        return ScenarioFailure(
            message: "this scenario takes \(count), one for each crash point, and the limit is \(limit). "
                + "Write a scenario for each of these steps, let all but one crash at one operation (`crashes at operation 3`), "
                + "or raise the limit with --crash-points",
            path: step?.range.path, line: step?.range.line, column: step?.range.column, length: step?.range.length, source: step?.source,
            phase: step?.phase)
    }
}

extension CrashSchedule {
    /// How many storage operations each step has, about: without a crash before it, or, where it then has more, with one in the middle of each step before.
    /// - Parameter run: Makes a run, and gives the numbers of operations of the steps that came to their end.
    static func countOperations<Failure: Error>(
        of scenario: Scenario, run: (CrashSchedule) throws(Failure) -> [Int]
    ) throws(Failure) -> [Int] {
        var schedule = CrashSchedule(scenario)
        // None comes to its crash point: the crash comes after it.
        schedule.numbers = schedule.numbers.map { _ in limit - 1 }
        var counts = try run(schedule)
        guard counts.count == schedule.numbers.count else { return counts }
        for index in counts.indices.dropLast() where counts[index] > 1 {
            schedule.numbers[index] = counts[index] / 2
            // Steps that crash at their point are not among them.
            for (later, count) in try zip(counts.indices.suffix(counts.count - 1 - index), run(schedule).suffix(counts.count - 1 - index)) {
                counts[later] = max(counts[later], count)
            }
        }
        return counts
    }

    /// How many runs steps with so many operations take; `nil` where not all are known.
    static func runCount(ofOperations operations: [Int], of stepCount: Int) -> Int? {
        guard operations.count == stepCount else { return nil }
        return operations.reduce(1) { product, count in
            let (result, isTooMuch) = product.multipliedReportingOverflow(by: count + 1)
            return isTooMuch ? .max : result
        }
    }
}
