import LocalData

/// Which class keys a device holds at the moment: what data protection and keychain accessibility come down to.
///
/// Source: *Device state* and the tables of the specification of data protection.
struct ClassKeys: Sendable, Hashable {
    /// The key that comes with the first unlock after a restart and stays.
    var afterFirstUnlock: Bool
    /// The key that is there while the device is unlocked, and some seconds longer.
    var whenUnlocked: Bool

    /// - Parameter isInGrace: Whether the device was locked so recently that it has not discarded the keys yet.
    init(_ lockState: DeviceLockState, isInGrace: Bool = false) {
        switch lockState {
        case .beforeFirstUnlock:
            afterFirstUnlock = false
            whenUnlocked = false
        case .locked:
            afterFirstUnlock = true
            whenUnlocked = isInGrace
        case .unlocked:
            afterFirstUnlock = true
            whenUnlocked = true
        }
    }
}
