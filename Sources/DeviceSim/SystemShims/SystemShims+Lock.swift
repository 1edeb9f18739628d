internal import DeviceSimCore
import Foundation
import Synchronization

/// Who holds a lock of app code. In a simulation a holder is a piece of work; code that asks for a lock of its own piece of work waits for ever, which is
/// reported at once. Elsewhere it is a lock of the host's.
final class SimulatedLock: @unchecked Sendable {
    private let name: String
    private let isRecursive: Bool
    private let host = Foundation.NSRecursiveLock()
    /// Of a lock that may be taken once: whether the host's code holds it.
    private let hostHolds = Foundation.NSCondition()
    private var isHostHeld = false
    /// The piece of work that holds it, as `Scheduler.workNumber`; `nil`: nobody does.
    private var holder: Int?
    private var depth = 0

    /// - Parameter name: What code calls the lock, for reports.
    init(_ name: String, isRecursive: Bool = false) {
        self.name = name
        self.isRecursive = isRecursive
    }

    /// Takes the lock; waits for it, while other work runs.
    /// - Parameter call: What the code calls, for reports.
    func lock(_ call: String = "lock") {
        guard let context = SystemShims.process("\(name).\(call)") else { return lockOnHost() }
        let work = context.executor.scheduler?.workNumber ?? 0
        if holder == work {
            if !isRecursive { context.reportBlockage("\(name).\(call) waits for ever: the code that calls it holds the lock itself") }
            depth += 1
            return
        }
        if holder != nil { _ = context.block(in: "\(name).\(call)") { holder == nil } }
        take(work)
    }

    /// Takes the lock if nobody holds it, or the caller of a recursive one.
    func lockIfFree(before deadline: VirtualTime? = nil) -> Bool {
        guard let context = SystemShims.process("\(name).try") else { return lockOnHostIfFree() }
        let work = context.executor.scheduler?.workNumber ?? 0
        if holder == work {
            guard isRecursive else { return false }
            depth += 1
            return true
        }
        if holder != nil, let deadline { _ = context.block(in: name, until: deadline) { holder == nil } }
        guard holder == nil else { return false }
        take(work)
        return true
    }

    /// Gives the lock back.
    func unlock() {
        guard SystemShims.process("\(name).unlock") != nil else { return unlockOnHost() }
        depth = max(0, depth - 1)
        if depth == 0 { holder = nil }
    }

    /// Whether the running code holds the lock.
    var isHeldByCaller: Bool {
        guard let context = ProcessContext.current else { return isHostHeld }
        return holder == context.executor.scheduler?.workNumber
    }

    private func take(_ work: Int) {
        holder = work
        depth = 1
    }

    private func lockOnHost() {
        guard !isRecursive else { return host.lock() }
        hostHolds.lock()
        while isHostHeld { hostHolds.wait() }
        isHostHeld = true
        hostHolds.unlock()
    }

    private func lockOnHostIfFree() -> Bool {
        guard !isRecursive else { return host.try() }
        return hostHolds.withLock {
            defer { isHostHeld = true }
            return !isHostHeld
        }
    }

    private func unlockOnHost() {
        guard !isRecursive else { return host.unlock() }
        hostHolds.withLock {
            isHostHeld = false
            hostHolds.signal()
        }
    }
}

extension SystemShims {
    /// `NSLock` as app code uses it. Code that takes it twice waits for ever: that is reported at once, with the place.
    open class NSLock: NSObject, NSLocking, @unchecked Sendable {
        private let core = SimulatedLock("NSLock")
        /// For the app's own logs.
        open var name: String?

        /// A lock that nobody holds.
        public override init() {}

        /// Takes the lock; waits for it, while other work runs.
        open func lock() { core.lock() }
        /// Gives the lock back.
        open func unlock() { core.unlock() }
        /// Takes the lock if nobody holds it.
        open func `try`() -> Bool { core.lockIfFree() }
        /// Takes the lock, or gives up at an instant of the device's clock.
        open func lock(before limit: Date) -> Bool { core.lockIfFree(before: deadline(limit)) }
    }

    /// `NSRecursiveLock` as app code uses it.
    open class NSRecursiveLock: NSObject, NSLocking, @unchecked Sendable {
        private let core = SimulatedLock("NSRecursiveLock", isRecursive: true)
        /// For the app's own logs.
        open var name: String?

        /// A lock that nobody holds.
        public override init() {}

        /// Takes the lock, once more where the code holds it; waits for it, while other work runs.
        open func lock() { core.lock() }
        /// Gives the lock back, once.
        open func unlock() { core.unlock() }
        /// Takes the lock if nobody else holds it.
        open func `try`() -> Bool { core.lockIfFree() }
        /// Takes the lock, or gives up at an instant of the device's clock.
        open func lock(before limit: Date) -> Bool { core.lockIfFree(before: deadline(limit)) }
    }

    /// `NSCondition` as app code uses it: code that waits blocks, while other work runs. What nobody can signal any more is reported.
    open class NSCondition: NSObject, NSLocking, @unchecked Sendable {
        private let core = SimulatedLock("NSCondition")
        private let host = Foundation.NSCondition()
        /// Who waits and was not signalled, by number: a signal is for those who wait when it is given, in their order.
        private var waiting: [Int] = []
        private var count = 0
        /// For the app's own logs.
        open var name: String?

        /// A condition that nobody waits for.
        public override init() {}

        /// Takes the condition's lock.
        open func lock() { process("NSCondition.lock") == nil ? host.lock() : core.lock() }
        /// Gives the condition's lock back.
        open func unlock() { process("NSCondition.unlock") == nil ? host.unlock() : core.unlock() }

        /// Gives the lock back, waits for a signal, and takes the lock again.
        open func wait() {
            guard let context = process("NSCondition.wait") else { return host.wait() }
            _ = wait(in: context, until: nil)
        }

        /// The same, or gives up at an instant of the device's clock.
        open func wait(until limit: Date) -> Bool {
            guard let context = process("NSCondition.wait") else { return host.wait(until: limit) }
            return wait(in: context, until: deadline(limit))
        }

        private func wait(in context: ProcessContext, until deadline: VirtualTime?) -> Bool {
            core.unlock()
            count += 1
            let number = count
            waiting.append(number)
            let isSignalled = context.block(in: "NSCondition.wait", until: deadline) { !waiting.contains(number) }
            waiting.removeAll { $0 == number }
            core.lock()
            return isSignalled
        }

        /// Lets one of those that wait go on.
        open func signal() {
            guard process("NSCondition.signal") != nil else { return host.signal() }
            if !waiting.isEmpty { waiting.removeFirst() }
        }

        /// Lets all that wait go on.
        open func broadcast() {
            guard process("NSCondition.broadcast") != nil else { return host.broadcast() }
            waiting = []
        }
    }

    /// The virtual time at which the device's clock will show this.
    static func deadline(_ date: Date) -> VirtualTime? {
        (DispatchTime.now() + max(0, date.timeIntervalSince(now))).virtual
    }
}
