import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// The widget stores something by what it has in memory while the app's master keys change, and the app goes on to retire keys, or seals values anew: it must
/// not take what only the widget's value needs. Drawn one by one, these steps seldom come in a row.
///
/// They stand between the drawn steps of some runs with a widget.
struct FocusedWidgets: FocusedSteps {
    var kinds: Set<FaultKind> = []
    private let keys: [FocusedKey]
    private let versions: [AppVersion]
    var random: SeededGenerator
    private var count = 0

    /// One run in so many has them, of those with a widget.
    private static let odds = 2

    init(of scenario: Scenario, hasWidget: Bool, _ random: SeededGenerator) {
        var own = random.fork("focused widgets")
        versions = scenario.appVersions
        let shared = scenario.keys.enumerated().map { (reference: KeyReference(index: $0, identifier: $1.identifier), key: $1) }
            .filter { $0.key.isCurrent && $0.key.isForWidget }
        // Values that a master key seals, where there are some.
        let sealed = shared.filter { $0.key.declaration?.security.isSealed == true }
        keys = sealed.isEmpty || own.below(4) == 0 ? shared : sealed
        if hasWidget, own.below(Self.odds) == 0, !keys.isEmpty { kinds = [.widget, .rotation, .crash, .lifecycle] }
        self.random = own
    }

    mutating func drawn() -> [ScenarioStep.Action] {
        guard let (reference, key, device) = one(of: keys) else { return [] }
        func app(_ action: DeviceStep.Action) -> ScenarioStep.Action { .device(DeviceStep(device, action)) }
        var steps: [ScenarioStep.Action] = []
        if random.below(2) == 0, let set = set(reference, key, on: device, in: .app) { steps.append(set) }
        steps.append(app(.widget(.launch)))
        // It has the key in memory then.
        if random.below(2) == 0, let set = set(reference, key, on: device, in: .widget) { steps.append(set) }
        switch random.below(4) {
        case 0: break
        case 1:
            let outcome = StepOutcome.crashes(atOperation: 1 + random.below(24))
            steps += [.data(DataStep(device, .rotateKeys, outcome: outcome))]
        default: steps.append(.data(DataStep(device, .rotateKeys)))
        }
        let ends = random.below(3)
        if ends == 0 { steps.append(app(.terminate)) }
        if ends == 1, versions.count > 1 { steps.append(app(.update(to: versions[random.below(versions.count)]))) }
        if random.below(4) == 0 { steps.append(app(.widget(.launch))) }
        steps.append(
            random.below(5) == 0
                ? .data(DataStep(device, in: .widget, .remove(reference)))
                : set(reference, key, on: device, in: .widget) ?? .data(DataStep(device, in: .widget, .remove(reference))))
        if random.below(2) == 0 { steps.append(.data(DataStep(device, in: .widget, .get(reference)))) }
        steps.append(app(.launch))
        let works: [DataStep.Action] = [.retireKeys, .rotateAndRetireKeys, .reseal(nil), .rotateKeys]
        for _ in 0..<(1 + random.below(2)) { steps.append(.data(DataStep(device, works[random.below(works.count)]))) }
        return steps + [.data(DataStep(device, .get(reference))), .data(DataStep(device, in: .widget, .get(reference)))]
    }

    /// A value that no drawn step sets.
    private mutating func set(_ reference: KeyReference, _ key: ScenarioKey, on device: DeviceID, in part: AppPart) -> ScenarioStep.Action?
    {
        count += 1
        switch key.type {
        case .string: return .data(DataStep(device, in: part, .set(reference, .string("glance\(count)"))))
        case .int: return .data(DataStep(device, in: part, .set(reference, .integer(Int64(9_470_000 + count)))))
        default: return nil
        }
    }
}
