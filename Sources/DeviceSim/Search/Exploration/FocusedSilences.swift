import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// A device cannot speak of a value for a while: it is locked, does not run, is out of reach, has another version of the app, or its person switched the
/// key off. Meanwhile the other one changes the value, perhaps with a newer version, and something makes the silent one answer all the same. What it does
/// not tell of must not count as a removal, nor as older or newer than what it is. Drawn one by one, these steps seldom come in a row.
///
/// They stand between the drawn steps of some runs, as those of ``FocusedFaults`` do.
struct FocusedSilences: FocusedSteps {
    var kinds: Set<FaultKind> = []
    private let keys: [FocusedKey]
    private let versions: [AppVersion]
    var random: SeededGenerator
    private var count = 0

    /// One run in so many has them, of those that sync something.
    private static let odds = 8

    init(of scenario: Scenario, _ random: SeededGenerator) {
        var own = random.fork("focused silences")
        versions = scenario.appVersions
        keys = scenario.keys.enumerated().map { (KeyReference(index: $0, identifier: $1.identifier), $1) }
            .filter { $1.isCurrent && $1.syncs && $1.availability == .all }
        // Of three devices it is not told which one knows of what.
        if own.below(Self.odds) == 0, !keys.isEmpty, scenario.start.watch2 == nil {
            kinds = [.lock, .reboot, .lifecycle, .link, .overrides]
            if versions.count > 1 { kinds.insert(.update) }
        }
        self.random = own
    }

    mutating func drawn() -> [ScenarioStep.Action] {
        let (reference, key) = keys[random.below(keys.count)]
        let silent: DeviceID = random.below(2) == 0 ? .phone : .watch
        let other: DeviceID = silent.isPhone ? .watch : .phone
        var steps: [ScenarioStep.Action] = []
        // Both have a value, as a rule.
        if random.below(4) != 0 {
            steps += [change(reference, key, on: random.below(2) == 0 ? silent : other), .time(.settle(limit: nil))]
        }
        // Several of them at once, at times.
        var ends: [ScenarioStep.Action] = []
        for _ in 0..<(1 + random.below(2)) {
            let silence = silence(of: silent, reference)
            steps += silence.begin
            ends = silence.end + ends
        }
        for _ in 0..<(1 + random.below(3)) {
            switch random.below(6) {
            case 0 where versions.count > 1: steps += update(other)
            case 1: steps.append(.device(DeviceStep(other, .relaunch(inBackground: false))))
            case 2: steps.append(.data(DataStep(other, .get(reference))))
            default: steps.append(change(reference, key, on: other))
            }
            if random.below(2) == 0 { steps.append(.time(.settle(limit: nil))) }
        }
        // The silent one says something: of its own, or since it is started or asked.
        switch random.below(6) {
        case 0: steps.append(.device(DeviceStep(silent, .relaunch(inBackground: true))))
        case 1: steps.append(change(reference, key, on: silent))
        case 2: steps.append(.data(DataStep(silent, .sync)))
        case 3: steps.append(.data(DataStep(other, .requestSnapshot)))
        case 4:
            let (second, declared) = keys[random.below(keys.count)]
            steps.append(change(second, declared, on: silent))
        default: break
        }
        if random.below(2) == 0 { steps.append(.time(.settle(limit: nil))) }
        // The other one changes its mind in the midst of it.
        if random.below(3) == 0 { steps.append(change(reference, key, on: other)) }
        steps += ends
        switch random.below(4) {
        case 0: steps.append(change(reference, key, on: silent))
        case 1: steps += [.time(.settle(limit: nil)), change(reference, key, on: silent)]
        case 2 where versions.count > 1: steps += update(silent)
        default: break
        }
        return steps + [.data(DataStep(silent, .get(reference))), .data(DataStep(other, .get(reference)))]
    }

    /// What makes a device say nothing of a key, and what ends that.
    private mutating func silence(of device: DeviceID, _ key: KeyReference) -> (begin: [ScenarioStep.Action], end: [ScenarioStep.Action]) {
        func steps(_ actions: [DeviceStep.Action]) -> [ScenarioStep.Action] { actions.map { .device(DeviceStep(device, $0)) } }
        switch random.below(versions.count > 1 ? 8 : 7) {
        case 0: return (steps([.lock]) + [.time(.wait(.seconds(30)))], steps([.unlock]))
        case 1: return (steps([.reboot, .launchInBackground]), steps([.unlock, .launch]))
        case 2: return (steps([.reboot]), steps([.launchInBackground, .unlock]))
        case 3: return (steps([.terminate]), steps([.launch]))
        case 4: return ([.link(.down)], [.link(.up)])
        case 5: return ([.data(DataStep(device, .overrideSync(key, .never)))], [.data(DataStep(device, .overrideSync(key, nil)))])
        case 6: return (steps([.background, .suspend]), steps([.foreground]))
        default: return (update(device), update(device))
        }
    }

    /// The next version or any other one, mostly opened at once.
    private mutating func update(_ device: DeviceID) -> [ScenarioStep.Action] {
        let version = versions[random.below(versions.count)]
        let opening: [DeviceStep.Action] = random.below(4) == 0 ? [.launchInBackground] : [.launch]
        return ([.update(to: version)] + opening).map { .device(DeviceStep(device, $0)) }
    }

    /// A value that no drawn step sets, or none any more.
    private mutating func change(_ reference: KeyReference, _ key: ScenarioKey, on device: DeviceID) -> ScenarioStep.Action {
        count += 1
        switch key.type {
        case .string where random.below(3) != 0: return .data(DataStep(device, .set(reference, .string("silent\(count)"))))
        case .int where random.below(3) != 0: return .data(DataStep(device, .set(reference, .integer(Int64(4_370_000 + count)))))
        default: return .data(DataStep(device, .remove(reference)))
        }
    }
}
