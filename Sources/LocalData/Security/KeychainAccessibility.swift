/// When a keychain item can be read: the seven values of `kSecAttrAccessible`.
public enum KeychainAccessibility: String, Sendable, Hashable, CaseIterable {
    /// While the device is unlocked. The system's default.
    case whenUnlocked
    /// From the first unlock after a restart.
    case afterFirstUnlock
    /// While the device is unlocked; never restored to another device.
    case whenUnlockedThisDeviceOnly
    /// From the first unlock after a restart; never restored to another device.
    case afterFirstUnlockThisDeviceOnly
    /// Always. Deprecated by Apple; the audit warns.
    case always
    /// Always, never restored to another device. Deprecated by Apple; the audit warns.
    case alwaysThisDeviceOnly
    /// While unlocked, on a device with a passcode; removing the passcode destroys the item.
    case whenPasscodeSetThisDeviceOnly
}
