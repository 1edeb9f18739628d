import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread of the host's process, as another thread sees it. It must not have ended.
struct HostThread: @unchecked Sendable {
    private let thread: pthread_t

    static var current: HostThread { HostThread(thread: pthread_self()) }

    /// To be called on a thread whose stack is to be had: one that Dispatch made, or that one of those has made, takes no signals.
    static func allowSamples() {
        #if os(Linux)
            StackSample.allow()
        #endif
    }

    /// Whether the host says how much of the processor a thread has used.
    var tellsProcessorTime: Bool { processorTime != nil }

    /// How much of the processor the thread has used, in seconds; `nil` where the host does not say.
    var processorTime: Double? {
        #if os(Linux)
            var clock = clockid_t()
            var time = timespec()
            guard pthread_getcpuclockid(thread, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        #else
            return nil
        #endif
    }

    /// The return addresses on the thread's stack, innermost first; none where the host does not give them.
    func stack() -> [UInt] {
        #if os(Linux)
            StackSample.take(of: thread)
        #else
            []
        #endif
    }

    /// Files and lines, and functions, of code outside the system and this package's libraries. Slow.
    static func places(of addresses: [UInt]) -> [String] {
        #if os(Linux) && canImport(Runtime)
            Array(SourcePlaces.of(addresses.map(UInt64.init)).prefix(24))
        #else
            []
        #endif
    }
}

#if os(Linux)
    /// What a signal handler on another thread wrote down of that thread's stack. One at a time, which the watchdog sees to.
    private enum StackSample {
        private typealias Unwinder = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32

        private static let limit = 96
        private nonisolated(unsafe) static let frames = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: limit)
        private static let count = Atomic<Int>(-1)
        /// glibc's own; reached by name, since its header is not in Swift's module.
        private static let unwind: Unwinder? = dlsym(nil, "backtrace").map { unsafeBitCast($0, to: Unwinder.self) }
        /// One that nobody else uses.
        private static let signal = __libc_current_sigrtmax() - 3

        /// Only what may be done in a signal handler: glibc's unwinder has been loaded before.
        private static let handler: @convention(c) (Int32) -> Void = { _ in
            guard let unwind = StackSample.unwind else { return }
            StackSample.count.store(Int(unwind(StackSample.frames, Int32(StackSample.limit))), ordering: .releasing)
        }

        /// - Returns: whether the handler could be set.
        private static let isReady: Bool = {
            guard let unwind else { return false }
            // The first call loads what the others use.
            _ = unwind(frames, 1)
            var action = sigaction()
            action.__sigaction_handler.sa_handler = handler
            action.sa_flags = Int32(SA_RESTART)
            return sigaction(signal, &action, nil) == 0
        }()

        static func allow() {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, signal)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        }

        static func take(of thread: pthread_t) -> [UInt] {
            guard isReady else { return [] }
            count.store(-1, ordering: .releasing)
            guard pthread_kill(thread, signal) == 0 else { return [] }
            // Half a second at most: a thread that does not get to its handler has no stack to show.
            for _ in 0..<500 where count.load(ordering: .acquiring) < 0 {
                var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
                nanosleep(&pause, nil)
            }
            let found = count.load(ordering: .acquiring)
            return found > 0 ? (0..<found).map { UInt(bitPattern: frames[$0]) } : []
        }
    }
#endif
