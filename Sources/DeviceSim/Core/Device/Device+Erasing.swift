import LocalData

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
        wasSwipedAway = false
        record(.erase)
        storage.erase()
        daemon.clearContexts()
        daemon.appWasUninstalled()
        bootCount += 1
        state.removeBiometry()
        state.isLocked = false
        state.wasUnlockedSinceBoot = true
        network.appWasRemoved(from: id)
        network.conditionsChanged()
    }
}
