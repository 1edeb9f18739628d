/// Which backend answers for the code that is running. Not part of Apple's interface.
public enum WCSessionBackends {
    /// The backend of the simulated app process whose code is running. A simulation binds it.
    @TaskLocal public static var current: (any WCSessionBackend)?

    /// The session of a host on which nothing is simulated. It has no state but its delegate, which nothing calls.
    nonisolated(unsafe) static let unsupportedSession = WCSession(backend: nil)
}
