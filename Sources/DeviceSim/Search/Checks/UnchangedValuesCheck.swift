import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// Holds steps that change no value to that: what opens before a rotation, a retirement of keys, a change of policy or a look, opens behind it and is the same.
struct UnchangedValuesCheck {
    private let device: Device
    private let began: VirtualTime
    private let values: [Int: ScenarioValue]

    /// Looks before a step. An initializer would get a keeper of its own, copied at each step.
    /// - Returns: `nil` for one that may change a value, and where something may do so beside it.
    static func before(_ action: ScenarioStep.Action, in run: ScenarioRun, _ keeper: InvariantChecker) throws -> Self? {
        guard case .data(let data) = action, data.action.changesNoValue, !data.outcome.endsProcess,
            let device = run.simulation.device(data.device), device.state.isPoweredOn, device.isAppInstalled, device.storage.faults.isEmpty,
            device.storage.freeSpace == nil, !run.hasOwnStorage, !run.simulation.scheduler.hasReadyWork
        else { return nil }
        let began = run.simulation.now
        var values: [Int: ScenarioValue] = [:]
        let held = keeper.keys.filter { isHeld($0, on: device, keeper) }.map(\.reference)
        guard !held.isEmpty else { return nil }
        for (reference, found) in zip(held, try run.look(at: held, on: device)) {
            if case .success(let value) = found { values[reference.index] = value }
        }
        return values.isEmpty ? nil : Self(device: device, began: began, values: values)
    }

    /// Behind it.
    func check(_ observations: [StepObservation], _ keeper: InvariantChecker, in run: ScenarioRun, step: Int) throws -> Violation? {
        guard observations.count == 1, case .data(let data) = observations[0].action, run.simulation.now == began,
            !run.simulation.scheduler.hasReadyWork
        else { return nil }
        switch observations[0].result {
        case .done, .failed: break
        case .ended, .impossible: return nil
        }
        let held = values.keys.sorted().map { keeper.keys[$0] }
        for (key, found) in zip(held, try run.look(at: held.map(\.reference), on: device)) {
            guard let value = values[key.reference.index] else { continue }
            keeper.recorder?.looked(.durability)
            if case .success(let now) = found, now.isSame(as: value) { continue }
            return Violation(
                .durability, key: key.reference.identifier, device: device.id, step: step,
                explanation: [
                    "'\(data.verb)' changes no value, and \(value.notation) lay at '\(key.reference.identifier)' on \(device.id) before it",
                    "what lies there behind it \(Self.text(found))",
                ], expectation: Expectation(.value(device.id, key.reference, .equals(value))))
        }
        return nil
    }

    private static func text(_ found: Result<ScenarioValue, any Error>) -> String {
        switch found {
        case .success(let value): "is \(value.notation)"
        case .failure(let error): "does not open: \(ErrorText.name(of: error))"
        }
    }

    /// What a version that does not run has is not looked at, nor what a migration may take from its place, or lies there under another name.
    private static func isHeld(_ key: CheckedKey, on device: Device, _ keeper: InvariantChecker) -> Bool {
        key.isCurrent && key.isAvailable(on: device.id) && key.exists(in: keeper.versions[device.id.place]) && !key.dependsOnPerson
            && !key.asksPerson && !key.discards && key.otherNames.isEmpty && !keeper.damaged.contains(key.reference.index)
            && !keeper.keys.contains { $0.sources.contains(key.reference) || $0.first == key.first && $0.mayMeetOtherPolicy }
    }
}

extension DataStep.Action {
    /// Whether what it does changes no value that is there.
    fileprivate var changesNoValue: Bool {
        switch self {
        case .rotateKeys, .rotateAndRetireKeys, .retireKeys, .retireKeysInQuiet, .reseal, .overrideSync, .exists, .observe: true
        default: false
        }
    }
}
