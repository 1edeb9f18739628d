internal import DeviceSimCore
import Foundation

extension SystemShims {
    /// `NSConditionLock` as app code uses it: code that waits for the lock, or for a number, blocks, while other work runs. What nobody can bring about any
    /// more is reported.
    open class NSConditionLock: NSObject, NSLocking, @unchecked Sendable {
        private let host: Foundation.NSConditionLock
        /// In a simulation, where one thread runs all code.
        private var number: Int
        private var isHeld = false
        /// For the app's own logs.
        open var name: String?

        /// A lock that nobody has, with that condition.
        public init(condition: Int) {
            number = condition
            host = Foundation.NSConditionLock(condition: condition)
        }
        /// A lock that nobody has, with the condition 0.
        public override convenience init() { self.init(condition: 0) }

        /// The condition that the lock was given back with last.
        open var condition: Int { process("NSConditionLock.condition") == nil ? host.condition : number }

        /// Takes the lock, whatever its condition.
        open func lock() { take(whenCondition: nil) }
        /// Takes the lock once its condition is this.
        open func lock(whenCondition condition: Int) { take(whenCondition: condition) }

        /// Takes the lock if nobody has it.
        open func `try`() -> Bool { tryTake(whenCondition: nil) }
        /// Takes the lock if nobody has it, and its condition is this.
        open func tryLock(whenCondition condition: Int) -> Bool { tryTake(whenCondition: condition) }

        /// Takes the lock, or gives up at an instant of the device's clock.
        open func lock(before limit: Date) -> Bool { take(whenCondition: nil, before: limit) }
        /// Takes the lock once its condition is this, or gives up at an instant of the device's clock.
        open func lock(whenCondition condition: Int, before limit: Date) -> Bool { take(whenCondition: condition, before: limit) }

        /// Gives the lock back. Its condition stays.
        open func unlock() { give(condition: nil) }
        /// Gives the lock back, with another condition.
        open func unlock(withCondition condition: Int) { give(condition: condition) }

        private func isFree(_ wanted: Int?) -> Bool { !isHeld && (wanted == nil || wanted == number) }

        private func tryTake(whenCondition wanted: Int?) -> Bool {
            guard process("NSConditionLock.try") != nil else { return wanted.map { host.tryLock(whenCondition: $0) } ?? host.try() }
            guard isFree(wanted) else { return false }
            isHeld = true
            return true
        }

        /// Where nothing can give it any more, that is reported, and the code goes on as if it had the lock.
        @discardableResult
        private func take(whenCondition wanted: Int?, before limit: Date? = nil) -> Bool {
            guard let context = process("NSConditionLock.lock") else { return takeOnHost(whenCondition: wanted, before: limit) }
            let isTaken = context.block(in: "NSConditionLock.lock", until: limit.flatMap { deadline($0) }) { isFree(wanted) }
            guard isTaken || limit == nil else { return false }
            isHeld = true
            return true
        }

        private func takeOnHost(whenCondition wanted: Int?, before limit: Date?) -> Bool {
            switch (wanted, limit) {
            case (nil, nil): host.lock()
            case (let wanted?, nil): host.lock(whenCondition: wanted)
            case (nil, let limit?): return host.lock(before: limit)
            case (let wanted?, let limit?): return host.lock(whenCondition: wanted, before: limit)
            }
            return true
        }

        private func give(condition: Int?) {
            guard process("NSConditionLock.unlock") != nil else {
                return condition.map { host.unlock(withCondition: $0) } ?? host.unlock()
            }
            isHeld = false
            if let condition { number = condition }
        }
    }
}
