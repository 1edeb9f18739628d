import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// The sync policies that apps chose at run time, as far as what they were told says.
struct Overrides {
    private struct Place: Hashable {
        let key: Int
        let device: Int
    }

    /// Where one may be in force.
    private var active: Set<Place> = []
    /// The keys that ever had one, and the last step that changed one.
    private var lastChange: [Int: Int] = [:]

    mutating func note(_ policy: SyncPolicy?, of key: KeyReference, on device: DeviceID, step: Int) {
        let place = Place(key: key.index, device: device.place)
        if policy == nil {
            active.remove(place)
            if lastChange[key.index] == nil { return }
        } else {
            active.insert(place)
        }
        lastChange[key.index] = step
    }

    /// Nobody knows what became of a change.
    mutating func noteDoubt(of key: KeyReference, on device: DeviceID) {
        active.insert(Place(key: key.index, device: device.place))
        lastChange[key.index] = lastChange[key.index] ?? 0
    }

    /// A backup brings back what was in force when it was made.
    mutating func note(_ step: DeviceStep) {
        guard case .restore = step.action else { return }
        for key in lastChange.keys { active.insert(Place(key: key, device: step.device.place)) }
    }

    /// Whether the key is as declared on both devices, and both synced since.
    func areOver(for key: KeyReference, lastRun: [Int]) -> Bool {
        guard let last = lastChange[key.index] else { return true }
        return (0...1).allSatisfy { !active.contains(Place(key: key.index, device: $0)) && lastRun[$0] > last }
    }
}
