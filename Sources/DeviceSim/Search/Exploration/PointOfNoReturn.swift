import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// From which step on a failure was certain: how many of some random continuations of each beginning of a scenario fail as it does.
public struct PointOfNoReturn: Sendable, Hashable {
    /// How many continuations fail, by how many of the scenario's steps come before them.
    public let failures: [Int]
    /// How many were tried for each.
    public let count: Int

    /// After how many steps all continuations fail, and all those of longer beginnings; `nil`: not even after the last step.
    public var isCertainAfter: Int? {
        guard failures.last == count else { return nil }
        return (failures.lastIndex { $0 < count } ?? -1) + 1
    }

    /// Where the probability of failing lies after so many steps, with 95 % confidence: the score interval (Wilson, "Probable Inference, the Law of Succession,
    /// and Statistical Inference", 1927), which stays within 0 and 1 and says something of 0 and all, too. From nothing to one where nothing was tried.
    /// - Parameter steps: How many steps come before the continuations.
    public func interval(after steps: Int) -> ClosedRange<Double> {
        guard count > 0, failures.indices.contains(steps) else { return 0...1 }
        let (z, n) = (1.959_964, Double(count))
        let share = Double(failures[steps]) / n
        let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
        // Rounding must not lead out of it.
        return max(0, min(share, middle - half))...min(1, max(share, middle + half))
    }

    /// The step with which the probability of failing grows most, from 1; the first of several. `nil` where it grows with none.
    public var largestJump: Int? {
        let jumps = zip(failures, failures.dropFirst()).map { $1 - $0 }
        guard let most = jumps.max(), most > 0, let place = jumps.firstIndex(of: most) else { return nil }
        return place + 1
    }

    /// With which step it grows most, in one sentence; `nil` where it grows with none, or so little that chance may have made it.
    func sentenceOfJump(_ steps: [ScenarioStep]) -> String? {
        guard let place = largestJump, steps.indices.contains(place - 1),
            interval(after: place - 1).upperBound < interval(after: place).lowerBound
        else { return nil }
        let step = steps[place - 1].action.notation.split(separator: "\n").first.map(String.init) ?? ""
        return
            "The probability of failing grows most with step \(place) (\(step)): from \(percent(after: place - 1)) to \(percent(after: place)), "
            + "with 95 % confidence"
    }

    /// The interval in whole percents, such as `84–100 %`.
    private func percent(after steps: Int) -> String {
        let interval = interval(after: steps)
        return "\(Int((interval.lowerBound * 100).rounded()))–\(Int((interval.upperBound * 100).rounded())) %"
    }

    /// In one sentence.
    /// - Parameter steps: The scenario's steps as a file has them.
    func sentence(_ steps: [ScenarioStep]) -> String {
        guard let place = isCertainAfter else {
            return
                "What comes later can cover the failure up: where random steps follow the last one, \(failures.last ?? 0) of \(count) runs fail"
        }
        guard place > 0 else { return "The failure is certain from the beginning: \(count) of \(count) random runs fail" }
        let step = steps[place - 1].action.notation.split(separator: "\n").first.map(String.init) ?? ""
        return "The failure is certain from step \(place) on (\(step)): \(count) of \(count) random continuations fail; before it "
            + "\(failures[place - 1]) of \(count) did"
    }
}

/// Measures a ``PointOfNoReturn``.
struct PointOfNoReturnProbe {
    let scenario: Scenario
    let signature: ViolationSignature
    let faultKinds: Set<FaultKind>
    let options: RunOptions
    let healing: [ScenarioStep]

    /// - Parameters:
    ///   - stepCount: How many steps come before the failure.
    ///   - count: How many continuations of each beginning are tried.
    func measure(stepCount: Int, count: Int, random: SeededGenerator) -> PointOfNoReturn {
        PointOfNoReturn(
            failures: (0...stepCount).map { length in
                (0..<count).count { number in
                    fails(length, random.fork("after \(length) steps, continuation \(number)"))
                }
            }, count: count)
    }

    private func fails(_ length: Int, _ random: SeededGenerator) -> Bool {
        var random = random
        var generator = StepGenerator(random: random.fork("steps"), faultKinds: faultKinds, scenario: scenario)
        let beginning = scenario.steps.prefix(length)
        for step in beginning { generator.follow(step.action) }
        var steps = Array(beginning)
        for _ in 0..<(1 + random.below(8)) { steps.append(.drawn(generator.next())) }
        return CheckedRun.run(scenario.keeping(steps: steps + healing), options: options).violation?.signature == signature
    }
}
