import LocalData

/// The table of keychain accessibility, as functions of class and device. `nil` stands for allowed.
enum KeychainRules {
    /// Whether the class key is there. Writing needs it as much as reading.
    static func refusal(_ accessibility: KeychainAccessibility, with keys: ClassKeys) -> KeychainStatus? {
        let isAvailable =
            switch accessibility {
            case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: keys.whenUnlocked
            case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: keys.afterFirstUnlock
            case .always, .alwaysThisDeviceOnly: true
            }
        return isAvailable ? nil : .interactionNotAllowed
    }

    /// Whether an item may be stored in the class.
    static func refusalToStore(_ accessibility: KeychainAccessibility, hasPasscode: Bool, with keys: ClassKeys) -> KeychainStatus? {
        if accessibility == .whenPasscodeSetThisDeviceOnly, !hasPasscode { return .authFailed }
        return refusal(accessibility, with: keys)
    }

    /// Whether items of the class outlive the removal of the passcode. The others are gone for good.
    static func survivesPasscodeRemoval(_ accessibility: KeychainAccessibility) -> Bool {
        accessibility != .whenPasscodeSetThisDeviceOnly
    }

    static func isThisDeviceOnly(_ accessibility: KeychainAccessibility) -> Bool {
        switch accessibility {
        case .whenUnlocked, .afterFirstUnlock, .always: false
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        }
    }

    /// Whether items of the class come back from a backup. An unencrypted one restores them to the same device only.
    static func survivesRestore(
        _ accessibility: KeychainAccessibility, toSameDevice: Bool, backupIsEncrypted: Bool, knobs: Knobs
    ) -> Bool {
        if accessibility == .whenPasscodeSetThisDeviceOnly { return toSameDevice && knobs.passcodeBoundItemsSurviveRestore }
        if toSameDevice { return true }
        return backupIsEncrypted && !isThisDeviceOnly(accessibility)
    }
}
