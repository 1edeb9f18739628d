import DeviceSimCore
import DeviceSimLanguage

/// Days on which people only set values, and apps come, go and are updated: of what updates make of several values, or another form of one, only these can be held against
/// what was set (``MadeValues``). Every second run over such values has them.
struct CalmDays {
    /// What may befall the devices then.
    static let kinds: Set<FaultKind> = [.update, .link, .latency, .lifecycle]

    /// Whether a run has them.
    let isOn: Bool
    /// Whether nobody sets what the update makes.
    private let leavesWholesAlone: Bool
    private let wholes: Set<Int>

    init(of scenario: Scenario, _ random: SeededGenerator) {
        var random = random
        let mayBeMade = scenario.keys.contains { key in
            switch key.declaration?.migrationSource {
            case .combined, .transformed: key.declaration?.since != nil
            case .key, .place, nil: false
            }
        }
        guard mayBeMade, scenario.start.watch2 == nil, random.below(2) == 0 else {
            (isOn, leavesWholesAlone, wholes) = (false, false, [])
            return
        }
        let made = MadeValues(of: scenario.keys, untold: UntoldKeys.among(scenario.keys, in: scenario), deviceCount: 2)
        wholes = made.wholes
        isOn = !made.wholes.isEmpty
        leavesWholesAlone = random.below(4) != 0
    }

    /// The steps without those of other days.
    func over(_ steps: [ScenarioStep]) -> [ScenarioStep] {
        isOn ? steps.filter { isCalm($0.action) } : steps
    }

    private func isCalm(_ action: ScenarioStep.Action) -> Bool {
        switch action {
        case .data(let step):
            guard step.part == .app, !step.outcome.endsProcess else { return false }
            if case .set(let key, _) = step.action { return !leavesWholesAlone || !wholes.contains(key.index) }
            return step.action.leavesPartsAlone
        case .device(let step): return step.leavesPartsAlone
        case .time, .link(.up), .link(.down): return true
        case .expect, .link, .fault, .transfer, .session, .together: return false
        }
    }
}
