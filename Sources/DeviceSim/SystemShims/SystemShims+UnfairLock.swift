internal import DeviceSimCore
import Foundation
import Synchronization

extension SystemShims {
    /// `os_unfair_lock` as app code uses it. Code that takes it twice waits for ever, where devices end the process: that is reported at once.
    ///
    /// It holds nothing but a number, so that it may lie where code puts it, and be copied before it is used.
    public struct UnfairLock: Sendable {
        /// The piece of work that holds it; 0: nobody does.
        var holder = 0

        /// A lock that nobody holds.
        public init() {}
    }

    /// `os_unfair_lock_lock(_:)`.
    public static func lock(_ lock: UnsafeMutablePointer<UnfairLock>) {
        guard let context = process("os_unfair_lock_lock") else {
            hostLocks.lock()
            while lock.pointee.holder != 0 { hostLocks.wait() }
            lock.pointee.holder = -1
            return hostLocks.unlock()
        }
        let work = context.executor.scheduler?.workNumber ?? 0
        if lock.pointee.holder == work {
            return context.reportBlockage("os_unfair_lock_lock waits for ever: the code that calls it holds the lock itself")
        }
        if lock.pointee.holder != 0 { _ = context.block(in: "os_unfair_lock_lock") { lock.pointee.holder == 0 } }
        lock.pointee.holder = work
    }

    /// `os_unfair_lock_trylock(_:)`.
    public static func tryLock(_ lock: UnsafeMutablePointer<UnfairLock>) -> Bool {
        guard let context = process("os_unfair_lock_trylock") else {
            return hostLocks.withLock {
                guard lock.pointee.holder == 0 else { return false }
                lock.pointee.holder = -1
                return true
            }
        }
        guard lock.pointee.holder == 0 else { return false }
        lock.pointee.holder = context.executor.scheduler?.workNumber ?? 0
        return true
    }

    /// `os_unfair_lock_unlock(_:)`.
    public static func unlock(_ lock: UnsafeMutablePointer<UnfairLock>) {
        guard process("os_unfair_lock_unlock") == nil else {
            lock.pointee.holder = 0
            return
        }
        hostLocks.withLock {
            lock.pointee.holder = 0
            hostLocks.broadcast()
        }
    }

    /// `os_unfair_lock_assert_owner(_:)` and its opposite: ends the host's process unless the running code holds the lock, or does not.
    public static func assertOwner(_ lock: UnsafePointer<UnfairLock>, _ isOwner: Bool) {
        guard let context = process("os_unfair_lock_assert_owner") else { return }
        precondition((lock.pointee.holder == context.executor.scheduler?.workNumber) == isOwner, "the owner of an os_unfair_lock")
    }

    /// Of code outside a simulation, for all of its unfair locks.
    private static let hostLocks = Foundation.NSCondition()

    /// `pthread_mutex_lock(_:)`: waits while other work runs. What nobody can give back any more is reported.
    public static func lockMutex(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
        guard let context = process("pthread_mutex_lock") else { return pthread_mutex_lock(mutex) }
        let status = pthread_mutex_trylock(mutex)
        guard status == EBUSY else { return status }
        var outcome = EDEADLK
        _ = context.block(in: "pthread_mutex_lock") {
            outcome = pthread_mutex_trylock(mutex)
            return outcome != EBUSY
        }
        return outcome == EBUSY ? EDEADLK : outcome
    }

    /// `OSAllocatedUnfairLock` as app code uses it. Code that takes it twice waits for ever: that is reported at once, with the place.
    public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
        fileprivate let core = SimulatedLock("OSAllocatedUnfairLock")
        private let cell: Cell

        /// By address, so that code which takes the lock twice goes on after the report instead of ending the host's process.
        private final class Cell: @unchecked Sendable {
            let state: UnsafeMutablePointer<State>

            init(_ state: State) {
                self.state = .allocate(capacity: 1)
                self.state.initialize(to: state)
            }

            deinit {
                state.deinitialize(count: 1)
                state.deallocate()
            }
        }

        /// A lock with what it guards.
        public init(uncheckedState initialState: State) { cell = Cell(initialState) }
        /// A lock with what it guards.
        public init(initialState: State) where State: Sendable { cell = Cell(initialState) }
        /// A lock that guards nothing of its own.
        public init() where State == Void { cell = Cell(()) }

        /// Runs `body` while the lock is held.
        public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R { try withLockUnchecked(body) }

        /// Runs `body` while the lock is held.
        public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
            core.lock("withLock")
            defer { core.unlock() }
            return try body(&cell.state.pointee)
        }

        /// Runs `body` while the lock is held, if nobody else holds it.
        public func withLockIfAvailable<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R? {
            try withLockIfAvailableUnchecked(body)
        }

        /// Runs `body` while the lock is held, if nobody else holds it.
        public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
            guard core.lockIfFree() else { return nil }
            defer { core.unlock() }
            return try body(&cell.state.pointee)
        }
    }

    /// `Mutex` of the module Synchronization as app code uses it. Code that takes it twice waits for ever: that is reported at once, with the place.
    public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        private let core = SimulatedLock("Mutex")
        private let cell: UnsafeMutablePointer<Value>

        /// A mutex with what it guards.
        public init(_ initialValue: consuming sending Value) {
            cell = .allocate(capacity: 1)
            cell.initialize(to: initialValue)
        }

        deinit {
            cell.deinitialize(count: 1)
            cell.deallocate()
        }

        /// Runs `body` while the mutex is held.
        public borrowing func withLock<Result: ~Copyable, E: Error>(
            _ body: (inout sending Value) throws(E) -> sending Result
        ) throws(E) -> sending Result {
            core.lock("withLock")
            defer { core.unlock() }
            return try body(&cell.pointee)
        }

        /// Runs `body` while the mutex is held, if nobody else holds it.
        public borrowing func withLockIfAvailable<Result: ~Copyable, E: Error>(
            _ body: (inout sending Value) throws(E) -> sending Result
        ) throws(E) -> sending Result? {
            guard core.lockIfFree() else { return nil }
            defer { core.unlock() }
            return try body(&cell.pointee)
        }
    }
}

extension SystemShims.OSAllocatedUnfairLock where State == Void {
    /// Takes the lock; waits for it, while other work runs.
    public func lock() { core.lock() }
    /// Gives the lock back.
    public func unlock() { core.unlock() }
    /// Takes the lock if nobody holds it.
    public func lockIfAvailable() -> Bool { core.lockIfFree() }

    /// Runs `body` while the lock is held.
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R { try withLockUnchecked(body) }

    /// Runs `body` while the lock is held.
    public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
        core.lock("withLock")
        defer { core.unlock() }
        return try body()
    }
}
