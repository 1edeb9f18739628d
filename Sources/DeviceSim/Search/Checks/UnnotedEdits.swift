import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Edits that LocalData may have stored without noting that it did, since the disk or the keychain failed or was full, and the backups that hold them.
///
/// After a restore nothing tells such an edit from one that was made since the restore and could not be noted either. It counts as one of now: the other
/// answer would lose what a person has just set.
struct UnnotedEdits {
    /// The value that each device's app set last, where it may be unnoted: by the history's place, by the device's.
    private var last: [[Int: ScenarioValue]] = DeviceID.all.map { _ in [:] }
    private var backups: [[String: [Int: ScenarioValue]]] = DeviceID.all.map { _ in [:] }

    mutating func set(_ value: ScenarioValue?, at place: Int, on device: DeviceID, isUnnoted: Bool) {
        last[device.place][place] = isUnnoted ? value : nil
    }

    mutating func backUp(_ device: DeviceID, as name: String) { backups[device.place][name] = last[device.place] }

    /// What the backup holds of them, by the history's place.
    mutating func restore(_ device: DeviceID, from name: String) -> [Int: ScenarioValue] {
        last[device.place] = backups[device.place][name] ?? [:]
        return last[device.place]
    }
}

extension InvariantChecker {
    mutating func noteUnnotedEdits(_ observation: StepObservation) {
        switch observation.action {
        case .data(let step):
            guard case .done = observation.result, step.part == .app, let (reference, value) = step.action.written else { return }
            let (key, conditions) = (keys[reference.index], observation.conditions)
            guard key.syncs, key.isCurrent else { return }
            unnoted.set(
                value, at: place(of: key, on: step.device), on: step.device, isUnnoted: conditions.hasFaults || conditions.lacksRoom)
        case .device(let step):
            if case .impossible = observation.result { return }
            if case .backup(let name, _) = step.action { unnoted.backUp(step.device, as: name) }
            guard case .restore(let name, _) = step.action else { return }
            let restored = unnoted.restore(step.device, from: name)
            for (place, value) in restored.sorted(by: { $0.key < $1.key }) { histories[place].admit(value, on: step.device, besides: true) }
        default: break
        }
    }
}
