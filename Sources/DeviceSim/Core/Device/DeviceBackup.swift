import LocalData

/// A backup of a device, as far as the app is concerned. It can be restored any number of times, to the device that made it or to another.
public struct DeviceBackup: Sendable {
    /// The device that was backed up.
    public let device: DeviceID
    /// Whether a password protects it. Only then do keychain items come along to other hardware.
    public let isEncrypted: Bool
    /// The hardware that made it, see ``Device/hardware``.
    let hardware: Int
    /// The version of the app that was installed; `nil` for none.
    let appVersion: String?
    let storage: StorageBackup
}

/// Backing up a device and restoring it.
///
/// What is not in a backup: caches, `tmp`, what is excluded, the session's contexts and transfers, the passcode, and enrolled biometry.
extension Device {
    /// Makes a backup. The app may run meanwhile; what it handed over until now is in it.
    /// - Throws: ``SimulationError`` if the device is off or was never unlocked since it was switched on; what reading real files gives.
    public func makeBackup(encrypted: Bool) throws -> DeviceBackup {
        guard state.isPoweredOn else { throw SimulationError.impossible(device: id, reason: "a device that is off makes no backup") }
        guard state.lockState != .beforeFirstUnlock else {
            throw SimulationError.impossible(device: id, reason: "a device makes no backup before its first unlock")
        }
        let backup = DeviceBackup(
            device: id, isEncrypted: encrypted, hardware: hardware, appVersion: isAppInstalled ? appVersion : nil,
            storage: try storage.makeBackup())
        record(.backup, .init("encrypted", .flag(encrypted)))
        return backup
    }

    /// Erases the device and restores a backup: what the backup holds replaces what is there. The app is installed again, at another path, and not
    /// running. The device restarts, with a passcode before its first unlock; biometry is to be enrolled anew.
    ///
    /// With `ontoNewHardware` the device is another one from now on: what belongs to *this device only* does not come along, and neither do
    /// keychain items of an unencrypted backup. The pairing stays (K: knob `restore.keepsPairing`), its contexts and its transfers do not (W15, W53).
    /// - Throws: ``SimulationError`` if the device is off or the backup is of the other kind of device; what writing gives.
    public func restore(_ backup: DeviceBackup, ontoNewHardware: Bool = false) throws {
        guard state.isPoweredOn else {
            throw SimulationError.impossible(device: id, reason: "nothing can be restored to a device that is off")
        }
        guard backup.device.isPhone == id.isPhone else {
            throw SimulationError.impossible(device: id, reason: "the backup was made by the \(backup.device)")
        }
        endProcess(.terminate)
        endWidget(.terminate)
        if ontoNewHardware { hardware += 1 }
        let isSame = hardware == backup.hardware
        let (hasPasscode, knobs) = (state.hasPasscode, options.knobs)
        try storage.restore(backup.storage) { item in
            KeychainRules.survivesRestore(item.accessibility, toSameDevice: isSame, backupIsEncrypted: backup.isEncrypted, knobs: knobs)
                && (hasPasscode || KeychainRules.survivesPasscodeRemoval(item.accessibility))
        }
        state.removeBiometry()
        bootCount += 1
        state.isLocked = hasPasscode
        state.wasUnlockedSinceBoot = !hasPasscode
        isAppInstalled = backup.appVersion != nil
        appVersion = backup.appVersion ?? appVersion
        network.wasRestored(id, isNewHardware: ontoNewHardware)
        restarts()
        record(.restore, .init("encrypted", .flag(backup.isEncrypted)), .init("sameDevice", .flag(isSame)))
        network.conditionsChanged()
    }
}

/// Unpairing and pairing a watch, as far as the watch itself is concerned (W26, W27).
extension Device {
    /// What the phone keeps of a watch that it unpairs: settings, and documents if the knob `watchBackup.holdsDocuments` says so. `nil` where the watch
    /// cannot be backed up.
    func makeUnpairingBackup() throws -> DeviceBackup? {
        guard state.isPoweredOn, state.lockState != .beforeFirstUnlock else { return nil }
        let storage = try storage.makeBackup()
        return DeviceBackup(
            device: id, isEncrypted: true, hardware: hardware, appVersion: isAppInstalled ? appVersion : nil,
            storage: options.knobs.watchBackupHoldsDocuments ? storage : storage.settingsAlone)
    }

    /// Erases the device: the app, everything that is stored, and what the session holds of it. A person sets it up with the passcode that it had.
    func erase() {
        endProcess(.terminate)
        endWidget(.terminate)
        isAppInstalled = false
        hasComplication = false
        isInSmartStack = false
        record(.erase)
        storage.erase()
        daemon.wasErased()
        bootCount += 1
        state.removeBiometry()
        state.isLocked = false
        state.wasUnlockedSinceBoot = true
        network.appWasRemoved(from: id)
        restarts()
        network.conditionsChanged()
    }
}
