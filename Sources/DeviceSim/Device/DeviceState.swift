import LocalData

/// Power, lock, passcode and biometry of a device: what decides which data is within reach.
public struct DeviceState: Sendable, Hashable {
    public var isPoweredOn = true
    public var hasPasscode = true
    /// Whether the screen is locked. Meaningless without a passcode; read ``lockState``.
    public var isLocked = false
    /// Whether the device has been unlocked since it was switched on.
    public var wasUnlockedSinceBoot = true
    public var biometry = Biometry.none
    /// How often biometry was enrolled or edited, which is what names the next set.
    var biometryEdits = 0

    public init() {}

    /// What data protection goes by. A device without a passcode is always unlocked.
    public var lockState: DeviceLockState {
        guard hasPasscode else { return .unlocked }
        guard wasUnlockedSinceBoot else { return .beforeFirstUnlock }
        return isLocked ? .locked : .unlocked
    }
}
