import DeviceSimCore
import DeviceSimLanguage

/// A key that steps in a row are about.
typealias FocusedKey = (reference: KeyReference, key: ScenarioKey)

/// Steps that have to come in a row to show something, which they seldom do where each is drawn by itself. They stand between the drawn steps of some runs.
protocol FocusedSteps {
    /// The kinds of fault that they are made of; none where the run has no such steps.
    var kinds: Set<FaultKind> { get set }
    var random: SeededGenerator { get set }
    /// Steps that come in a row.
    mutating func drawn() -> [ScenarioStep.Action]
    /// The steps with others between them.
    mutating func over(_ steps: [ScenarioStep]) -> [ScenarioStep]
}

extension FocusedSteps {
    mutating func over(_ steps: [ScenarioStep]) -> [ScenarioStep] { kinds.isEmpty ? steps : strewn(over: steps, atMost: 2) }

    /// The steps with rows between them, once at least.
    mutating func strewn(over steps: [ScenarioStep], atMost times: Int) -> [ScenarioStep] {
        var steps = steps
        for _ in 0..<(1 + random.below(times)) {
            let place = random.below(steps.count + 1)
            steps.insert(contentsOf: drawn().map { .drawn($0) }, at: place)
        }
        return steps
    }

    /// One of the keys, and a device that may have it; `nil` where none was hit.
    mutating func one(of keys: [FocusedKey]) -> (reference: KeyReference, key: ScenarioKey, device: DeviceID)? {
        let (reference, key) = keys[random.below(keys.count)]
        let device: DeviceID = random.below(2) == 0 && key.availability.isAvailable(on: .phone) ? .phone : .watch
        guard key.availability.isAvailable(on: device.isPhone ? .phone : .watch) else { return nil }
        return (reference, key, device)
    }

    /// None where a kind that they are made of may not be drawn.
    mutating func keep(within allowed: Set<FaultKind>) { if !kinds.isSubset(of: allowed) { kinds = [] } }
}
