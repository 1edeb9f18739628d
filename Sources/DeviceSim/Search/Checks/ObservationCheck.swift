import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// Holds what code that observes a key was told last to what lies at the key's place, when nothing is left to run.
struct ObservationCheck {
    /// Where something was changed behind LocalData's back since the observing began: by the device's and the key's places.
    private var changedBehind: Set<[Int]> = []
    /// Where somebody spoilt what lies there, until it is replaced: what an app finds then, and what is found without its rights, differ.
    private var spoilt: Set<[Int]> = []

    /// What the steps mean for the keys that are observed from then on, or were.
    mutating func note(_ observations: [StepObservation], _ keys: [CheckedKey]) {
        for observation in observations {
            switch observation.action {
            case .data(let data):
                guard let reference = data.action.key else { continue }
                let place = [data.device.place, reference.index]
                switch (data.action, observation.result) {
                case (.observe, .done): changedBehind.remove(place)
                case (.set, .done), (.remove, .done):
                    changedBehind.remove(place)
                    spoilt.remove(place)
                // Where everything fails LocalData cannot see either what a change that failed has left.
                case (_, .failed) where observation.conditions.hasFaults: changedBehind.insert(place)
                default: break
                }
                guard case .plant = data.action else { continue }
                let planted = keys[reference.index]
                for key in keys where key.isAtPlace(of: planted) || key.otherNames.contains(reference) {
                    changedBehind.insert([data.device.place, key.reference.index])
                }
            // The system deletes what needs a passcode, and tells nobody.
            case .device(let step):
                guard step.action == .removePasscode else { continue }
                for key in keys { changedBehind.insert([step.device.place, key.reference.index]) }
            case .fault(let fault):
                guard case .damage = fault.action else { continue }
                for key in keys { spoilt.insert([fault.device.place, key.reference.index]) }
            default: break
            }
        }
    }

    /// Looks at all observers after a step that lets time pass.
    func check(_ observation: StepObservation, in run: ScenarioRun, _ keeper: InvariantChecker, step: Int) throws -> Violation? {
        guard case .time = observation.action else { return nil }
        for device in run.simulation.devices {
            guard let process = device.process, process.state != .suspended, device.storage.faults.isEmpty,
                device.storage.freeSpace == nil
            else { continue }
            for reference in run.observers.keys(in: process) where isHeld(keeper.keys[reference.index], on: device.id, keeper) {
                guard let told = run.observers.told(reference, in: process) else { continue }
                let binding = run.keys[reference]
                let operation = device.inspect("look at \(reference.identifier)") { try await binding.opened(with: $0) }
                try run.simulation.finish(operation)
                let stored: ScenarioValue?
                switch operation.result {
                case .success(let value)?: stored = value
                case .failure(let error)? where ScenarioErrorName(error) == .storage(.notFound): stored = nil
                default: continue
                }
                keeper.recorder?.looked(.observation)
                let isSame = told.map { told in stored.map(told.isSame) ?? false } ?? (stored == nil)
                guard !isSame else { continue }
                return Violation(
                    .observation, key: reference.identifier, device: device.id, step: step,
                    explanation: [
                        "code of \(device.id) that observes '\(reference.identifier)' was told something else last than what lies there"
                    ],
                    expectation: Expectation(.observed(device.id, reference, stored.map { .equals($0) } ?? .missing)))
            }
        }
        return nil
    }

    /// Whether every change of the value on that device is one that LocalData makes in the app's process.
    private func isHeld(_ key: CheckedKey, on device: DeviceID, _ keeper: InvariantChecker) -> Bool {
        !key.isSharedWithWidget && key.otherNames.isEmpty && !keeper.damaged.contains(key.reference.index)
            && !changedBehind.union(spoilt).contains([device.place, key.reference.index])
    }
}
