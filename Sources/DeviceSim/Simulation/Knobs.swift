/// What is not known of real devices, or differs among them, as settings with the defaults of the specification.
public struct Knobs: Sendable, Hashable {
    // The link
    /// One way, from one radio to the other.
    public var linkLatency = VirtualDuration.milliseconds(20)
    /// Of a session's activation, from the call to the callback.
    public var activationLatency = VirtualDuration.milliseconds(50)

    // Application context
    /// W43: intermediate and repeated contexts are delivered on wake.
    public var duplicateContexts = false
    /// W49: whether an equal context is judged by what was last sent (true), or is always sent (false).
    public var suppressEqualContexts = true
    /// W53: removing the app from a device removes what it sent and received; a reinstalled one starts empty. The counterpart keeps its own.
    public var uninstallClearsContexts = true

    // Messages
    /// W67: how long a sender waits for a reply.
    public var messageReplyTimeout = VirtualDuration.seconds(300)

    // Payloads, in bytes (W100)
    public var messageLimit = 65_536
    public var userInfoLimit = 65_536
    public var contextLimit = 262_144

    // The device
    /// How long complete-protection keys stay after locking.
    public var lockGrace = VirtualDuration.seconds(10)

    public init() {}
}
