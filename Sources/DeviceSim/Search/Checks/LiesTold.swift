import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// What becomes of the invariants after a counterpart lied, or broke.
///
/// It can give any synced value, so nothing is promised of those from then on. What is promised is that the device bears it, and that sync with an honest
/// counterpart goes on: once both devices have come to rest, an edit and another rest must make both hold it, and from there on everything is promised
/// again.
struct LiesTold {
    /// The keys that may be concerned.
    var keys: Set<Int> = []
    /// Those of which both devices have come to rest since, in working order.
    var calm: Set<Int> = []
    /// The devices, by place, whose next reply will be false.
    var repliesToCome: Set<Int> = []
    /// The edits of those that were made since, each by one device.
    var edits: [Int: (value: ScenarioValue?, device: DeviceID)] = [:]
    /// Whether there were any.
    var wereTold = false

    func mayConcern(_ key: KeyReference?) -> Bool { key.map { keys.contains($0.index) } ?? false }

    mutating func disturb() {
        calm = []
        edits = [:]
    }
}

extension InvariantChecker {
    mutating func noteLies(_ observation: StepObservation, isAlone: Bool) {
        if case .impossible = observation.result { return }
        if observation.action.meddles { return spoilSynced() }
        if case .fault(let fault) = observation.action, case .lie(let lie, let carrier) = fault.action {
            if lie.isTrue { return }
            if carrier == .nextReply { lies.repliesToCome.insert(fault.device.place) }
            return noteLie()
        }
        if case .data(let data) = observation.action, data.action == .requestSnapshot, lies.repliesToCome.contains(data.device.place) {
            return noteLie()
        }
        guard !lies.keys.isEmpty else { return }
        if case .data(let data) = observation.action, case .done = observation.result {
            guard let (key, value) = data.action.written, lies.calm.contains(key.index) else { return }
            // One value has a key in each version of the app.
            let twins = keys.filter { $0.first == keys[key.index].first }.map(\.reference.index)
            if isAlone, twins.allSatisfy({ lies.edits[$0].map { $0.device == data.device } ?? true }) {
                lies.edits[key.index] = (value, data.device)
            } else {
                for twin in twins {
                    lies.calm.remove(twin)
                    lies.edits[twin] = nil
                }
            }
        } else if observation.action.traits.doubts.contains(.rest) {
            lies.disturb()
        }
    }

    /// A step gave the library a snapshot or a note of its own making, which says anything.
    private mutating func spoilSynced() {
        for key in keys where key.syncs { spoiled.insert(key.reference.index) }
    }

    private mutating func noteLie() {
        lies.wereTold = true
        lies.keys = Set(keys.filter(\.syncs).map(\.reference.index))
        lies.disturb()
        // A lie can make room for any value.
        for device in devices { forms.forget(on: device) }
    }

    /// Nothing is left to happen, and both devices are in working order.
    mutating func noteRest() {
        for key in keys where !damaged.contains(key.reference.index) && mayHaveConverged(key) { forms.noteRest(of: key) }
        for key in keys where oversized.contains(key.first) && !damaged.contains(key.reference.index) && mayHaveConverged(key) {
            // To an app that has the value under another name, or not at all, nothing is told.
            guard versions.allSatisfy(key.exists(in:)) else { continue }
            histories[place(of: key, on: .phone)].tellVersions()
        }
        for key in keys where lies.keys.contains(key.reference.index) {
            // One value has a key in each version of the app, and each device may choose by its own that it does not sync.
            guard keys.allSatisfy({ $0.first != key.first || mayHaveConverged($0) }) else { continue }
            // To an app that has the value under another name, or not at all, the edit does not come.
            guard isKnownToBothApps(key) else { continue }
            let index = key.reference.index
            if let edit = lies.edits[index], !mayNotArrive(edit.value) {
                for device in devices {
                    histories[place(of: key, on: device)] = VersionHistory(beginningWith: edit.value, deviceCount: devices.count)
                }
                lies.keys.remove(index)
                lies.edits[index] = nil
            }
            lies.calm.insert(index)
        }
    }

    /// Whether the versions of the app that run have one key of the value.
    private func isKnownToBothApps(_ key: CheckedKey) -> Bool {
        keys.contains { $0.first == key.first && $0.isCurrent && !$0.isUnlisted && versions.allSatisfy($0.exists(in:)) }
    }
}
