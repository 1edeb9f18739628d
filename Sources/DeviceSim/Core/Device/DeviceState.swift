import LocalData

/// Power, lock, passcode and biometry of a device: what decides which data is within reach.
public struct DeviceState: Sendable, Hashable {
    /// Whether the device is switched on.
    public var isPoweredOn = true
    /// Whether a passcode is set. Without one nothing is ever locked.
    public var hasPasscode = true
    /// Whether the screen is locked. Meaningless without a passcode; read ``lockState``.
    public var isLocked = false
    /// Whether the device has been unlocked since it was switched on.
    public var wasUnlockedSinceBoot = true
    /// The enrolled faces or fingers, as a set with an identity.
    public var biometry = Biometry.none
    /// How often biometry was enrolled or edited, which is what names the next set.
    var biometryEdits = 0

    /// A device that is on and unlocked, with a passcode and without biometry.
    public init() {}

    /// What data protection goes by. A device without a passcode is always unlocked.
    public var lockState: DeviceLockState {
        guard hasPasscode else { return .unlocked }
        guard wasUnlockedSinceBoot else { return .beforeFirstUnlock }
        return isLocked ? .locked : .unlocked
    }
}
