import LocalData

/// Crashes at a chosen point, and the way back from them.
extension Device {
    /// Ends the app, or the device, right now.
    public func end(by kind: CrashKind) {
        switch kind {
        case .app: crash()
        case .power(let remainder): losePower(leaving: remainder)
        }
    }

    /// Pulls the battery; of what was not synchronized, `remainder` is left, this time.
    public func losePower(leaving remainder: PowerLossRemainder) {
        let usual = storage.powerLossPolicy
        storage.powerLossPolicy = policy(leaving: remainder)
        losePower()
        storage.powerLossPolicy = usual
    }

    /// What every power loss leaves from now on.
    public func setPowerLossRemainder(_ remainder: PowerLossRemainder) {
        storage.powerLossPolicy = policy(leaving: remainder)
    }

    /// Lets a crash come just before a storage operation of the app, counted from now. It stays until it came, or until
    /// ``StorageFaultPlan/removeInterruptions()``.
    public func arm(_ point: CrashPoint) {
        storage.faults.interrupt(beforeOperation: storage.operationCount + point.operation) { [weak self] in self?.end(by: point.kind) }
    }

    /// Brings the device back after a crash or a power loss: switched on and unlocked. The app is not launched.
    public func comeBack() throws {
        powerOn()
        try unlock()
    }

    private func policy(leaving remainder: PowerLossRemainder) -> PowerLossPolicy {
        remainder.policy(seed: SeededGenerator(seed: options.seed).fork("powerLoss.\(id)"))
    }
}
