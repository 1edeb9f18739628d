internal import DeviceSimCore
import Dispatch
import Synchronization

extension SystemShims {
    /// `DispatchWorkItem` as app code uses it. What is to be told when it has run is told in virtual time.
    public final class DispatchWorkItem: @unchecked Sendable {
        /// The block, and what Dispatch would make of it outside a simulation.
        private let block: () -> Void
        let host: Dispatch.DispatchWorkItem
        private let state = Synchronization.Mutex(State())

        private struct State {
            var isCancelled = false
            var hasRun = false
            /// What runs when the item has.
            var waiters: [@Sendable () -> Void] = []
        }

        /// A work item. In a simulation quality of service and flags decide nothing.
        public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], block: @escaping () -> Void) {
            self.block = block
            host = Dispatch.DispatchWorkItem(qos: qos, flags: flags, block: block)
        }

        /// Whether ``cancel()`` was called. Work that runs long may look at it.
        public var isCancelled: Bool { state.withLock { $0.isCancelled } }

        /// Without effect on an item that is running.
        public func cancel() {
            state.withLock { $0.isCancelled = true }
            host.cancel()
        }

        /// Runs the block, unless the item is cancelled. Either way what waits for it goes on.
        public func perform() {
            guard process("DispatchWorkItem.perform") != nil else { return host.perform() }
            if !isCancelled { block() }
            let waiters = state.withLock { state in
                state.hasRun = true
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter() }
        }

        /// Puts `work` on a queue once the item has run, at once if it has.
        @preconcurrency
        public func notify(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
            execute work: @escaping @Sendable () -> Void
        ) {
            guard process("DispatchWorkItem.notify") != nil else {
                return host.notify(qos: qos, flags: flags, queue: queue.host, execute: work)
            }
            let hasRun = state.withLock { state in
                if !state.hasRun { state.waiters.append { queue.async(execute: work) } }
                return state.hasRun
            }
            if hasRun { queue.async(execute: work) }
        }

        /// Puts another work item on a queue once this one has run.
        public func notify(queue: DispatchQueue, execute workItem: DispatchWorkItem) {
            notify(queue: queue) { workItem.perform() }
        }

        /// Blocks until the item has run, while other work runs. Where nothing will run it, that is reported.
        public func wait() {
            guard let context = process("DispatchWorkItem.wait") else { return host.wait() }
            _ = context.block(in: "DispatchWorkItem.wait") { hasRun }
        }

        /// Blocks until the item has run, or until the deadline, while other work runs.
        public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
            guard let context = process("DispatchWorkItem.wait") else { return host.wait(timeout: timeout.host) }
            return context.block(in: "DispatchWorkItem.wait", until: timeout.virtual) { hasRun } ? .success : .timedOut
        }

        private var hasRun: Bool { state.withLock { $0.hasRun } }
    }
}
