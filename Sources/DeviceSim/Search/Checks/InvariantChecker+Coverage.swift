import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

extension InvariantChecker {
    /// Counts what a read is about to be held against.
    func tell(
        _ recorder: CoverageRecorder, _ value: ScenarioValue?, _ key: CheckedKey, on device: DeviceID, _ observation: StepObservation
    ) {
        if value != nil { recorder.looked(.atomicity) }
        if observation.conditions.lockStates.contains(where: { $0 != .unlocked }) { recorder.looked(.absence) }
        if value != nil, forms.hasNewerForm(than: key) { recorder.looked(.forms) }
        let history = histories[place(of: key, on: device)]
        guard let last = history.lastTold(on: device) else { return }
        let invariant: Invariant = history.versions[last].value == nil ? .removal : .durability
        recorder.looked(invariant)
        // Only that the two knew nothing of each other excuses it, or that the later one may have been lost.
        if history.isOlder(value, than: last, as: form(of: key, on: device)) { recorder.wasNear(invariant) }
    }
}
