import Foundation
import LocalData

/// What happens to a device, as far as its storage is concerned.
extension DeviceStorage {
    /// The app's process ended. What it handed to the system stays, synchronized or not; its views are dead by its ``ProcessLife``.
    public func processEnded(_ end: ProcessEnd) {
        process = nil
    }

    /// The device lost power: what was not synchronized is lost, torn or garbled as ``powerLossPolicy`` says.
    public func powerLoss() {
        powerLoss(powerLossPolicy)
    }

    /// The device loses power: of what was not synchronized, `policy` decides what is left.
    public func powerLoss(_ policy: PowerLossPolicy) {
        lockedAt = nil
        writeOutPreferences()
        asSystem {
            try disk.losePower(policy)
            try preferences.losePower(policy)
        }
    }

    /// What the system has written by now of what was set, if it had room.
    private func writeOutPreferences() {
        guard disk.freeBytes.map({ $0 > 0 }) ?? true else { return }
        preferences.writeOut(until: VirtualTime(microseconds: recorder.now.microseconds - knobs.preferencesWrittenWithin.microseconds))
    }

    /// The device shut down in order: everything is on the disk, but for the recent sets of preferences if that is full.
    public func reboot() {
        lockedAt = nil
        disk.synchronizeAll()
        asSystem {
            if let free = disk.freeBytes, free <= 0 { try preferences.losePower(.dropsAll) }
            preferences.synchronizeAll()
        }
    }

    /// The device was locked; the keys go after the grace.
    public func locked(at time: VirtualTime) {
        lockedAt = time
    }

    /// The device was unlocked: the class keys are there again.
    public func unlocked() {
        lockedAt = nil
    }

    /// The passcode was removed: keychain items that need one are gone for good.
    public func passcodeRemoved() {
        lockedAt = nil
        keychainGrew(by: keychain.passcodeRemoved())
    }

    /// The app was removed: its container and preferences go, App Group containers unless another app belongs to the group. Keychain
    /// items stay (`Knobs.keychainSurvivesUninstall`). The next installation gets another container path
    /// (`Knobs.containerPathChangesOnReinstall`).
    public func uninstallApp() {
        asSystem {
            if !isPrepared { try prepare() }
            try removeContainers(keepingGroup: appGroupsOfOtherApps.contains)
            if !knobs.keychainSurvivesUninstall { keychainGrew(by: keychain.removeAll()) }
            try renewContainer()
        }
    }

    /// The device was erased: nothing is left, in the keychain neither.
    public func erase() {
        lockedAt = nil
        asSystem {
            if !isPrepared { try prepare() }
            try removeContainers { _ in false }
            keychainGrew(by: keychain.removeAll())
            try renewContainer()
        }
    }

    /// Removes the app's container, the groups' and their preferences, but for the groups that stay.
    func removeContainers(keepingGroup stays: (String) -> Bool) throws {
        try disk.removeTree(at: containerPath)
        try disk.removeTree(at: widgetPaths.container)
        let groups = DiskPath.joined(Self.groupsPath)
        if let (node, path) = try? disk.find(groups, "list"), let directory = node.directory {
            try disk.mirror?.refreshAll(in: directory, path: path)
            for group in directory.names where !stays(group) { try disk.removeTree(at: groups + "/" + group) }
        }
        preferences.removeAll { !stays($0) }
    }

    /// The next installation of the app, at another path (`Knobs.containerPathChangesOnReinstall`).
    func renewContainer() throws {
        installations += 1
        if knobs.containerPathChangesOnReinstall { container = "\(bundleIdentifier)-\(installations)" }
        preparedGroups = []
        isWidgetPrepared = false
        isPrepared = false
        try disk.mirror?.setApplication(container: container, installations: installations, disk: disk)
    }

    /// The system makes room: what is in `tmp` goes at any time, what is in `Library/Caches` only while the app does not run.
    /// - Returns: how many files went.
    @discardableResult
    public func purgeCaches() -> Int {
        var count = 0
        asSystem {
            if !isPrepared { try prepare() }
            count = try disk.emptyDirectory(at: containerPath + "/tmp")
            if process?.isAlive != true { count += try disk.emptyDirectory(at: containerPath + "/Library/Caches") }
        }
        return count
    }

    /// How many bytes can still be written; `nil` for as many as one likes.
    public var freeSpace: Int? { disk.freeBytes }

    /// Sets how many bytes can still be written. With none, writing files gives ENOSPC, the keychain −25291 (`Knobs.fullKeychainStatus`), and
    /// preferences stay in memory. What is removed makes room.
    public func setFreeSpace(_ bytes: Int?) {
        writeOutPreferences()
        disk.freeBytes = bytes.map { max(0, $0) }
    }
}
