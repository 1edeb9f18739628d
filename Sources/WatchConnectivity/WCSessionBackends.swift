/// Which backend answers for the code that is running. Not part of Apple's interface.
public enum WCSessionBackends {
    /// The backend of the simulated app process whose code is running. A simulation binds it.
    @TaskLocal public static var current: (any WCSessionBackend)?

    /// The session of a host on which nothing is simulated.
    nonisolated(unsafe) static let unsupportedSession: WCSession = UnsupportedSession(backend: nil)
}

/// A session that supports nothing and keeps nothing, so that any thread may use it.
private final class UnsupportedSession: WCSession {
    override weak var delegate: (any WCSessionDelegate)? {
        get { nil }
        set {}
    }
}
