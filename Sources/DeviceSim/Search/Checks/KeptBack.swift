import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// Values that must not reach another device, because the app was told that their sync is off: what was set since, and what was set before while there
/// was nobody in range, so that the system still had it when it was switched off.
///
/// Only what is certain counts. A value that a step gave the key otherwise as well, on either device, is no such value.
struct KeptBack {
    private struct Place: Hashable {
        /// ``CheckedKey/first``: one name has one policy, whichever version of the app declares it.
        let key: Int
        let device: Int
    }

    private var off: Set<Place> = []
    /// The places that were switched off since the app was launched there: a process that began before the first unlock cannot write that into preferences, and a
    /// watch's backup holds no files. The next process copies it there.
    private var fresh: Set<Place> = []
    /// The places of keys that declare no sync which were looked at: until then they are off.
    private var known: Set<Place> = []
    private var kept: [Place: [ScenarioValue]] = [:]
    /// What may travel, by key.
    private var open: [Int: [ScenarioValue]] = [:]
    private var isLinkDown = false
    /// Set while nobody was in range, and not sent to anybody yet.
    private var undelivered: [Place: [ScenarioValue]] = [:]
    /// Of these, what was switched off. The app takes it back as soon as its session lets it, in any case until it comes to rest.
    private var withdrawn: [Place: [ScenarioValue]] = [:]
    /// Whether the app may be kept from taking something back.
    private var isHindered = false

    mutating func note(_ observations: [StepObservation], _ keys: [CheckedKey]) {
        for observation in observations {
            if case .impossible = observation.result { continue }
            switch observation.action {
            case .data(let step): note(step, observation, keys, isAlone: observations.count == 1)
            case .time(.settle): if isLinkDown { keepWithdrawn() }
            case .device(let step):
                switch step.action {
                case .launch, .launchInBackground, .relaunch: fresh = fresh.filter { $0.device != step.device.place }
                default: break
                }
            case .link(.pairFromBackup):
                for place in fresh.sorted(by: { ($0.key, $0.device) < ($1.key, $1.device) }) { switchOn(place) }
            case .link, .fault, .session, .transfer, .time, .expect, .together: break
            }
            let doubts = observation.action.traits.doubts
            if doubts.contains(.takingBack) { isHindered = true }
            if doubts.contains(.names) {
                // Another list of choices, or none, and perhaps another name of the value.
                for place in off.sorted(by: { ($0.key, $0.device) < ($1.key, $1.device) }) { switchOn(place) }
            }
            if doubts.contains(.undelivered) {
                isLinkDown = observation.action == .link(.down)
                for (place, values) in undelivered { open[place.key, default: []] += values }
                for (place, values) in withdrawn { open[place.key, default: []] += values }
                (undelivered, withdrawn) = ([:], [:])
            }
        }
    }

    /// Whether a value that was read on a device is one that another had to keep.
    func isKept(_ value: ScenarioValue, of key: CheckedKey, from reader: DeviceID) -> Bool {
        guard !(open[key.first] ?? []).contains(where: { $0.isSame(as: value) }) else { return false }
        // The reader has it of its own.
        let mine = Place(key: key.first, device: reader.place)
        guard ![kept, undelivered, withdrawn].contains(where: { $0[mine]?.contains { $0.isSame(as: value) } == true }) else { return false }
        return kept.contains { place, values in
            place.key == key.first && place.device != reader.place && values.contains { $0.isSame(as: value) }
        }
    }

    private mutating func note(_ step: DataStep, _ observation: StepObservation, _ keys: [CheckedKey], isAlone: Bool) {
        if step.action == .clearOverrides { for key in keys { switchOn(Place(key: key.first, device: step.device.place)) } }
        guard let reference = step.action.key else { return }
        let key = keys[reference.index]
        let place = Place(key: key.first, device: step.device.place)
        if case .ended = observation.result { isHindered = true }
        if key.isSwitchedOn, known.insert(place).inserted { off.insert(place) }
        if case .overrideSync(_, let policy) = step.action {
            // A widget has a list of its own.
            guard step.part == .app else { return }
            let isOff = policy == .never || (policy == nil && key.isSwitchedOn)
            guard isAlone, isOff, case .done = observation.result else { return switchOn(place) }
            off.insert(place)
            fresh.insert(place)
            let conditions = observation.conditions
            if isLinkDown, !conditions.hasFaults, !conditions.lacksRoom, conditions.lockStates.allSatisfy({ $0 == .unlocked }) {
                withdrawn[place, default: []] += undelivered[place] ?? []
            } else {
                open[place.key, default: []] += undelivered[place] ?? []
            }
            undelivered[place] = nil
        } else if let value = step.action.written?.value {
            // A migration brings it to another name, which has a policy of its own.
            let stays =
                isAlone && step.part == .app && key.sources.isEmpty
                && !keys.contains { $0.sources.contains { keys[$0.index].first == key.first } }
            if stays, off.contains(place) {
                kept[place, default: []].append(value)
            } else if stays, isLinkDown {
                undelivered[place, default: []].append(value)
            } else {
                open[place.key, default: []].append(value)
            }
        }
    }

    private mutating func switchOn(_ place: Place) {
        off.remove(place)
        fresh.remove(place)
        open[place.key, default: []] += (kept.removeValue(forKey: place) ?? []) + (withdrawn.removeValue(forKey: place) ?? [])
    }

    private mutating func keepWithdrawn() {
        for (place, values) in withdrawn {
            if isHindered { open[place.key, default: []] += values } else { kept[place, default: []] += values }
        }
        withdrawn = [:]
    }
}
