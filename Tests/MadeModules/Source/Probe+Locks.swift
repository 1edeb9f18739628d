import Foundation
import Synchronization

/// Locks as code has them, and code that waits.
extension Probe {
    func useLocks() {
        let lock = NSLock()
        lock.withLock { log("NSLock is free again: \(lock.try())") }
        let recursive = NSRecursiveLock()
        recursive.withLock { recursive.withLock { log("NSRecursiveLock twice") } }
        let mutex = Mutex(1)
        log("Mutex \(mutex.withLock { $0 += 1; return $0 })")
        var unfair = os_unfair_lock()
        os_unfair_lock_lock(&unfair)
        log("os_unfair_lock is free: \(os_unfair_lock_trylock(&unfair))")
        os_unfair_lock_unlock(&unfair)
        let allocated = OSAllocatedUnfairLock(initialState: ["a"])
        allocated.withLock { $0.append("b") }
        log("OSAllocatedUnfairLock \(allocated.withLock { $0.count })")
        OSAllocatedUnfairLock().withLock { log("nothing of its own") }
        var plain = pthread_mutex_t()
        pthread_mutex_init(&plain, nil)
        pthread_mutex_lock(&plain)
        log("pthread_mutex \(pthread_mutex_trylock(&plain) == EBUSY)")
        pthread_mutex_unlock(&plain)
        let stages = NSConditionLock(condition: 1)
        log("NSConditionLock \(stages.tryLock(whenCondition: 3)) \(stages.lock(whenCondition: 3, before: Date(timeIntervalSinceNow: 1)))")
        stages.lock()
        stages.unlock(withCondition: 2)
        Thread.detachNewThread {
            stages.lock(whenCondition: 2)
            stages.unlock(withCondition: 3)
        }
        stages.lock(whenCondition: 3)
        log("NSConditionLock \(stages.condition) \(stages.try())")
    }

    /// What one piece of code waits for, another gives it, at once or in time.
    func useWaiting() {
        let semaphore = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { semaphore.signal() }
        semaphore.wait()
        note("signalled at once")
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) { semaphore.signal() }
        log("in vain: \(semaphore.wait(timeout: .now() + 1) == .timedOut)")
        semaphore.wait()
        note("signalled in time")
        let group = DispatchGroup()
        DispatchQueue(label: "own").async(group: group) { Thread.sleep(forTimeInterval: 1) }
        group.wait()
        note("group")
        let condition = NSCondition()
        Thread.detachNewThread { condition.withLock { condition.broadcast() } }
        condition.lock()
        condition.wait()
        condition.unlock()
        note("condition")
        // Two queues of which one blocks: the order of each holds.
        let serial = DispatchQueue(label: "serial")
        let gate = DispatchSemaphore(value: 0)
        serial.async {
            gate.wait(); self.log("first")
        }
        serial.async { self.log("second") }
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { gate.signal() }
        serial.sync { log("third") }
    }

    func useBlocking(_ name: String) {
        switch name {
        case "NSLock":
            let lock = NSLock()
            lock.lock()
            lock.lock()
        case "Mutex":
            let mutex = Mutex(1)
            mutex.withLock { _ in mutex.withLock { $0 += 1 } }
        case "OSAllocatedUnfairLock":
            let lock = OSAllocatedUnfairLock(initialState: 1)
            lock.withLock { _ in lock.withLock { $0 += 1 } }
        case "os_unfair_lock":
            let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
            lock.initialize(to: os_unfair_lock())
            os_unfair_lock_lock(lock)
            os_unfair_lock_lock(lock)
        case "NSCondition":
            let condition = NSCondition()
            condition.lock()
            condition.wait()
        case "pthread_mutex":
            var plain = pthread_mutex_t()
            pthread_mutex_init(&plain, nil)
            pthread_mutex_lock(&plain)
            pthread_mutex_lock(&plain)
        case "DispatchQueue.main": DispatchQueue.main.async { DispatchQueue.main.sync { self.log("never") } }
        case "DispatchGroup":
            let group = DispatchGroup()
            group.enter()
            group.wait()
        default: DispatchSemaphore(value: 0).wait()
        }
    }
}
