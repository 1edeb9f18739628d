/// What a person must do before a keychain item is handed out: the flags of `SecAccessControlCreateFlags`.
public enum KeychainAccessControl: String, Sendable, Hashable, CaseIterable {
    /// Biometry or passcode.
    case userPresence
    /// Any enrolled biometry.
    case biometryAny
    /// The biometry enrolled when the item was stored; editing the enrolment invalidates the item.
    case biometryCurrentSet
    case devicePasscode
    case biometryAnyOrDevicePasscode
    case biometryCurrentSetOrDevicePasscode
}
