#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Catches the jobs that name no executor, such as `Task {}` in a delegate callback, and what belongs to the main actor, while a simulation runs on
/// the thread.
///
/// The runtime has hooks for its global queue and for the main actor's executor, reached by name because no header declares them for Swift. Outside
/// simulations, and where the runtime does not show them (`-static-stdlib`, see ``HostRuntime/obstacle``), nothing changes.
enum ConcurrencyHook {
    private typealias EnqueueGlobal = @convention(thin) (UnownedJob) -> Void
    private typealias EnqueueGlobalHook = @convention(thin) (UnownedJob, EnqueueGlobal) -> Void
    private typealias MainExecutor = @convention(thin) () -> UnownedSerialExecutor
    private typealias MainExecutorHook = @convention(thin) (MainExecutor) -> UnownedSerialExecutor

    /// Whether the runtime has the hook for jobs that name no executor.
    static let isAvailable: Bool = {
        guard let symbol = symbol("swift_task_enqueueGlobal_hook") else { return false }
        let hook: EnqueueGlobalHook = { job, original in
            if let scheduler = CurrentScheduler.value { scheduler.enqueueStray(job) } else { original(job) }
        }
        symbol.assumingMemoryBound(to: EnqueueGlobalHook?.self).pointee = hook
        return true
    }()

    /// Whether the runtime has the hook for the main actor.
    static let catchesMainActor: Bool = {
        guard let symbol = symbol("swift_task_getMainExecutor_hook") else { return false }
        let hook: MainExecutorHook = { original in
            CurrentScheduler.value == nil ? original() : SimulatedMainExecutor.shared.asUnownedSerialExecutor()
        }
        symbol.assumingMemoryBound(to: MainExecutorHook?.self).pointee = hook
        return true
    }()

    /// Sets the hooks, once in the life of the host's process.
    static func install() {
        _ = isAvailable
        _ = catchesMainActor
        SleepCatcher.install()
    }

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
        dlsym(dlopen(nil, RTLD_NOW), name)
    }
}

/// The scheduler that is running work on this thread.
package enum CurrentScheduler {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    package static var value: Scheduler? {
        pthread_getspecific(key).map { Unmanaged<Scheduler>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Makes `scheduler` current and returns what was. The caller keeps `scheduler` alive until ``restore(_:)``.
    static func swap(_ scheduler: Scheduler) -> UnsafeMutableRawPointer? {
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(scheduler).toOpaque())
        return outer
    }

    static func restore(_ outer: UnsafeMutableRawPointer?) {
        pthread_setspecific(key, outer)
    }
}

/// A thread, for comparing.
struct ThreadIdentity: Equatable {
    private let thread: pthread_t

    static var current: ThreadIdentity { ThreadIdentity(thread: pthread_self()) }

    static func == (lhs: ThreadIdentity, rhs: ThreadIdentity) -> Bool {
        pthread_equal(lhs.thread, rhs.thread) != 0
    }
}
