import DeviceSimCore
import DeviceSimLanguage

/// What a step could be replaced by that is easier to understand. Simplest first.
enum SimplerStep {
    static func candidates(for action: ScenarioStep.Action, found: [ObservedOutcome]) -> [[ScenarioStep.Action]] {
        switch action {
        case .together(let steps): together(steps)
        case .device(let step): device(step, found) + action.traits.simpler.map { [$0] }
        case .data(let step): data(step, found) + action.traits.simpler.map { [$0] }
        case .link, .session, .transfer, .fault, .expect, .time: action.traits.simpler.map { [$0] }
        }
    }

    /// One after the other, and each alone left out.
    private static func together(_ steps: [ScenarioStep]) -> [[ScenarioStep.Action]] {
        var candidates = [steps.map(\.action)]
        if steps.count > 2 {
            for index in steps.indices {
                var fewer = steps
                fewer.remove(at: index)
                candidates.append([.together(fewer)])
            }
        }
        return candidates + steps.map { [$0.action] }
    }

    private static func device(_ step: DeviceStep, _ found: [ObservedOutcome]) -> [[ScenarioStep.Action]] {
        var candidates: [[ScenarioStep.Action]] = []
        if step.outcome != .succeeds { candidates.append([.device(DeviceStep(step.device, step.action))]) }
        candidates += outcomes(step.outcome, found).map { [.device(DeviceStep(step.device, step.action, outcome: $0))] }
        return candidates
    }

    private static func data(_ step: DataStep, _ found: [ObservedOutcome]) -> [[ScenarioStep.Action]] {
        var candidates: [[ScenarioStep.Action]] = []
        if step.outcome != .succeeds {
            candidates.append([.data(step.with(outcome: .succeeds))])
        }
        if step.outcome.endsProcess {
            candidates.append([
                .data(step.with(outcome: .succeeds)), .device(DeviceStep(step.device, step.part == .app ? .crash : .widget(.crash))),
            ])
        }
        candidates += outcomes(step.outcome, found).map { [.data(step.with(outcome: $0))] }
        return candidates
    }

    /// A crash instead of a loss of power, and an earlier operation.
    private static func outcomes(_ outcome: StepOutcome, _ found: [ObservedOutcome]) -> [StepOutcome] {
        switch outcome {
        case .losesPower(let number): [.crashes(atOperation: number)] + (1..<number).map { .losesPower(atOperation: $0) }
        case .crashes(let number): (1..<number).map { .crashes(atOperation: $0) }
        case .isCancelled(let number): (1..<number).map { .isCancelled(atOperation: $0) }
        default: []
        }
    }
}

extension ScenarioStep {
    /// The step with other values where it writes one.
    func mappingValues(_ map: (ScenarioValue) -> ScenarioValue) -> ScenarioStep {
        switch action {
        case .data(let step):
            switch step.action {
            case .set(let key, let value): .drawn(.data(step.with(.set(key, map(value)))), phase: phase)
            case .plant(let key, let value):
                .drawn(.data(step.with(.plant(key, map(value)))), phase: phase)
            default: self
            }
        case .together(let steps): .drawn(.together(steps.map { $0.mappingValues(map) }), phase: phase)
        default: self
        }
    }
}
