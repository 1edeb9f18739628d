import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// The sync policies that apps chose at run time, as far as what they were told says.
struct Overrides {
    private struct Place: Hashable {
        let key: Int
        let device: Int

        init(key: Int, device: DeviceID) {
            self.key = key
            // Each watch has choices of its own.
            self.device = device.place
        }
    }

    /// What was chosen last.
    private var chosen: [Place: SyncPolicy] = [:]
    /// Where nobody knows what is in force.
    private var doubtful: Set<Place> = []
    /// The keys that ever had one, and the last step that changed one.
    private var lastChange: [Int: Int] = [:]

    mutating func note(_ policy: SyncPolicy?, of key: KeyReference, on device: DeviceID, step: Int) {
        let place = Place(key: key.index, device: device)
        chosen[place] = policy
        doubtful.remove(place)
        if policy == nil, lastChange[key.index] == nil { return }
        lastChange[key.index] = step
    }

    /// Nobody knows what became of a change.
    mutating func noteDoubt(of key: KeyReference, on device: DeviceID) {
        doubtful.insert(Place(key: key.index, device: device))
        lastChange[key.index] = lastChange[key.index] ?? 0
    }

    /// Nobody knows what the device still has: a backup brings back what was in force when it was made, and what was chosen goes with the app.
    mutating func noteDoubt(on device: DeviceID) {
        for key in lastChange.keys { doubtful.insert(Place(key: key, device: device)) }
    }

    /// Whether all devices want the key's value to travel as it should in the end, and all synced since: as declared, or as chosen where the key
    /// declares none.
    /// - Parameter earlier: The keys whose choices hold for this one too: those that it is moved from.
    func areOver(for key: CheckedKey, besides earlier: [CheckedKey], on devices: [DeviceID], lastRun: [Int]) -> Bool {
        let isChosenEarlier = earlier.contains { other in
            devices.contains { device in
                let place = Place(key: other.reference.index, device: device)
                return doubtful.contains(place) || chosen[place] != nil
            }
        }
        guard !isChosenEarlier else { return false }
        guard let last = lastChange[key.reference.index] else { return !key.isSwitchedOn }
        let wanted: SyncPolicy? = key.isSwitchedOn ? .automaticSmall : nil
        return devices.allSatisfy { device in
            let place = Place(key: key.reference.index, device: device)
            return !doubtful.contains(place) && chosen[place] == wanted && lastRun[device.place] > last
        }
    }

    /// What the app on the device chose, `.some(nil)` for nothing; `nil` where nobody knows.
    func choice(for key: KeyReference, on device: DeviceID) -> SyncPolicy?? {
        let place = Place(key: key.index, device: device)
        return doubtful.contains(place) || lastChange[key.index] == nil ? nil : .some(chosen[place])
    }
}

extension InvariantChecker {
    /// What an app chose at run time, if a step of its does.
    mutating func noteOverride(_ data: DataStep, step: Int, isDone: Bool) {
        switch data.action {
        // A choice is one of a name, in whichever version of the app.
        case .overrideSync(let key, let policy):
            let name = keys[key.index].name
            for other in keys where other.name == name {
                if isDone {
                    overrides.note(policy, of: other.reference, on: data.device, step: step)
                } else {
                    overrides.noteDoubt(of: other.reference, on: data.device)
                }
            }
        case .clearOverrides where isDone: for key in keys { overrides.note(nil, of: key.reference, on: data.device, step: step) }
        case .clearOverrides: overrides.noteDoubt(on: data.device)
        default: break
        }
    }
}
