/// The state of a session's activation.
public enum WCSessionActivationState: Int, Sendable {
    /// Before activation, and after it failed or was ended.
    case notActivated = 0
    /// The phone's session while it hands over to another watch.
    case inactive = 1
    /// The session can be used.
    case activated = 2
}
