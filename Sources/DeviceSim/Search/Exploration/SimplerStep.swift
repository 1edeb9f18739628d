import DeviceSimCore
import DeviceSimLanguage

/// What a step could be replaced by that is easier to understand. Simplest first.
enum SimplerStep {
    static func candidates(for action: ScenarioStep.Action, found: [ObservedOutcome]) -> [[ScenarioStep.Action]] {
        switch action {
        case .together(let steps): together(steps)
        case .time(.wait(let span)): waits(span)
        case .device(let step): device(step, found)
        case .data(let step): data(step, found)
        case .fault(let step): fault(step)
        case .link(.latency(let span)) where span != .milliseconds(20): [[.link(.latency(.seconds(1)))]].filter { $0 != [action] }
        default: []
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

    private static func waits(_ span: VirtualDuration) -> [[ScenarioStep.Action]] {
        [VirtualDuration.seconds(1), .seconds(10), .seconds(60)].filter { $0 < span }.map { [.time(.wait($0))] } + [
            [.time(.settle(limit: nil))]
        ]
    }

    private static func device(_ step: DeviceStep, _ found: [ObservedOutcome]) -> [[ScenarioStep.Action]] {
        var candidates: [[ScenarioStep.Action]] = []
        func add(_ action: DeviceStep.Action, _ outcome: StepOutcome = .succeeds) {
            candidates.append([.device(DeviceStep(step.device, action, outcome: outcome))])
        }
        if step.outcome != .succeeds { add(step.action) }
        candidates += outcomes(step.outcome, found).map { [.device(DeviceStep(step.device, step.action, outcome: $0))] }
        switch step.action {
        case .crash: add(.terminate)
        case .powerLoss: add(.crash); add(.reboot)
        case .reboot: add(.terminate)
        case .powerOff: add(.terminate)
        case .relaunch(inBackground: true): add(.relaunch(inBackground: false), step.outcome)
        case .relaunch(inBackground: false): add(.launch, step.outcome)
        case .launchInBackground: add(.launch, step.outcome)
        case .prewarm: add(.launchInBackground)
        default: break
        }
        return candidates
    }

    private static func data(_ step: DataStep, _ found: [ObservedOutcome]) -> [[ScenarioStep.Action]] {
        var candidates: [[ScenarioStep.Action]] = []
        if step.outcome != .succeeds {
            candidates.append([.data(step.with(outcome: .succeeds))])
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
        default: []
        }
    }

    private static func fault(_ step: FaultStep) -> [[ScenarioStep.Action]] {
        switch step.action {
        case .disk(let operation, .always(let number), let name): [[.fault(FaultStep(step.device, .disk(operation, .once(number), name)))]]
        case .disk(let operation, .once(let number), let name) where number > 1:
            (1..<number).map { [.fault(FaultStep(step.device, .disk(operation, .once($0), name)))] }
        case .keychain(let operation, .always(let number), let status):
            [[.fault(FaultStep(step.device, .keychain(operation, .once(number), status)))]]
        case .keychain(let operation, .once(let number), let status) where number > 1:
            (1..<number).map { [.fault(FaultStep(step.device, .keychain(operation, .once($0), status)))] }
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
