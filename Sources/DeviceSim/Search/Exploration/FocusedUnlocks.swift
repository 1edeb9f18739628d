import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// An app is started in the background before the first unlock, is asked for something that it cannot do yet, or not wholly, and goes on when the device is
/// unlocked. What it was told then must be so: an operation that was refused has done nothing, and one that was acknowledged has not been put off. Drawn one by
/// one, these steps seldom come in a row.
///
/// They stand between the drawn steps of some runs, as those of ``FocusedFaults`` do.
struct FocusedUnlocks: FocusedSteps {
    var kinds: Set<FaultKind> = []
    private let keys: [FocusedKey]
    private let seals: Bool
    var random: SeededGenerator
    private var count = 0

    /// One run in so many has them.
    private static let odds = 8

    init(of scenario: Scenario, _ random: SeededGenerator) {
        var own = random.fork("focused unlocks")
        keys = scenario.keys.enumerated().map { (KeyReference(index: $0, identifier: $1.identifier), $1) }.filter { $1.isCurrent }
        seals = scenario.keys.contains { $0.declaration?.security.isSealed == true }
        // Of three devices it is not told which one knows of what.
        if own.below(Self.odds) == 0, !keys.isEmpty, scenario.start.watch2 == nil {
            kinds = seals ? [.lock, .reboot, .rotation] : [.lock, .reboot]
        }
        self.random = own
    }

    mutating func drawn() -> [ScenarioStep.Action] {
        guard let (reference, key, device) = one(of: keys) else { return [] }
        var steps: [ScenarioStep.Action] = []
        // It has a value, as a rule.
        if random.below(4) != 0 { steps += [change(reference, key, on: device), .time(.settle(limit: nil))] }
        steps += [.reboot, .launchInBackground].map { .device(DeviceStep(device, $0)) }
        for _ in 0..<(1 + random.below(2)) { steps.append(work(reference, key, on: device)) }
        // The other one has something for it meanwhile.
        let other: DeviceID = device.isPhone ? .watch : .phone
        if key.syncs, random.below(3) == 0 { steps += [change(reference, key, on: other), .time(.settle(limit: nil))] }
        steps.append(.device(DeviceStep(device, .unlock)))
        if random.below(2) == 0 { steps.append(.device(DeviceStep(device, .launch))) }
        steps.append(.data(DataStep(device, .get(reference))))
        if random.below(3) == 0 { steps.append(change(reference, key, on: device)) }
        return steps + [.time(.settle(limit: nil)), .data(DataStep(device, .get(reference)))]
    }

    /// What the app is asked for before the first unlock.
    private mutating func work(_ reference: KeyReference, _ key: ScenarioKey, on device: DeviceID) -> ScenarioStep.Action {
        var actions: [DataStep.Action] = [.remove(reference), .remove(reference), .sync, .exists(reference), .get(reference)]
        if key.declaration?.migration != nil { actions += [.migrate(reference), .migrate(reference)] }
        if seals { actions += [.rotateKeys, .rotateAndRetireKeys, .reseal(nil)] }
        let place = random.below(actions.count + 3)
        return place < actions.count ? .data(DataStep(device, actions[place])) : change(reference, key, on: device)
    }

    /// A value that no drawn step sets, or none any more.
    private mutating func change(_ reference: KeyReference, _ key: ScenarioKey, on device: DeviceID) -> ScenarioStep.Action {
        count += 1
        switch key.type {
        case .string: return .data(DataStep(device, .set(reference, .string("unlocked\(count)"))))
        case .int: return .data(DataStep(device, .set(reference, .integer(Int64(9_120_000 + count)))))
        default: return .data(DataStep(device, .remove(reference)))
        }
    }
}
