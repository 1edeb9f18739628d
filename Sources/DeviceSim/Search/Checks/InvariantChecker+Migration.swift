import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// What steps left at the sources of migrations, and what becomes of it.
struct LegacyValues {
    private struct Place: Hashable {
        let key: Int
        let device: DeviceID
    }

    /// What was put at a source last.
    private struct Planting {
        let value: ScenarioValue
        let step: Int
        /// Whether something since may have taken it away.
        var mayBeGone: Bool
        /// What was there before.
        let earlier: [ScenarioValue]
        /// Whether one of these may be there again.
        var mayBeEarlier = false

        /// What may lie there, if anything does.
        var possible: [ScenarioValue] { mayBeEarlier ? [value] + earlier : [value] }
    }

    private var planted: [Place: Planting] = [:]
    /// The last step that may have set off the migration of each destination.
    private var touches: [Place: Int] = [:]
    /// What each destination's migration may make of what was planted.
    private var made: [Place: [ScenarioValue]] = [:]

    /// A step used the key, which may have set off its migration.
    mutating func touch(_ key: CheckedKey, on device: DeviceID, step: Int) {
        guard !key.sources.isEmpty else { return }
        touches[Place(key: key.reference.index, device: device)] = step
    }

    /// Everything that migrations of this key may have brought, or bring, on the device.
    func values(for key: CheckedKey, on device: DeviceID) -> [ScenarioValue] { made[Place(key: key.reference.index, device: device)] ?? [] }

    /// A value was planted at a source.
    /// - Parameters:
    ///   - lastLaunch: The step of the last launch on the device.
    ///   - isCertain: False where that failed, and nobody knows how far it came.
    ///   - mayBeTaken: Whether what lies at the other sources may have been taken at any time, as with a version of the other device: the value is brought over
    ///     before it, and a removal takes it along.
    /// - Returns: What the migration may make of it: first of all that is there for certain, then with what may be there still or not; and whether it
    ///   makes something for certain, rather than wait for what may be gone.
    mutating func plant(
        _ value: ScenarioValue, at source: KeyReference, of key: CheckedKey, on device: DeviceID, step: Int, lastLaunch: Int,
        isCertain isDone: Bool, mayBeTaken: Bool
    ) -> (values: [ScenarioValue], isCertain: Bool) {
        let place = Place(key: source.index, device: device)
        planted[place] = Planting(value: value, step: step, mayBeGone: !isDone, earlier: earlier(at: place, than: value))
        let lastTouch = max(lastLaunch, lastTouch(of: key, on: device))
        var choices: [[KeyReference: ScenarioValue]] = [[:]]
        for other in key.sources {
            guard let planting = planted[Place(key: other.index, device: device)] else { continue }
            // An earlier one may have been taken since.
            let isCertain = other == source || (planting.step > lastTouch && !planting.mayBeGone && !mayBeTaken)
            choices = planting.possible.flatMap { value in choices.map { $0.merging([other: value]) { $1 } } } + (isCertain ? [] : choices)
        }
        var values: [ScenarioValue] = []
        var isCertain = isDone
        for choice in choices {
            guard let value = key.migrated(from: choice) else {
                isCertain = false
                continue
            }
            if !values.contains(value) { values.append(value) }
        }
        made[Place(key: key.reference.index, device: device), default: []] += values
        return (values, isCertain)
    }

    /// What was put at a place so far, without the latest.
    private func earlier(at place: Place, than value: ScenarioValue) -> [ScenarioValue] {
        guard let last = planted[place] else { return [] }
        return (last.earlier.contains(last.value) ? last.earlier : last.earlier + [last.value]).filter { $0 != value }
    }

    /// What lies at this key's place on the device may be gone, as with an app that was uninstalled.
    /// - Parameter mayBeEarlier: Whether what lay there before may lie there again, as with preferences that were not on the disk yet.
    mutating func forget(_ key: CheckedKey, on device: DeviceID, mayBeEarlier: Bool) {
        let place = Place(key: key.reference.index, device: device)
        planted[place]?.mayBeGone = true
        if mayBeEarlier { planted[place]?.mayBeEarlier = true }
    }

    /// Something took what lay at some sources of the key, or may have, and the others have theirs.
    /// - Returns: What the migration may make of what is left, and would not have made before.
    mutating func makeOfRemainder(_ key: CheckedKey, on device: DeviceID) -> [ScenarioValue] {
        var choices: [[KeyReference: ScenarioValue]] = [[:]]
        for source in key.sources {
            guard let planting = planted[Place(key: source.index, device: device)] else { continue }
            choices =
                planting.possible.flatMap { value in choices.map { $0.merging([source: value]) { $1 } } }
                + (planting.mayBeGone ? choices : [])
        }
        var values: [ScenarioValue] = []
        let known = self.values(for: key, on: device)
        for value in choices.compactMap(key.migrated) where !known.contains(value) && !values.contains(value) { values.append(value) }
        if !values.isEmpty { made[Place(key: key.reference.index, device: device), default: []] += values }
        return values
    }

    /// The device was restored: what lay at old places may lie there again.
    mutating func restore(on device: DeviceID, step: Int) {
        for (place, planting) in planted where place.device == device {
            planted[place] = Planting(value: planting.value, step: step, mayBeGone: true, earlier: planting.earlier, mayBeEarlier: true)
        }
    }

    /// The last step that used the key; -1: none did.
    func lastTouch(of key: CheckedKey, on device: DeviceID) -> Int { touches[Place(key: key.reference.index, device: device)] ?? -1 }

    /// The last step that planted something at a source of the key.
    func lastStep(for key: CheckedKey, on device: DeviceID) -> Int? {
        key.sources.compactMap { planted[Place(key: $0.index, device: device)]?.step }.max()
    }
}

extension InvariantChecker {
    /// A write at one name of a file changes what the key of the other name has, behind its back: its version and its seal are then those of another
    /// key. An earlier version of the app did so before the key was there, which is a migration; afterwards nothing is promised of the value.
    mutating func noteOtherNames(of key: CheckedKey, _ data: DataStep) {
        for other in key.otherNames.map({ keys[$0.index] }) where other.isCurrent && other.first != key.first {
            let isFirst = devices.allSatisfy { histories[place(of: other, on: $0)].versions.count == 1 }
            if case .plant = data.action, isFirst, other.sources.contains(key.reference) { continue }
            spoiled.insert(other.reference.index)
        }
        guard case .plant = data.action else { return }
        // A chain of migrations leads back to where it began: what is put there now lies where the last key has its value, or will have it after an update,
        // unless the key between has no value yet and takes it.
        for other in keys where other.isCurrent && other.first != key.first && other.isAtPlace(of: key) {
            let isTaken =
                !other.exists(in: versions[data.device.place])
                && histories[place(of: other, on: data.device)].allowedValues(on: data.device).allSatisfy { $0 == nil }
            if !isTaken { spoil(other) }
        }
    }

    /// A value at the place of a migration's source is the destination's, until that has a newer one.
    mutating func plant(_ source: KeyReference, _ data: DataStep, step: Int, isCertain: Bool = true) {
        guard let value = data.action.written?.value else { return }
        for key in keys where key.sources.contains(source) && key.migrates(on: data.device) {
            let place = place(of: key, on: data.device)
            let old = plantings.values(for: key, on: data.device)
            let made = plantings.plant(
                value, at: source, of: key, on: data.device, step: step, lastLaunch: latest[data.device.place].launch, isCertain: isCertain,
                mayBeTaken: key.syncs && histories[place].hasVersions(besideThoseOf: data.device))
            // Beside a value that is there for certain, and that no migration is still to bring, it is nothing.
            guard histories[place].allowedValues(on: data.device).contains(where: { $0.map(old.contains) ?? true }) else { continue }
            for value in made.values {
                let number = histories[place].begin(value, on: data.device, step: step, isEdit: false)
                plantedVersions[place, default: []].insert(number)
                // Planted beside a value, it is no version: the newer value wins. And what may be there in part may be none.
                if number == 1, made.values.count == 1, made.isCertain {
                    histories[place].acknowledge(number)
                    if key.isInPreferences, key.sources.allSatisfy({ keys[$0.index].outlastsPowerLoss }) {
                        durablePlantings[place, default: [:]][data.device] = number
                    }
                }
            }
        }
    }

    /// An app runs a migration whatever was before: what its sources still hold is the key's again, be it that the value was removed. A removal leaves
    /// them where another key has its value there, or is yet to get it.
    mutating func noteForcedMigration(_ observation: StepObservation, step: Int) {
        if case .impossible = observation.result { return }
        guard case .data(let data) = observation.action, isOfDevice(data), case .migrate(let reference?) = data.action else { return }
        let key = keys[reference.index]
        let isLeftBehind = mayLeaveSources(of: key)
        let place = place(of: key, on: data.device)
        // A value that is there stays.
        guard isLeftBehind, key.migrates(on: data.device), histories[place].allowedValues(on: data.device).contains(nil) else { return }
        for value in plantings.values(for: key, on: data.device) {
            plantedVersions[place, default: []].insert(histories[place].begin(value, on: data.device, step: step))
        }
    }

    /// Whether a removal of the key leaves something at its sources: what another key has there, or is yet to get from there.
    func mayLeaveSources(of key: CheckedKey) -> Bool {
        key.sources.contains { source in
            keys[source.index].isCurrent || keys.contains { $0.reference != key.reference && $0.sources.contains(source) }
        }
    }

    /// Whether a source of the key is the same value under an earlier version of the app, which may be where it was.
    func mayWaitAtSource(_ key: CheckedKey, on device: DeviceID) -> Bool {
        key.migrates(on: device) && key.sources.contains { place(of: keys[$0.index], on: device) == place(of: key, on: device) }
    }

    /// Whether a version of the app before this one kept the value where no widget sees it: until the app has run, the widget finds none.
    func mayWaitBeyondWidget(_ key: CheckedKey, on device: DeviceID) -> Bool {
        key.migrates(on: device) && latest[device.place].sweep <= latest[device.place].update
            && origins(of: key).contains { !$0.isSharedWithWidget && place(of: $0, on: device) == place(of: key, on: device) }
    }

    /// Whether the app was launched, and so swept its migrations, after a source of this key was last given a value. A migration that waits for others
    /// of its sources waits no longer where its destination has a value, which the next launch sees.
    func wasPlantedBeforeLaunch(_ key: CheckedKey, on device: DeviceID) -> Bool {
        guard key.migrates(on: device), let step = plantings.lastStep(for: key, on: device) else { return false }
        let waited = key.awaitsSources ? plantings.lastTouch(of: key, on: device) : -1
        return latest[device.place].sweep > max(step, waited)
    }
}

extension InvariantChecker {
    /// The keys that a key's value may come from: the sources of its migration, theirs, and so on.
    func origins(of key: CheckedKey) -> [CheckedKey] {
        var found: [CheckedKey] = []
        var visited: Set<Int> = [key.reference.index]
        var due = key.sources
        while let next = due.popLast() {
            guard visited.insert(next.index).inserted, let origin = keys.first(where: { $0.reference.index == next.index }) else {
                continue
            }
            found.append(origin)
            due += origin.sources
        }
        return found
    }
}
