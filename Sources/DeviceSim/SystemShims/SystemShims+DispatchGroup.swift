internal import DeviceSimCore
import Dispatch
import Synchronization

extension SystemShims {
    /// `DispatchGroup` as app code uses it. Code that waits for a group blocks, while other work runs and time passes.
    public final class DispatchGroup: Sendable {
        let host = Dispatch.DispatchGroup()
        private let state = Synchronization.Mutex(State())

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
            let waiters = state.withLock { state -> [@Sendable () -> Void]? in
                guard state.count > 0 else { return nil }
                state.count -= 1
                guard state.count == 0 else { return [] }
                defer { state.waiters = [] }
                return state.waiters
            }
            // Dispatch ends an app that leaves more often than it entered, as where both the reply and the time limit do.
            guard let waiters else { return ProcessContext.trap("EXC_BREAKPOINT") }
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

        /// Blocks until the group is empty, while other work runs. Where nothing can empty it any more, that is reported.
        public func wait() {
            guard let context = process("DispatchGroup.wait") else { return host.wait() }
            _ = context.block(in: "DispatchGroup.wait") { isEmpty }
        }

        /// Blocks until the group is empty, or until the deadline, while other work runs.
        public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
            guard let context = process("DispatchGroup.wait") else { return host.wait(timeout: timeout.host) }
            return context.block(in: "DispatchGroup.wait", until: timeout.virtual) { isEmpty } ? .success : .timedOut
        }

        private var isEmpty: Bool { state.withLock { $0.count <= 0 } }
    }

    /// `DispatchSemaphore` as app code uses it. Code that waits for a signal blocks, while other work runs and time passes.
    public final class DispatchSemaphore: Sendable {
        private let host: Dispatch.DispatchSemaphore
        private let value: Synchronization.Mutex<Int>

        /// A semaphore that so many may pass before a signal.
        public init(value: Int) {
            host = Dispatch.DispatchSemaphore(value: value)
            self.value = Synchronization.Mutex(value)
        }

        /// Lets one more pass.
        @discardableResult
        public func signal() -> Int {
            guard process("DispatchSemaphore.signal") != nil else { return host.signal() }
            value.withLock { $0 += 1 }
            return 0
        }

        /// Blocks until a signal is there, while other work runs. Where nothing can give one any more, that is reported.
        public func wait() {
            guard let context = process("DispatchSemaphore.wait") else { return host.wait() }
            _ = take(in: context, until: nil)
        }

        /// Blocks until a signal is there, or until the deadline, while other work runs.
        public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
            guard let context = process("DispatchSemaphore.wait") else { return host.wait(timeout: timeout.host) }
            return take(in: context, until: timeout.virtual) ? .success : .timedOut
        }

        private func take(in context: ProcessContext, until deadline: VirtualTime?) -> Bool {
            guard context.block(in: "DispatchSemaphore.wait", until: deadline, { value.withLock { $0 > 0 } }) else { return false }
            value.withLock { $0 -= 1 }
            return true
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

    /// Ends the app unless the condition holds, as Dispatch does; outside a simulation the host's process.
    public static func dispatchPrecondition(condition: DispatchPredicate, file: StaticString = #fileID, line: UInt = #line) {
        guard process("dispatchPrecondition") != nil else {
            switch condition {
            case .onQueue(let queue): return Dispatch.dispatchPrecondition(condition: .onQueue(queue.host))
            case .onQueueAsBarrier(let queue): return Dispatch.dispatchPrecondition(condition: .onQueueAsBarrier(queue.host))
            case .notOnQueue(let queue): return Dispatch.dispatchPrecondition(condition: .notOnQueue(queue.host))
            }
        }
        switch condition {
        case .onQueue(let queue), .onQueueAsBarrier(let queue): if !queue.isCurrent { ProcessContext.trap("EXC_BREAKPOINT") }
        case .notOnQueue(let queue): if queue.isCurrent { ProcessContext.trap("EXC_BREAKPOINT") }
        }
    }
}
