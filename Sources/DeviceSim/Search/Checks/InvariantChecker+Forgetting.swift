import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// What takes knowledge away.
extension InvariantChecker {
    /// What the devices went through that makes the apps' work begin anew.
    mutating func noteDisturbances(_ observations: [StepObservation], step: Int) {
        for observation in observations {
            if case .impossible = observation.result { continue }
            switch observation.action {
            case .device(let device):
                // An app that comes to the foreground, or hears of the unlock, takes up what it could not do before: nobody should have to relaunch it.
                if observation.wasRoused, case .done = observation.result { lastRun[device.device.place] = step }
                switch device.action {
                case .launch, .launchInBackground, .relaunch:
                    // One that ran already does not look again at what it looks at when it is launched.
                    guard observation.hasNewProcess else { break }
                    lastRun[device.device.place] = step
                    lastLaunch[device.device.place] = step
                    let conditions = observation.conditions
                    if !conditions.hasFaults, !conditions.lacksRoom, !conditions.isLocked { lastSweep[device.device.place] = step }
                case .foreground, .background, .setClock, .backup, .widget, .lockFile, .unlockFile: break
                case .unlock where observation.wasRoused: break
                case .restore:
                    lastDisturbance[device.device.place] = step
                    // With the values that lay at old places when the backup was made.
                    lastPlanting[device.device.place] = step
                    plantings.restore(on: device.device, step: step)
                default: lastDisturbance[device.device.place] = step
                }
                if case .ended = observation.result { lastDisturbance[device.device.place] = step }
            case .fault(let fault): lastDisturbance[fault.device.place] = step
            case .data(let data):
                if case .ended = observation.result { lastDisturbance[data.device.place] = step }
                // The app finds and sends it when it syncs.
                if data.part == .widget { lastDisturbance[data.device.place] = step }
                // What lies at an old place is found at the next launch.
                if case .plant = data.action { lastPlanting[data.device.place] = step }
            case .session(let session): lastDisturbance[session.device.place] = step
            case .transfer(let transfer): lastDisturbance[transfer.device.place] = step
            case .link(.pair), .link(.pairFromBackup), .link(.unpair):
                lastDisturbance = [step, step]
            case .link, .time, .expect, .together: break
            }
        }
    }

    /// Steps after which values may be gone for good.
    mutating func forget(_ observation: StepObservation) -> Violation? {
        switch observation.action {
        case .device(let step):
            if case .impossible = observation.result { return nil }
            forms.note(step)
            overrides.note(step)
            // What a full disk had no room for lived in memory alone.
            if [.reboot, .powerOff, .powerLoss].contains(step.action), observation.conditions.lacksRoom {
                forgetPreferences(on: step.device)
            }
            forget(step, hasEnded: { if case .ended = observation.result { true } else { false } }())
        case .link(.pair), .link(.pairFromBackup), .link(.unpair):
            if case .impossible = observation.result { return nil }
            eraseWatch(isRestored: observation.action == .link(.pairFromBackup))
        case .fault(let step):
            guard case .damage(let key, _) = step.action else { break }
            for other in keys where other.first == keys[key.index].first { spoiled.insert(other.reference.index) }
        default: break
        }
        return nil
    }

    private mutating func forget(_ step: DeviceStep, hasEnded: Bool) {
        switch step.action {
        case .powerLoss: losePower(on: step.device)
        // Keychain items stay, but not what the app knew of their versions.
        case .uninstall:
            let survives = keychainSurvivesUninstall
            forget(on: step.device, isReinstalled: true) { !survives || !$0.isInKeychain || $0.syncs }
        case .purgeCaches, .setFreeSpace: forget(on: step.device, where: \.isInCaches)
        case .removePasscode, .biometry: forget(on: step.device, where: \.dependsOnPerson)
        // What was promised since the backup is gone with the device that promised it.
        case .restore:
            forget(on: step.device, isReinstalled: true) { _ in true }
            // A deletion that both devices had forgotten is undone by a backup from before it.
            for key in keys where key.syncs && histories[place(of: key, on: step.device)].hasRemovals {
                spoiled.insert(key.reference.index)
            }
        default: break
        }
        if case .losesPower = step.outcome, hasEnded { losePower(on: step.device) }
    }

    /// A watch that is unpaired is erased, then or when it is paired again, with all that it alone had.
    private mutating func eraseWatch(isRestored: Bool) {
        guard unpairErasesWatch else { return }
        forget(on: .watch, isReinstalled: true) { _ in true }
        guard isRestored else { return }
        for key in keys where key.syncs && histories[place(of: key, on: .watch)].hasRemovals { spoiled.insert(key.reference.index) }
    }

    /// A power loss takes what was not durable yet.
    mutating func losePower(on device: DeviceID) {
        if device.isPhone { phoneMayHaveLost = true }
        forms.forget(on: device)
        for key in keys { histories[place(of: key, on: device)].losePower(on: device) }
        forgetPreferences(on: device)
    }

    /// The last sets of a suite of preferences are not durable, as on real devices.
    private mutating func forgetPreferences(on device: DeviceID) {
        let all = keys
        forget(on: device) { key in
            key.isInPreferences || key.sources.contains { all[$0.index].isInPreferences }
        }
        // What an earlier version of the app left, beside a value that is gone now, is found after all.
        for key in keys where key.isInPreferences && !key.sources.isEmpty {
            let place = place(of: key, on: device)
            for value in plantings.values(for: key, on: device) { histories[place].admit(value, on: device) }
        }
        // But not what a migration found in a file: that may go only once the value is as safe as it was there.
        for place in durablePlantings.keys.sorted() {
            if let number = durablePlantings[place]?[device] { histories[place].keep(number, on: device) }
        }
    }

    private mutating func forget(on device: DeviceID, isReinstalled: Bool = false, where isConcerned: (CheckedKey) -> Bool) {
        if device.isPhone { phoneMayHaveLost = true }
        if isReinstalled { for place in durablePlantings.keys.sorted() { durablePlantings[place]?[device] = nil } }
        for key in keys where isConcerned(key) {
            histories[place(of: key, on: device)].forget(on: device, isReinstalled: isReinstalled)
            plantings.forget(key, on: device)
        }
    }
}
