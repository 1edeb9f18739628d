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
