import LocalData

/// What happens to the device itself: power, lock, passcode, clock.
extension Device {
    /// Switches the device off in good order: nothing that was stored is lost.
    public func powerOff() {
        guard state.isPoweredOn else { return }
        endProcess(.terminate)
        endWidget(.terminate)
        state.isPoweredOn = false
        record(.powerOff)
        storage.reboot()
        network.conditionsChanged()
    }

    /// Switches the device on. With a passcode set it is then locked, before its first unlock.
    public func powerOn() {
        guard !state.isPoweredOn else { return }
        state.isPoweredOn = true
        bootCount += 1
        state.isLocked = state.hasPasscode
        state.wasUnlockedSinceBoot = !state.hasPasscode
        record(.powerOn)
        if id.isPhone { network.phoneRestarts() }
        network.deviceRestarts(id)
        network.conditionsChanged()
    }

    /// Switches the device off and on. With a passcode it is then before its first unlock.
    public func reboot() {
        powerOff()
        powerOn()
    }

    /// The battery is pulled: what was not synchronized may be lost.
    public func losePower() {
        guard state.isPoweredOn else { return }
        endProcess(.crash)
        endWidget(.crash)
        state.isPoweredOn = false
        record(.powerLoss)
        storage.powerLoss()
        network.conditionsChanged()
    }

    /// Locks the screen. An app in the foreground goes to the background until the device is unlocked.
    public func lock() throws {
        guard state.isPoweredOn else { throw SimulationError.impossible(device: id, reason: "the device is off") }
        guard state.hasPasscode else {
            throw SimulationError.impossible(device: id, reason: "without a passcode the device cannot be locked; set one first")
        }
        guard !state.isLocked else { return }
        state.isLocked = true
        record(.lock)
        storage.locked(at: scheduler.now)
        if let process, process.state == .foreground {
            _ = change(process, to: .background)
            returnsToForegroundOnUnlock = true
        } else if let process {
            endFrontmostTime(of: process)
        }
        network.conditionsChanged()
    }

    /// Unlocks the device; after a restart this is the first unlock.
    public func unlock() throws {
        guard state.isPoweredOn else { throw SimulationError.impossible(device: id, reason: "the device is off") }
        guard state.isLocked || !state.wasUnlockedSinceBoot else { return }
        state.isLocked = false
        state.wasUnlockedSinceBoot = true
        record(.unlock)
        storage.unlocked()
        if id.isPhone, let process, process.state != .suspended {
            let app = process.app
            _ = process.start("protected data is available") { await app?.protectedDataDidBecomeAvailable() }
        }
        if let process, returnsToForegroundOnUnlock {
            _ = change(process, to: .foreground)
        }
        returnsToForegroundOnUnlock = false
        network.personTouches(id)
        network.conditionsChanged()
    }

    /// Sets a passcode. Data protection works from then on.
    public func setPasscode() {
        guard !state.hasPasscode else { return }
        state.hasPasscode = true
        record(.passcodeSet)
    }

    /// Removes the passcode, and with it for good what needs one.
    public func removePasscode() {
        guard state.hasPasscode else { return }
        state.hasPasscode = false
        state.isLocked = false
        state.wasUnlockedSinceBoot = true
        record(.passcodeRemoved)
        storage.passcodeRemoved()
        network.conditionsChanged()
    }

    /// Sets by how much this device's wall clock is ahead. Nothing in LocalData may order writes by it.
    public func setClockSkew(_ skew: VirtualDuration) {
        clockSkew = skew
        record(.clockChanged, .init("skew", .text(skew.description)))
    }
}

extension Device {
    /// Enrols, edits or removes biometry. Any edit makes another set, which invalidates items bound to the set before.
    public func changeBiometry(_ change: Biometry.Change) {
        switch change {
        case .enrolled, .changed: state.editBiometry()
        case .removed: state.removeBiometry()
        }
        record(.biometryChanged, .init("change", .text(change.rawValue)))
    }
}

extension Device {
    /// Puts the app's complication on the active watch face, or takes it away (W95).
    public func setComplication(onFace isOnFace: Bool) throws {
        guard !id.isPhone else { throw SimulationError.impossible(device: id, reason: "only a watch has a face") }
        if isOnFace { try requireUsable() }
        guard hasComplication != isOnFace else { return }
        hasComplication = isOnFace
        hasLoadedComplication = false
        record(.complicationChanged, .init("isOnFace", .flag(isOnFace)))
        network.conditionsChanged()
    }

    /// Puts the app's widget into the Smart Stack, or takes it out (W95).
    public func setWidget(inSmartStack isThere: Bool) throws {
        guard !id.isPhone else { throw SimulationError.impossible(device: id, reason: "only a watch has a Smart Stack") }
        if isThere { try requireUsable() }
        guard isInSmartStack != isThere else { return }
        isInSmartStack = isThere
        record(.complicationChanged, .init("isInSmartStack", .flag(isThere)))
        network.conditionsChanged()
    }
}
