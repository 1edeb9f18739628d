import Synchronization

/// Which backend answers for the code that is running. Not part of Apple's interface.
public enum WCSessionBackends {
    /// The backend that a simulation binds around the code of a process, and that tasks inherit.
    ///
    /// It is asked second: on a thread that no simulation runs on, it tells whose code escaped.
    @TaskLocal public static var current: (any WCSessionBackend)?

    /// The backend of the code that is running: of the process whose job runs on this thread, else ``current``.
    ///
    /// A job knows its process also where tasks inherit nothing: in detached tasks, on the main actor, and in blocks of queues.
    static var answering: (any WCSessionBackend)? {
        finder.load(ordering: .acquiring)?.takeUnretainedValue().find() ?? current
    }

    /// Tells how to find the backend of the process whose job runs on the calling thread. The first caller wins; what it gave stays for the life of
    /// the host's process. For simulations.
    public static func install(find: @escaping @Sendable () -> (any WCSessionBackend)?) {
        let mine = Unmanaged.passRetained(Finder(find: find))
        if !finder.compareExchange(expected: nil, desired: mine, ordering: .acquiringAndReleasing).exchanged { mine.release() }
    }

    private static let finder = Atomic<Unmanaged<Finder>?>(nil)

    private final class Finder: Sendable {
        let find: @Sendable () -> (any WCSessionBackend)?

        init(find: @escaping @Sendable () -> (any WCSessionBackend)?) {
            self.find = find
        }
    }

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
