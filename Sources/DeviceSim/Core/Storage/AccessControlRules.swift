import LocalData

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
