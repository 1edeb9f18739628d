internal import DeviceSimCore
import Dispatch
import Synchronization

extension SystemShims {
    /// `DispatchGroup` as app code uses it. Waiting for a group that is not empty would block the simulation's thread: that is reported.
    public final class DispatchGroup: Sendable {
        let host = Dispatch.DispatchGroup()
        private let state = Mutex(State())

        private struct State {
            var count = 0
            /// What runs when the group is empty.
            var waiters: [@Sendable () -> Void] = []
        }

        /// An empty group.
        public init() {}

        /// Says that something of the group has begun.
        public func enter() {
            guard process("DispatchGroup.enter") != nil else { return host.enter() }
            state.withLock { $0.count += 1 }
        }

        /// Says that something of the group has ended. After the last one, what was to be told is put on its queue.
        public func leave() {
            guard process("DispatchGroup.leave") != nil else { return host.leave() }
            let waiters = state.withLock { state in
                state.count -= 1
                guard state.count <= 0 else { return [@Sendable () -> Void]() }
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter() }
        }

        /// Puts `work` on a queue once the group is empty, at once if it is.
        @preconcurrency
        public func notify(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
            execute work: @escaping @Sendable () -> Void
        ) {
            guard process("DispatchGroup.notify") != nil else {
                return host.notify(qos: qos, flags: flags, queue: queue.host, execute: work)
            }
            let isEmpty = state.withLock { state in
                if state.count > 0 { state.waiters.append { queue.async(execute: work) } }
                return state.count <= 0
            }
            if isEmpty { queue.async(execute: work) }
        }

        /// Returns if the group is empty. Otherwise reports an escape and returns all the same.
        public func wait() {
            guard let context = process("DispatchGroup.wait") else { return host.wait() }
            if state.withLock({ $0.count > 0 }) { reportEscape("DispatchGroup.wait blocks the thread", in: context) }
        }

        /// Succeeds if the group is empty. Otherwise reports an escape and times out at once.
        public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
            guard let context = process("DispatchGroup.wait") else { return host.wait(timeout: timeout.host) }
            guard state.withLock({ $0.count > 0 }) else { return .success }
            reportEscape("DispatchGroup.wait blocks the thread", in: context)
            return .timedOut
        }
    }

    /// `DispatchSemaphore` as app code uses it. Waiting for a signal that has not been given would block the simulation's thread: that is reported.
    public final class DispatchSemaphore: Sendable {
        private let host: Dispatch.DispatchSemaphore
        private let value: Mutex<Int>

        /// A semaphore that so many may pass before a signal.
        public init(value: Int) {
            host = Dispatch.DispatchSemaphore(value: value)
            self.value = Mutex(value)
        }

        /// Lets one more pass.
        @discardableResult
        public func signal() -> Int {
            guard process("DispatchSemaphore.signal") != nil else { return host.signal() }
            value.withLock { $0 += 1 }
            return 0
        }

        /// Passes if a signal is there. Otherwise reports an escape and returns all the same.
        public func wait() {
            guard process("DispatchSemaphore.wait") != nil else { return host.wait() }
            _ = take()
        }

        /// Passes if a signal is there. Otherwise reports an escape and times out at once.
        public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
            guard process("DispatchSemaphore.wait") != nil else { return host.wait(timeout: timeout.host) }
            return take() ? .success : .timedOut
        }

        private func take() -> Bool {
            let isFree = value.withLock { value in
                guard value > 0 else { return false }
                value -= 1
                return true
            }
            if !isFree, let context = ProcessContext.current { reportEscape("DispatchSemaphore.wait blocks the thread", in: context) }
            return isFree
        }
    }

    /// A condition for `dispatchPrecondition(condition:)`.
    public enum DispatchPredicate: Sendable {
        /// Holds in work of that queue.
        case onQueue(DispatchQueue)
        /// Holds in work of that queue. Each of them runs alone, as a barrier does.
        case onQueueAsBarrier(DispatchQueue)
        /// Holds anywhere else.
        case notOnQueue(DispatchQueue)
    }

    /// Ends the host's process unless the condition holds, as Dispatch does.
    public static func dispatchPrecondition(condition: DispatchPredicate, file: StaticString = #fileID, line: UInt = #line) {
        guard process("dispatchPrecondition") != nil else {
            switch condition {
            case .onQueue(let queue): return Dispatch.dispatchPrecondition(condition: .onQueue(queue.host))
            case .onQueueAsBarrier(let queue): return Dispatch.dispatchPrecondition(condition: .onQueueAsBarrier(queue.host))
            case .notOnQueue(let queue): return Dispatch.dispatchPrecondition(condition: .notOnQueue(queue.host))
            }
        }
        switch condition {
        case .onQueue(let queue), .onQueueAsBarrier(let queue): precondition(queue.isCurrent, "not on the queue", file: file, line: line)
        case .notOnQueue(let queue): precondition(!queue.isCurrent, "on the queue", file: file, line: line)
        }
    }
}
