import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// An operation of the storage fails in the midst of something that an app does, and it is looked at once what that left: perhaps after a crash or a power
/// loss, when nothing fails any more. Drawn one by one, the fault, the step, and the end of the process seldom come in a row.
///
/// They stand between the drawn steps of some runs, which have half as many of those.
struct FocusedFaults: FocusedSteps {
    var kinds: Set<FaultKind>
    private let all: [ScenarioKey]
    private let diskIgnoresCase: Bool
    private let keys: [FocusedKey]
    private let seals: Bool
    var random: SeededGenerator
    private var deaths: SeededGenerator
    private var count = 0

    /// One run in so many has them.
    private static let odds = 4

    init(of scenario: Scenario, _ random: SeededGenerator) {
        var own = random.fork("focused faults")
        all = scenario.keys
        diskIgnoresCase = scenario.knobs.diskIgnoresCase
        keys = scenario.keys.enumerated().map { (KeyReference(index: $0, identifier: $1.identifier), $1) }.filter { $1.isCurrent }
        seals = scenario.keys.contains { key in
            if case .encrypted? = key.declaration?.security { true } else { false }
        }
        let hasThem = own.below(Self.odds) == 0 && !keys.isEmpty
        kinds = !hasThem ? [] : seals ? [.disk, .keychain, .power, .crash, .rotation] : [.disk, .keychain, .power, .crash]
        // Drawn of numbers of their own, since they came later.
        deaths = own.fork("deaths")
        self.random = own
    }

    /// The steps with others between them.
    mutating func over(_ steps: [ScenarioStep]) -> [ScenarioStep] {
        guard !kinds.isEmpty else { return steps }
        var steps = strewn(over: steps, atMost: 3)
        if deaths.below(2) == 0 { steps.insert(contentsOf: death().map { .drawn($0) }, at: deaths.below(steps.count + 1)) }
        return steps
    }

    /// A process dies in the midst of something, the next one goes by what it sees and changes the value, and the power is lost: what the first one had not made
    /// durable is undone then, beneath what came after.
    private mutating func death() -> [ScenarioStep.Action] {
        let (reference, key) = keys[deaths.below(keys.count)]
        let device: DeviceID = deaths.below(2) == 0 && key.availability.isAvailable(on: .phone) ? .phone : .watch
        guard key.availability.isAvailable(on: device.isPhone ? .phone : .watch) else { return [] }
        let outcome = StepOutcome.crashes(atOperation: 1 + deaths.below(deaths.below(2) == 0 ? 6 : 16))
        var works: [ScenarioStep.Action] = [.data(DataStep(device, .remove(reference), outcome: outcome))]
        if case .data(let step)? = set(reference, key, on: device) {
            works += [.data(step.with(outcome: outcome)), .data(step.with(outcome: outcome))]
        }
        if key.declaration?.migration != nil {
            works += [
                .data(DataStep(device, .migrate(reference), outcome: outcome)), .data(DataStep(device, .get(reference), outcome: outcome)),
            ]
        }
        var steps = deaths.below(2) == 0 ? [set(reference, key, on: device)].compactMap { $0 } : []
        steps.append(works[deaths.below(works.count)])
        steps.append(.device(DeviceStep(device, .launch)))
        steps.append((deaths.below(3) == 0 ? nil : set(reference, key, on: device)) ?? .data(DataStep(device, .remove(reference))))
        steps += [.powerLoss, .powerOn, .unlock, .launch].map { .device(DeviceStep(device, $0)) }
        return steps + [.data(DataStep(device, .get(reference)))]
    }

    mutating func drawn() -> [ScenarioStep.Action] {
        guard let (reference, key, device) = one(of: keys) else { return [] }
        var steps: [ScenarioStep.Action] = []
        let plant = random.below(2) == 0 ? plant(for: key, on: device) : nil
        if let plant {
            steps.append(plant)
        } else if random.below(2) == 0, let set = set(reference, key, on: device) {
            steps.append(set)
        }
        if random.below(plant == nil ? 4 : 2) == 0 { steps.append(.time(.wait(.seconds(60)))) }
        let isInKeychain = key.declaration?.domain.kind == "keychain" || key.declaration?.security.isSealed == true
        let isOfDisk = !isInKeychain || random.below(2) == 0
        steps.append(.fault(FaultStep(device, isOfDisk ? disk() : keychain())))
        steps += work(reference, key, on: device)
        steps.append(.fault(FaultStep(device, isOfDisk ? .clearDisk : .clearKeychain)))
        steps += ending(on: device)
        if random.below(2) == 0 { steps.append(.data(DataStep(device, .get(reference)))) }
        return steps
    }

    /// What the app does, or begins with, or is given.
    private mutating func work(_ reference: KeyReference, _ key: ScenarioKey, on device: DeviceID) -> [ScenarioStep.Action] {
        var actions: [DataStep.Action] = [.remove(reference), .remove(reference), .sync]
        if key.declaration?.migration != nil { actions.append(.migrate(reference)) }
        if seals { actions += [.rotateKeys, .rotateAndRetireKeys, .retireKeys, .reseal(nil)] }
        switch random.below(actions.count + 6) {
        case 0: return [.device(DeviceStep(device, .relaunch(inBackground: false)))]
        case 1, 2, 3: return [set(reference, key, on: device) ?? .data(DataStep(device, .remove(reference)))]
        case 4, 5:
            let other: DeviceID = device.isPhone ? .watch : .phone
            guard key.syncs, random.below(4) != 0, let set = set(reference, key, on: other) else {
                return [.data(DataStep(key.syncs ? other : device, .remove(reference))), .time(.wait(.seconds(1)))]
            }
            return [set, .time(.wait(.seconds(1)))]
        case let place: return [.data(DataStep(device, actions[place - 6]))]
        }
    }

    /// A value that no drawn step sets.
    private mutating func set(_ reference: KeyReference, _ key: ScenarioKey, on device: DeviceID) -> ScenarioStep.Action? {
        count += 1
        switch key.type {
        case .string: return .data(DataStep(device, .set(reference, .string("focused\(count)"))))
        case .int: return .data(DataStep(device, .set(reference, .integer(Int64(6_140_000 + count)))))
        default: return nil
        }
    }

    /// An earlier version of the app leaves something at one of the key's sources; `nil` where that is no place of its own.
    private mutating func plant(for key: ScenarioKey, on device: DeviceID) -> ScenarioStep.Action? {
        let sources = key.declaration?.migrationSource?.keys ?? []
        guard !sources.isEmpty else { return nil }
        let source = sources[random.below(sources.count)]
        let old = all[source.index]
        let isOwn = all.contains {
            $0.isCurrent && ($0.mayBeOneFile(with: old, ignoringCase: diskIgnoresCase) || $0.isAtPlace(of: old))
        }
        guard !old.isCurrent, !isOwn else { return nil }
        count += 1
        let isNumeral = all.contains { $0.makesNumber(of: source) }
        switch old.type {
        case .string: return .data(DataStep(device, .plant(source, .string(isNumeral ? "\(7_520_000 + count)" : "focused\(count)"))))
        case .int: return .data(DataStep(device, .plant(source, .integer(Int64(8_640_000 + 7 * count)))))
        default: return nil
        }
    }

    private mutating func trigger(among count: Int) -> FaultTrigger {
        let number = 1 + random.below(count)
        return random.below(4) == 0 ? .always(from: number) : .once(number)
    }

    private mutating func disk() -> FaultStep.Action {
        let operations = FaultStep.DiskOperation.allCases
        let errors = [ErrnoName.EIO, .ENOSPC, .EACCES]
        return .disk(operations[random.below(operations.count)], trigger(among: 6), errors[random.below(errors.count)])
    }

    private mutating func keychain() -> FaultStep.Action {
        let operations = FaultStep.KeychainOperation.allCases
        let errors = [KeychainStatusName.errSecIO, .errSecNotAvailable, .errSecInteractionNotAllowed]
        return .keychain(operations[random.below(operations.count)], trigger(among: 4), errors[random.below(errors.count)].status)
    }

    private mutating func ending(on device: DeviceID) -> [ScenarioStep.Action] {
        let actions: [DeviceStep.Action] =
            switch random.below(4) {
            case 0: []
            case 1: [.crash, .launch]
            default: [.powerLoss, .powerOn, .unlock, .launch]
            }
        return actions.map { .device(DeviceStep(device, $0)) }
    }
}
