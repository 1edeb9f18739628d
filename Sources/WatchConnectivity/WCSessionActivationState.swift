/// The state of a session's activation.
public enum WCSessionActivationState: Int, Sendable {
    case notActivated = 0
    /// The phone's session while it hands over to another watch.
    case inactive = 1
    case activated = 2
}
