import Foundation

/// Turns a trap of the process into the exit status of a bug, and says which run was under way.
///
/// Only what may be done in a signal handler is done in it: reading a thread's own pointer, `write`, `_exit`. So it does not look whose frames lie on the
/// stack: where code of an app's own runs, it blames nobody, and says how to see them. The runtime has already printed the message of a trap when the
/// handler runs.
enum CrashGuard {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()
    private static let stackSize = 64 << 10

    /// Called once, before there are threads. Does nothing where the user has asked the runtime for backtraces, which need the signals.
    /// - Parameter runsForeignCode: Whether code of an app's own runs under the scenarios, which may trap too.
    static func install(environment: [String: String], runsForeignCode: Bool) {
        let handler = runsForeignCode ? foreignHandler : ownHandler
        guard environment["SWIFT_BACKTRACE"] == nil else { return }
        _ = key
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            var action = sigaction()
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = handler
            #else
                action.__sigaction_handler.sa_handler = handler
            #endif
            action.sa_flags = Int32(SA_ONSTACK)
            sigaction(signal, &action, nil)
        }
    }

    /// Gives the calling thread a second stack, so that the handler runs even when the first has overflowed.
    static func enterThread() {
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
        stack.ss_size = .init(stackSize)
        sigaltstack(&stack, nil)
    }

    static func leaveThread() {
        var none = stack_t()
        var stack = stack_t()
        none.ss_flags = .init(SS_DISABLE)
        none.ss_size = .init(stackSize)
        sigaltstack(&none, &stack)
        stack.ss_sp?.deallocate()
        setName(nil)
    }

    /// Notes what the calling thread is about to run.
    static func setName(_ name: String?) {
        let previous = pthread_getspecific(key)
        pthread_setspecific(key, name.flatMap { strdup($0) })
        free(previous)
    }

    private static let ownHandler: @convention(c) (Int32) -> Void = { _ in
        end("pairsim: this is a bug of pairsim", ". Please report it with the lines above.\n")
    }

    private static let foreignHandler: @convention(c) (Int32) -> Void = { _ in
        end(
            "pairsim: code trapped, of the app under test or of pairsim",
            ". Do that again with SWIFT_BACKTRACE=enable=yes to see whose; if it is pairsim's, please report it.\n")
    }

    private static func end(_ what: StaticString, _ remedy: StaticString) -> Never {
        say(what)
        if let name = pthread_getspecific(key) {
            say(", met while running ")
            _ = write(STDERR_FILENO, name, strlen(name.assumingMemoryBound(to: CChar.self)))
        }
        say(remedy)
        _exit(ExitStatus.bug.rawValue)
    }

    private static func say(_ text: StaticString) {
        _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
