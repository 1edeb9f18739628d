import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// What takes knowledge away.
extension InvariantChecker {
    /// What the devices went through that makes the apps' work begin anew.
    mutating func noteDisturbances(_ observations: [StepObservation], step: Int) {
        for observation in observations {
            for device in observation.powerLosses { latest[device.place].disturbance = step }
            if case .impossible = observation.result { continue }
            let traits = observation.action.traits
            let isForBoth = isDependentWatchApp && traits.loss != .nothing
            for place in observation.action.device.flatMap({ isForBoth ? nil : [$0.place] }) ?? Array(latest.indices) {
                // An app that comes to the foreground, or hears of the unlock, takes up what it could not do before: nobody should have to relaunch it.
                if observation.wasRoused, !observation.conditions.hasFaults, case .done = observation.result { latest[place].run = step }
                switch traits.work {
                case .goesOn: break
                case .goesOnIfRoused where observation.changesNothing: break
                case .isDisturbed where observation.changesNothing: break
                case .goesOnIfRoused where observation.wasRoused: break
                case .goesOnIfRoused, .isDisturbed: latest[place].disturbance = step
                case .beginsAnew:
                    // One that ran already does not look again at what it looks at when it is launched.
                    guard observation.hasNewProcess else { break }
                    // A fault that waits may come in the midst of what it begins.
                    if !observation.conditions.hasFaults { latest[place].run = step }
                    latest[place].launch = step
                    let conditions = observation.conditions
                    let device = devices[place]
                    if !conditions.hasFaults, !conditions.lacksRoom, !conditions.isLocked, refused.isComplete(on: device) {
                        latest[place].sweep = step
                    }
                }
                if case .ended = observation.result { latest[place].disturbance = step }
            }
            switch observation.action {
            case .link(.pairFromBackup):
                latest[DeviceID.watch.place].planting = step
                plantings.restore(on: .watch, step: step)
            case .device(let device) where traits.loss == .sinceBackup:
                // With the values that lay at old places when the backup was made.
                latest[device.device.place].planting = step
                plantings.restore(on: device.device, step: step)
            case .device(let device):
                if case .update = device.action { latest[device.device.place].update = step }
            case .data(let data):
                // The app finds and sends it when it syncs.
                if data.part == .widget { latest[data.device.place].disturbance = step }
                // What lies at an old place is found at the next launch.
                if case .plant = data.action { latest[data.device.place].planting = step }
            default: break
            }
        }
    }

    /// Whether the app's session has somebody to tell.
    mutating func noteDelegate(_ observation: StepObservation) {
        // A new process of the app has its delegate.
        if observation.hasNewProcess, !observation.action.isWidgetChange, let device = observation.action.device {
            withoutDelegate.remove(device)
        }
        guard case .session(let step) = observation.action else { return }
        switch step.action {
        case .activateWithoutDelegate, .releaseDelegate: withoutDelegate.insert(step.device)
        case .implements(_, false): deafDevices.insert(step.device)
        default: break
        }
    }

    /// Steps after which values may be gone for good.
    mutating func forget(_ observation: StepObservation) -> Violation? {
        switch observation.action {
        case .device(let step):
            if case .impossible = observation.result { return nil }
            let traits = step.traits
            if traits.doubts.contains(.dependentApp) { loseDependentApp() }
            if traits.doubts.contains(.forms) { forms.forget(on: step.device) }
            if traits.doubts.contains(.choices) { overrides.noteDoubt(on: step.device) }
            // What a full disk had no room for lived in memory alone.
            if [.memory, .unsynchronized].contains(traits.loss), observation.conditions.lacksRoom {
                forgetPreferences(on: step.device)
            }
            if case .update(let version) = step.action {
                for index in histories.indices { histories[index].forgetVersionsTold(to: step.device) }
                if version < versions[step.device.place] { forgetMoved(since: version, on: step.device) }
                versions[step.device.place] = version
                highestVersions[step.device.place] = max(highestVersions[step.device.place], version)
            }
            // The app comes back in the version that it had then.
            if case .backup(let name, _) = step.action { backupVersions[name] = versions[step.device.place] }
            if case .restore(let name, _) = step.action, let version = backupVersions[name] { versions[step.device.place] = version }
            if case .restore(_, ontoNewHardware: true) = step.action { isNewHardware.insert(step.device.place) }
            forget(step)
        case .link(let step) where step.traits.doubts.contains(.watch):
            if case .impossible = observation.result { return nil }
            let isSecond = step == .pairSecondWatch || step == .unpairSecondWatch
            erase(isSecond ? .watch2 : .watch, isRestored: step == .pairFromBackup)
            // A part of the backup had no room: files without their keys, and the like.
            if step == .pairFromBackup, case .failed = observation.result { for key in keys { spoil(key) } }
        case .fault(let step):
            guard case .damage(let key, let damage) = step.action else { break }
            // Beside a secret that LocalData has not met yet, an attribute says nothing.
            if case .attribute = damage, let item = foreignItem, item == (keys[key.index].first, step.device.place) { break }
            spoil(keys[key.index])
            // What the keychain alone kept was laid where anybody reads it.
            if case .copy(let source) = damage, keys[source.index].isInKeychain, !keys[key.index].isInKeychain { spoil(keys[source.index]) }
        // A forged mark says of a value that it was moved, removed or cleared, as if LocalData had done that.
        case .transfer(let step) where step.forgesMarks: for key in keys { spoil(key) }
        default: break
        }
        return nil
    }

    /// An older version of the app is back, which does not find what an update has moved. What only a version has that never ran there has moved nothing.
    private mutating func forgetMoved(since version: AppVersion, on device: DeviceID) {
        let highest = highestVersions[device.place]
        for key in keys where !key.movesBack && key.isNewer(than: version) && !key.isNewer(than: highest) { spoil(key) }
    }

    /// Nothing is promised of the key's value any more, by whichever version of the app.
    mutating func spoil(_ key: CheckedKey) {
        for other in keys where other.first == key.first { spoiled.insert(other.reference.index) }
    }

    private mutating func forget(_ step: DeviceStep) {
        switch step.traits.loss {
        // What a power loss takes is noted after the step.
        case .nothing, .memory, .unsynchronized: break
        // Keychain items stay, but not what the app knew of their versions.
        case .app:
            let survives = keychainSurvivesUninstall
            forget(on: step.device, isReinstalled: true) { !survives || !$0.isInKeychain || $0.syncs }
        case .caches: forget(on: step.device, where: \.isInCaches)
        case .boundToPerson:
            forget(on: step.device, where: \.dependsOnPerson)
            // It stores none of them from then on, whoever sends them.
            if step.action == .removePasscode { hasLostPasscode = true }
        // What was promised since the backup is gone with the device that promised it.
        case .sinceBackup:
            forget(on: step.device, isReinstalled: true) { _ in true }
            // A deletion that both devices had forgotten is undone by a backup from before it.
            for key in keys where key.syncs && histories[place(of: key, on: step.device)].hasRemovals {
                spoiled.insert(key.reference.index)
            }
        }
    }

    /// The watch's app may be gone with that of the phone, at once or as soon as it is within reach: at the latest when one of both is installed again.
    private mutating func loseDependentApp() {
        guard isDependentWatchApp else { return }
        let survives = keychainSurvivesUninstall
        loseApp(on: .watch) { !survives || !$0.isInKeychain || $0.syncs }
    }

    /// A watch that is unpaired is erased, then or when it is paired again, with all that it alone had.
    private mutating func erase(_ watch: DeviceID, isRestored: Bool) {
        guard unpairErasesWatch else { return }
        loseApp(on: watch) { _ in true }
        guard isRestored else { return }
        // The backup may hold no more than settings and secrets: what an earlier version of the app left there, beside a value in a file, is found after all.
        for key in keys where !key.sources.isEmpty {
            let place = place(of: key, on: watch)
            for value in plantings.values(for: key, on: watch) { histories[place].admit(value, on: watch, besides: true) }
        }
        for key in keys where key.syncs && histories[place(of: key, on: watch)].hasRemovals { spoiled.insert(key.reference.index) }
    }

    private mutating func loseApp(on watch: DeviceID, where isConcerned: (CheckedKey) -> Bool) {
        forms.forget(on: watch)
        overrides.noteDoubt(on: watch)
        forget(on: watch, isReinstalled: true, where: isConcerned)
    }

    /// A power loss takes what was not durable yet.
    mutating func losePower(_ observation: StepObservation) {
        for device in observation.powerLosses { losePower(on: device, at: observation.powerLossTimes[device] ?? now) }
    }

    private mutating func losePower(on device: DeviceID, at time: VirtualTime) {
        if device.isPhone { phoneMayHaveLost = true }
        forms.forget(on: device)
        let written = writtenPreferences(on: device, at: time)
        for key in keys { histories[place(of: key, on: device)].losePower(on: device) }
        for key in keys where key.isInPreferences && key.syncs { unrecorded.insert([place(of: key, on: device), device.place]) }
        forgetPreferences(on: device)
        for (place, number) in written { histories[place].keep(number, on: device) }
        admitWholes(on: device)
    }

    /// The versions of values in preferences that were set so long ago that the system has written them to the disk: of keys that no version of the app moves,
    /// and no widget changes. Where there was no room at any time, none.
    private func writtenPreferences(on device: DeviceID, at time: VirtualTime) -> [(place: Int, number: Int)] {
        guard !lackedRoom.contains(device) else { return [] }
        let latest = VirtualTime(microseconds: time.microseconds - preferencesWrittenWithin.microseconds - 1_000_000)
        return keys.compactMap { key in
            guard key.isInPreferences, key.isCurrent, key.sources.isEmpty, !key.isSharedWithWidget, !key.isTakenOver,
                !keys.contains(where: { $0.reference != key.reference && $0.first == key.first || $0.sources.contains(key.reference) })
            else { return nil }
            let place = place(of: key, on: device)
            return histories[place].lastTold(on: device, by: latest).map { (place, $0) }
        }
    }

    /// A phone that has gone back to an earlier value keeps it where others have the smaller form of a later one: what it has is the only whole one, and comes right
    /// after that. Which of the values it has gone back to nobody was told.
    private mutating func admitWholes(on device: DeviceID) {
        guard device.isPhone else { return }
        for key in keys where key.watchForm != nil && key.syncs && key.isCurrent {
            let place = place(of: key, on: device)
            var admitted: [ScenarioValue] = []
            for value in histories[place].versions.compactMap(\.value) where !admitted.contains(where: { $0.isSame(as: value) }) {
                admitted.append(value)
                histories[place].admit(value, on: device, besides: true)
            }
        }
    }

    /// The last sets of a suite of preferences are not durable, as on real devices.
    private mutating func forgetPreferences(on device: DeviceID) {
        let all = keys
        // What was there when somebody lied may be back.
        if lies.wereTold { for key in keys where key.syncs && key.isInPreferences { lies.keys.insert(key.reference.index) } }
        // What was set in a file, or removed from it, after an earlier version of the app had left something in preferences, is as durable as ever, also
        // where that version set something there since.
        var kept: [(place: Int, number: Int)] = []
        for key in keys where key.outlastsPowerLoss && key.sources.contains(where: { all[$0.index].isInPreferences }) {
            let place = place(of: key, on: device)
            guard !keys.contains(where: { $0.first == key.first && $0.isInPreferences }),
                let number = histories[place].lastDurable(on: device, besides: plantedVersions[place] ?? [])
            else { continue }
            kept.append((place, number))
        }
        lose(on: device, isReinstalled: false) { key in
            key.isInPreferences || key.sources.contains { all[$0.index].isInPreferences }
        }
        for (place, number) in kept { histories[place].keep(number, on: device) }
        // What an earlier version of the app left, beside a value that is gone now, is found after all.
        for key in keys where key.isInPreferences && !key.sources.isEmpty {
            let place = place(of: key, on: device)
            // A removal may be gone too, which it was found after; what was sent of that then takes the value away again.
            let mayBeRemoved = histories[place].hasRemovals
            for value in plantings.values(for: key, on: device) { histories[place].admit(value, on: device, besides: mayBeRemoved) }
        }
        // But not what a migration found in a file: that may go only once the value is as safe as it was there, or is removed.
        for place in durablePlantings.keys.sorted() {
            guard let number = durablePlantings[place]?[device], !histories[place].isRemoved(after: number) else { continue }
            histories[place].keep(number, on: device)
        }
        admitRemainders(on: device)
    }

    /// A migration takes several values, and only some of them are left: what it makes of these may be read, unless a value is there for certain.
    private mutating func admitRemainders(on device: DeviceID) {
        for key in keys where key.sources.count > 1 && key.migrates(on: device) {
            let place = place(of: key, on: device)
            let old = plantings.values(for: key, on: device)
            let allowed = histories[place].allowedValues(on: device)
            for value in plantings.makeOfRemainder(key, on: device) where allowed.contains(where: { $0.map(old.contains) ?? true }) {
                histories[place].admit(value, on: device)
            }
        }
    }

    private mutating func forget(on device: DeviceID, isReinstalled: Bool = false, where isConcerned: (CheckedKey) -> Bool) {
        lose(on: device, isReinstalled: isReinstalled, where: isConcerned)
        admitWholes(on: device)
        admitRemainders(on: device)
        // A secret that a widget set and no app has sent outlives both, and tells the next installation no more than that it is an edit.
        if isReinstalled {
            for key in keys where key.isInKeychain && key.syncs && widgetSecrets.contains([key.first, device.place]) { spoil(key) }
        }
        if isReinstalled { admitWhatOutlivesTheApp(on: device, where: isConcerned) }
    }

    private mutating func lose(on device: DeviceID, isReinstalled: Bool, where isConcerned: (CheckedKey) -> Bool) {
        if device.isPhone { phoneMayHaveLost = true }
        if isReinstalled { for place in durablePlantings.keys.sorted() { durablePlantings[place]?[device] = nil } }
        for key in keys where isConcerned(key) {
            histories[place(of: key, on: device)].forget(on: device, isReinstalled: isReinstalled)
            plantings.forget(key, on: device, mayBeEarlier: key.isInPreferences && !isReinstalled)
        }
    }

    /// What lies in the keychain where an earlier version of the app kept it outlives the app. No launch need have taken it from there: the app may be
    /// gone before it came to that. To the new installation it is a value that came after nothing, whatever it was to the one before.
    private mutating func admitWhatOutlivesTheApp(on device: DeviceID, where isConcerned: (CheckedKey) -> Bool) {
        for key in keys where isConcerned(key) {
            guard key.sources.contains(where: { !isConcerned(keys[$0.index]) }) else { continue }
            let place = place(of: key, on: device)
            for value in plantings.values(for: key, on: device) { histories[place].admit(value, on: device, besides: true) }
        }
    }
}

extension StepObservation {
    /// Whether what the step is to bring about was so before, as far as that is known.
    fileprivate var changesNothing: Bool {
        switch action {
        case .device(let step):
            switch step.action {
            case .unlock: conditions.lockStates == [.unlocked]
            case .install: conditions.wasInstalled
            case .setFreeSpace(nil): !conditions.lacksRoom
            default: false
            }
        case .fault(let step):
            switch step.action {
            case .clearDisk, .clearKeychain, .clearPreferences: !conditions.hasFaults
            default: false
            }
        default: false
        }
    }
}

extension TransferStep {
    /// Whether the app writes what LocalData keeps to itself of its migrations.
    fileprivate var forgesMarks: Bool {
        guard case .writeFile(let path, _) = action else { return false }
        return path.contains("/LocalData/Migration/")
    }
}

extension ScenarioStep.Action {
    /// Whether something happens to a widget's process, which is not that of its app.
    fileprivate var isWidgetChange: Bool {
        guard case .device(let step) = self, case .widget = step.action else { return false }
        return true
    }
}
