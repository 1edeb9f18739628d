import Foundation
import LocalData

/// A device's preferences as one app process sees them.
///
/// A process that was started before the first unlock has an empty snapshot for as long as it lives, or until the unlock
/// (`Knobs.earlyPreferencesStayEmpty`): it reads nothing, without an error, and what it sets is seen by itself alone and lost with it. Nothing tells it: code that asks when it is launched finds the device unlocked, if the
/// process was prewarmed.
final class SimulatedDefaults: DefaultsStore, @unchecked Sendable {
    private let storage: DeviceStorage
    private let life: ProcessLife
    /// What a process that cannot read has set.
    private var snapshot: [SimulatedPreferences.Place: [String: PropertyListValue]] = [:]

    init(storage: DeviceStorage, life: ProcessLife) {
        self.storage = storage
        self.life = life
    }

    func isReadable(_ suite: DefaultsSuite) -> Bool {
        // A prewarmed process begins to look about when somebody opens the app, which takes an unlocked device.
        life.isAlive && (life.wasPrewarmed || !life.startedBeforeFirstUnlock)
    }

    /// Whether it sees an empty snapshot, and what it has set itself.
    private var hasSnapshot: Bool {
        life.startedBeforeFirstUnlock && (storage.knobs.earlyPreferencesStayEmpty || storage.isBeforeFirstUnlock)
    }

    func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? {
        let place = try begin(.defaultsRead, suite)
        if hasSnapshot { return snapshot[place]?[key] }
        return try storage.preferences.value(forKey: key, in: place)
    }

    func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
        let place = try begin(.defaultsSet, suite)
        if hasSnapshot {
            snapshot[place, default: [:]][key] = value
            return
        }
        try storage.preferences.set(value, forKey: key, in: place, at: storage.recorder.now)
    }

    func keys(in suite: DefaultsSuite) throws -> [String] {
        let place = try begin(.defaultsKeys, suite)
        if hasSnapshot {
            return (snapshot[place] ?? [:]).keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
        return try storage.preferences.keys(in: place)
    }

    /// Makes what was set durable; with no space left, ENOSPC, and it stays in memory.
    func synchronize(_ suite: DefaultsSuite) throws {
        let place = try begin(.defaultsSynchronize, suite)
        if hasSnapshot { return }
        if let freeBytes = storage.disk.freeBytes, freeBytes <= 0, storage.preferences.hasRecentSets(in: place) {
            throw FileSystemError(errno: ENOSPC, operation: "write", path: path(of: place))
        }
        if storage.knobs.synchronizedPreferencesAreDurable { try storage.preferences.synchronize(place) }
    }

    private func begin(_ operation: StorageOperation, _ suite: DefaultsSuite) throws -> SimulatedPreferences.Place {
        let failure = try storage.begin(operation, life, at: storage.name(of: suite, for: life.part))
        let place = try storage.place(of: suite, for: life.part)
        if let failure { throw FileSystemError(errno: failure.errno, operation: operation.call, path: path(of: place)) }
        return place
    }

    private func path(of place: SimulatedPreferences.Place) -> String {
        storage.preferencesDirectory(group: place.group, part: place.part) + "/" + place.name + ".plist"
    }
}

extension DeviceStorage {
    func name(of suite: DefaultsSuite, for part: AppPart = .app) -> String {
        switch suite {
        case .standard: part.bundleIdentifier(ofApp: bundleIdentifier)
        case .named(let name), .appGroup(let name): name
        }
    }

    /// Where a suite is. One that is named like an App Group of the app is that group's, as `UserDefaults(suiteName:)` has it.
    func place(of suite: DefaultsSuite, for part: AppPart = .app) throws -> SimulatedPreferences.Place {
        switch suite {
        case .standard:
            return SimulatedPreferences.Place(group: nil, name: part.bundleIdentifier(ofApp: bundleIdentifier), part: part)
        case .named(let name):
            guard DiskPath.isFolderName(name) else {
                throw StorageError(.unsupported, facts: ["'\(name)' cannot name a suite of preferences"])
            }
            if name.hasPrefix("group."), entitlements.appGroups.map({ $0.contains(name) }) ?? true {
                return SimulatedPreferences.Place(group: name, name: name)
            }
            return SimulatedPreferences.Place(group: nil, name: name, part: part)
        case .appGroup(let group):
            try requireGroup(group)
            return SimulatedPreferences.Place(group: group, name: group)
        }
    }
}
