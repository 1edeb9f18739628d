#if !os(iOS) && !os(watchOS)
    import Synchronization

    /// Where the router of a simulated app process is found, on the hosts that can simulate one.
    public enum SimulatedProcesses {
        /// Tells how to find the router of the process whose job runs on the calling thread. The first caller wins; what it gave stays for the life of
        /// the host's process. For simulations.
        public static func install(findRouter: @escaping @Sendable () -> StorageRouter?) {
            let mine = Unmanaged.passRetained(Finder(find: findRouter))
            if !finder.compareExchange(expected: nil, desired: mine, ordering: .acquiringAndReleasing).exchanged { mine.release() }
        }

        /// The router of the process whose job runs on this thread.
        static var router: StorageRouter? {
            finder.load(ordering: .acquiring)?.takeUnretainedValue().find()
        }

        private static let finder = Atomic<Unmanaged<Finder>?>(nil)

        private final class Finder: Sendable {
            let find: @Sendable () -> StorageRouter?

            init(find: @escaping @Sendable () -> StorageRouter?) {
                self.find = find
            }
        }
    }
#else
    /// A device simulates no other.
    enum SimulatedProcesses {
        static var router: StorageRouter? { nil }
    }
#endif
