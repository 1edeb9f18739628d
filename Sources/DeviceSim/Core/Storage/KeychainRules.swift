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

/// The table of access control: what comes of asking for a protected item.
enum AccessControlRules {
    /// What decides over access beside the item's policy.
    struct Situation: Sendable, Hashable {
        var hasPasscode: Bool
        var biometry: Biometry
        /// The set that was enrolled when the item was stored, if one was.
        var biometrySetAtCreation: Int?
        /// Whether a prompt may be shown, and there is a screen to show it on.
        var allowsInteraction: Bool
        var answer: AuthenticationAnswer
    }

    /// Why the item is not handed out, or `nil` if it is.
    ///
    /// What can never succeed fails before anybody is asked.
    static func refusal(_ policy: KeychainAccessControl, in situation: Situation, knobs: Knobs) -> KeychainStatus? {
        if let refusal = impossibility(policy, in: situation, knobs: knobs) { return refusal }
        guard situation.allowsInteraction else { return .interactionNotAllowed }
        switch situation.answer {
        case .succeeds: return nil
        case .fails: return .authFailed
        case .cancels: return .userCanceled
        case .away: return KeychainStatus(rawValue: Int32(truncatingIfNeeded: knobs.unansweredPromptStatus))
        }
    }

    private static func impossibility(
        _ policy: KeychainAccessControl, in situation: Situation, knobs: Knobs
    ) -> KeychainStatus? {
        // Without a passcode there is no biometry either.
        guard situation.hasPasscode else { return .authFailed }
        switch policy {
        case .userPresence, .devicePasscode, .biometryAnyOrDevicePasscode, .biometryCurrentSetOrDevicePasscode:
            return nil
        case .biometryAny:
            return situation.biometry == .none ? .authFailed : nil
        case .biometryCurrentSet:
            // Stored while nothing was enrolled: there never was a set that could open it.
            guard let original = situation.biometrySetAtCreation else { return .authFailed }
            guard situation.biometry.set == original else {
                return KeychainStatus(rawValue: Int32(truncatingIfNeeded: knobs.invalidatedItemStatus))
            }
            return nil
        }
    }
}

/// How the person answers when a keychain item asks for Face ID, Touch ID or the passcode.
public enum AuthenticationAnswer: String, Sendable, Hashable, CaseIterable {
    /// Does what is asked, as far as it can be done.
    case succeeds
    /// The wrong face, finger and passcode.
    case fails
    /// Dismisses the prompt (−128).
    case cancels
    /// Nobody is there: the system takes the prompt away after a while.
    case away
}

/// The `OSStatus`es that a scenario can name, as Apple's headers do.
public enum KeychainStatusName: String, Sendable, Hashable, CaseIterable {
    /// Statuses of SecItem, by Apple's names.
    case errSecIO, errSecUserCanceled, errSecDiskFull, errSecNotAvailable, errSecAuthFailed, errSecDuplicateItem, errSecItemNotFound,
        /// Further statuses of SecItem, by Apple's names.
        errSecInteractionNotAllowed, errSecDecode, errSecMissingEntitlement

    /// The `OSStatus` of that name.
    public var status: KeychainStatus {
        switch self {
        case .errSecIO: .inputOutput
        case .errSecUserCanceled: .userCanceled
        case .errSecDiskFull: .diskFull
        case .errSecNotAvailable: .notAvailable
        case .errSecAuthFailed: .authFailed
        case .errSecDuplicateItem: .duplicateItem
        case .errSecItemNotFound: .itemNotFound
        case .errSecInteractionNotAllowed: .interactionNotAllowed
        case .errSecDecode: .decode
        case .errSecMissingEntitlement: .missingEntitlement
        }
    }

    /// The name of a status, if it has one.
    public init?(_ status: KeychainStatus) {
        guard let found = Self.allCases.first(where: { $0.status == status }) else { return nil }
        self = found
    }
}
