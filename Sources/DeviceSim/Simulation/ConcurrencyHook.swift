#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Catches the jobs that name no executor, such as `Task {}` in a delegate callback, while a simulation runs on the thread.
///
/// The runtime has a hook for its global queue, `swift_task_enqueueGlobal_hook`, reached by name because no header declares it for
/// Swift. Outside simulations, and where the runtime lacks it (`-static-stdlib`), nothing changes.
enum ConcurrencyHook {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Whether the runtime has the hook.
    static let isAvailable: Bool = {
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else { return false }
        let hook: Hook = { job, original in
            if let scheduler = CurrentScheduler.value {
                scheduler.enqueueStray(job)
            } else {
                original(job)
            }
        }
        symbol.assumingMemoryBound(to: Hook?.self).pointee = hook
        return true
    }()

    /// Sets the hook, once in the life of the host's process.
    static func install() {
        _ = isAvailable
    }
}

/// The scheduler that is running work on this thread.
enum CurrentScheduler {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    static var value: Scheduler? {
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
