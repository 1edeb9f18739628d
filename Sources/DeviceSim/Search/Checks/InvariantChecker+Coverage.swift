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

/// What the checks could say of a key at the end of a run.
package enum KeyFate: String, Sendable, Hashable, CaseIterable {
    /// It was held to all that was promised.
    case checked
    /// Something was done of which nothing is promised.
    case spoiled
    /// A counterpart lied about it, and no rest has made up for that.
    case lied
    /// Nobody could tell from the steps what it holds.
    case untold
    /// It syncs, and something kept the devices from having the same of it.
    case apart
}

extension InvariantChecker {
    /// How many keys of the app there are of each.
    var fates: [KeyFate: Int] {
        var fates: [KeyFate: Int] = [:]
        for key in keys where key.isCurrent {
            let index = key.reference.index
            let fate: KeyFate =
                if untold.contains(index) {
                    .untold
                } else if spoiled.contains(index) {
                    .spoiled
                } else if lies.keys.contains(index) {
                    .lied
                } else if key.syncs, !mayHaveConverged(key) {
                    .apart
                } else {
                    .checked
                }
            fates[fate, default: 0] += 1
        }
        return fates
    }
}
