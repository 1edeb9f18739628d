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

    /// In one sentence.
    /// - Parameter steps: The scenario's steps as a file has them.
    func sentence(_ steps: [ScenarioStep]) -> String {
        guard let place = isCertainAfter else {
            return "The failure is not certain after the last step: \(failures.last ?? 0) of \(count) random continuations fail"
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
