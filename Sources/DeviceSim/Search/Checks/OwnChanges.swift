import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Tells what an app under test sets and removes by itself from what steps ask it for.
struct OwnChanges {
    /// By device, as ``Device/changes``.
    private var seen: [DeviceID: [String: Int]] = [:]

    /// The names of the keys that apps changed more often, since this was asked last, than the steps did that were made meanwhile.
    mutating func news(in run: ScenarioRun, beside observations: [StepObservation], _ keys: [CheckedKey]) -> Set<String> {
        var found: Set<String> = []
        for device in run.simulation.devices where device.changes != seen[device.id] ?? [:] {
            let before = seen[device.id] ?? [:]
            for (name, count) in device.changes {
                let asked = observations.count { observation in
                    guard case .data(let data) = observation.action, data.device == device.id, let key = data.action.written?.key else {
                        return false
                    }
                    return keys[key.index].name == name
                }
                if count - (before[name] ?? 0) > asked { found.insert(name) }
            }
            seen[device.id] = device.changes
        }
        return found
    }
}
