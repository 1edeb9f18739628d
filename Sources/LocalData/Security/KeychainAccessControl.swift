/// What a person must do before a keychain item is handed out: the flags of `SecAccessControlCreateFlags`.
public enum KeychainAccessControl: String, Sendable, Hashable, CaseIterable {
    /// Biometry or passcode.
    case userPresence
    /// Any enrolled biometry.
    case biometryAny
    /// The biometry enrolled when the item was stored; editing the enrolment invalidates the item.
    case biometryCurrentSet
    /// The device's passcode.
    case devicePasscode
    /// Any enrolled biometry; where that fails or there is none, the passcode.
    case biometryAnyOrDevicePasscode
    /// The biometry enrolled when the item was stored, or the passcode, which still opens the item after the enrolment was edited.
    case biometryCurrentSetOrDevicePasscode
}
