internal import DeviceSimCore
import Dispatch
import Synchronization

extension SystemShims {
    /// `DispatchQueue` as app code uses it, in virtual time.
    ///
    /// A serial queue keeps its order. A concurrent one of the app's own runs its blocks one after the other, which is one of the ways in which Dispatch
    /// may run them; those of a global queue are ready in any order. Outside a simulation the calls go to Dispatch.
    public final class DispatchQueue: Sendable {
        /// Dispatch's own: whether the queue is concurrent, or begins inactive.
        public typealias Attributes = Dispatch.DispatchQueue.Attributes
        /// Dispatch's own. Without effect in a simulation.
        public typealias AutoreleaseFrequency = Dispatch.DispatchQueue.AutoreleaseFrequency
        /// Dispatch's own. All global queues are one in a simulation.
        public typealias GlobalQueuePriority = DispatchQoS.QoSClass

        /// The queue of the running process's main thread.
        public static let main = DispatchQueue(.main, host: .main)
        private static let shared = DispatchQueue(.global, host: .global())
        private static let count = Atomic<Int>(0)

        enum Kind: Sendable {
            case main, global
            case own(number: Int)
        }

        let kind: Kind
        let host: Dispatch.DispatchQueue
        /// What the code that made the queue calls it. Appears in reports of escapes.
        public var label: String { host.label }

        private init(_ kind: Kind, host: Dispatch.DispatchQueue) {
            self.kind = kind
            self.host = host
        }

        /// A queue of the app's own. It belongs to the process that uses it, and ends with it. Quality of service and target decide
        /// nothing.
        public convenience init(
            label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
            autoreleaseFrequency: AutoreleaseFrequency = .inherit,
            target: DispatchQueue? = nil
        ) {
            let host = Dispatch.DispatchQueue(
                label: label, qos: qos, attributes: attributes, autoreleaseFrequency: autoreleaseFrequency, target: target?.host)
            self.init(.own(number: Self.count.add(1, ordering: .relaxed).newValue), host: host)
        }

        /// The queue of work that is ready in any order, whatever the quality of service.
        public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { shared }

        /// Puts a block on the queue, to run when the scheduler comes to it.
        @preconcurrency
        public func async(
            group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
            execute work: @escaping @Sendable () -> Void
        ) {
            guard let context = process("DispatchQueue.async") else {
                return host.async(group: group?.host, qos: qos, flags: flags, execute: work)
            }
            group?.enter()
            add(in: context) {
                work()
                group?.leave()
            }
        }

        /// Puts a work item on the queue. One that is cancelled by then does not run.
        public func async(execute workItem: DispatchWorkItem) {
            guard let context = process("DispatchQueue.async") else { return host.async(execute: workItem.host) }
            add(in: context) { workItem.perform() }
        }

        /// Puts a work item on the queue, and counts it in the group until it has run.
        public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {
            guard let context = process("DispatchQueue.async") else { return host.async(group: group.host, execute: workItem.host) }
            group.enter()
            add(in: context) {
                workItem.perform()
                group.leave()
            }
        }

        /// Puts a block on the queue at a later instant of virtual time.
        @preconcurrency
        public func asyncAfter(
            deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
            execute work: @escaping @Sendable () -> Void
        ) {
            guard let context = process("DispatchQueue.asyncAfter") else {
                return host.asyncAfter(deadline: deadline.host, qos: qos, flags: flags, execute: work)
            }
            add(at: deadline, in: context, work)
        }

        /// Puts a work item on the queue at a later instant of virtual time. Cancelling it before keeps it from running.
        public func asyncAfter(deadline: DispatchTime, execute workItem: DispatchWorkItem) {
            guard let context = process("DispatchQueue.asyncAfter") else {
                return host.asyncAfter(deadline: deadline.host, execute: workItem.host)
            }
            add(at: deadline, in: context) { workItem.perform() }
        }

        /// Runs what the queue holds, and then `work`. On the queue that is running this would wait for ever: that is reported.
        public func sync<Value>(execute work: () throws -> Value) rethrows -> Value {
            guard let context = process("DispatchQueue.sync") else { return try host.sync(execute: work) }
            guard let lane = lane(in: context) else { return try work() }
            if lane.isRunning, lane.runningWork != context.executor.scheduler?.workNumber {
                // Its item blocks, and lets the code that asks here run.
                _ = context.block(in: "DispatchQueue(\(label)).sync") { !lane.isRunning }
            } else if lane.isRunning || isCurrent {
                context.reportBlockage("DispatchQueue(\(label)).sync on itself waits for ever")
            }
            return try lane.finish(work)
        }

        /// As `sync(execute:)`. A barrier is what every block is here.
        public func sync<Value>(flags: DispatchWorkItemFlags, execute work: () throws -> Value) rethrows -> Value {
            try sync(execute: work)
        }

        /// As `sync(execute:)`, with a work item.
        public func sync(execute workItem: DispatchWorkItem) {
            sync { workItem.perform() }
        }

        // MARK: In a process

        /// Whether the code that is running is on this queue.
        var isCurrent: Bool {
            guard let context = ProcessContext.current else { return false }
            switch kind {
            case .main: return isMainThread
            case .global: return false
            case .own: return lane(in: context)?.isRunning == true
            }
        }

        private func lane(in context: ProcessContext) -> SerialLane? {
            switch kind {
            case .main: context.executor.main
            case .global: nil
            case .own(let number): context.lane(ofQueue: number)
            }
        }

        /// Adds a block, which runs unless its process has ended by then.
        func add(in context: ProcessContext, _ work: @escaping () -> Void) {
            let item = { [weak context] in
                guard let context, context.life.isAlive else { return }
                context.enter(work)
            }
            if let lane = lane(in: context) {
                lane.add(item)
            } else {
                context.executor.scheduler?.enqueue(for: context.executor, item)
            }
        }

        /// As `asyncAfter(deadline:execute:)`. What is idle does not keep a simulation from settling.
        package func asyncAfter(deadline: DispatchTime, isIdle: Bool, execute work: @escaping @Sendable () -> Void) {
            guard let context = process("DispatchQueue.asyncAfter") else { return host.asyncAfter(deadline: deadline.host, execute: work) }
            add(at: deadline, isIdle: isIdle, in: context, work)
        }

        private func add(at deadline: DispatchTime, isIdle: Bool = false, in context: ProcessContext, _ work: @escaping () -> Void) {
            guard let scheduler = context.executor.scheduler, let time = deadline.virtual else { return }
            scheduler.schedule(at: time, isIdle: isIdle, as: ScheduledWork("work that a queue does later", of: context.executor.name)) {
                [weak context] in
                guard let context, context.life.isAlive else { return }
                self.add(in: context, work)
            }
        }
    }
}
