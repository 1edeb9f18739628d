internal import DeviceSimCore
import Foundation

extension SystemShims {
    /// `OperationQueue` as app code uses it, in virtual time: operations begin in the order of their priority and then of their arrival, as soon as what they
    /// depend on is finished. Of several that may run at once each runs to its end before the next.
    ///
    /// Code that waits for operations blocks, while other work runs and time passes.
    open class OperationQueue: @unchecked Sendable {
        /// Lets the queue decide: as many at once as are ready, one after the other on the simulation's thread.
        public static let defaultMaxConcurrentOperationCount = -1
        /// The queue of the process's main thread.
        public class var main: OperationQueue { processLocal("OperationQueue.main") { OperationQueue(queue: .main) } }
        /// The queue of the operation that runs; the main queue where that is, else none.
        public class var current: OperationQueue? { isMainThread ? main : nil }

        private let queue: DispatchQueue
        private let lock = Foundation.NSRecursiveLock()
        private var waiting: [Operation] = []
        private var begun: [Operation] = []

        /// For the app's own logs.
        open var name: String?
        /// Kept for the app. Decides nothing in a simulation.
        open var qualityOfService = QualityOfService.default
        /// How many operations may be executing at one time.
        open var maxConcurrentOperationCount = OperationQueue.defaultMaxConcurrentOperationCount
        /// Whether operations that have not begun wait.
        open var isSuspended = false {
            didSet { if !isSuspended { beginReady() } }
        }

        /// A queue of the app's own.
        public init() {
            queue = .global()
        }

        private init(queue: DispatchQueue) {
            self.queue = queue
            maxConcurrentOperationCount = 1
        }

        /// The operations that are not finished, in the order in which they were added.
        public var operations: [Operation] { lock.withLock { begun + waiting } }
        /// How many operations are not finished.
        public var operationCount: Int { operations.count }
        var isCurrent: Bool { queue.isCurrent }

        /// Adds an operation, which begins when it is ready and there is room for it.
        open func addOperation(_ operation: Operation) {
            lock.withLock { waiting.append(operation) }
            for other in operation.dependencies where !other.isFinished {
                other.onFinish.append { self.beginReady() }
            }
            beginReady()
        }

        /// Adds a block as an operation.
        @preconcurrency
        open func addOperation(_ block: @escaping @Sendable () -> Void) {
            addOperation(BlockOperation(block: block))
        }

        /// Adds several operations. Waiting for them blocks, while other work runs.
        open func addOperations(_ operations: [Operation], waitUntilFinished: Bool) {
            for operation in operations { addOperation(operation) }
            if waitUntilFinished { waitUntilAllOperationsAreFinished() }
        }

        /// Runs a block after all that was added before, and before all that is added later.
        @preconcurrency
        open func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
            let operation = Barrier(block: barrier)
            for other in operations { operation.addDependency(other) }
            addOperation(operation)
        }

        /// Cancels all operations that are not finished.
        open func cancelAllOperations() {
            for operation in operations { operation.cancel() }
        }

        /// Blocks until all operations are finished, while other work runs. Where they cannot come to their end, that is reported.
        open func waitUntilAllOperationsAreFinished() {
            guard !operations.isEmpty, let context = process("OperationQueue.waitUntilAllOperationsAreFinished") else { return }
            _ = context.block(in: "OperationQueue.waitUntilAllOperationsAreFinished") { operations.isEmpty }
        }

        private final class Barrier: BlockOperation, @unchecked Sendable {}

        private func beginReady() {
            while let operation = takeNext() {
                queue.async { operation.start() }
            }
        }

        private func takeNext() -> Operation? {
            lock.withLock {
                let limit = maxConcurrentOperationCount < 0 ? .max : maxConcurrentOperationCount
                guard !isSuspended, begun.count < limit else { return nil }
                // What comes after a barrier waits for it.
                let end = waiting.firstIndex { $0 is Barrier }.map { $0 + 1 } ?? waiting.count
                let isHeldByBarrier = begun.contains { $0 is Barrier }
                guard !isHeldByBarrier,
                    let index = waiting[..<end].indices.filter({ waiting[$0].isReady }).max(by: { left, right in
                        let priorities = (waiting[left].queuePriority.rawValue, waiting[right].queuePriority.rawValue)
                        return priorities.0 == priorities.1 ? left > right : priorities.0 < priorities.1
                    })
                else { return nil }
                let operation = waiting.remove(at: index)
                begun.append(operation)
                // A queue stays until its operations have ended.
                operation.onFinish.append { self.ended(operation) }
                return operation
            }
        }

        private func ended(_ operation: Operation) {
            lock.withLock { begun.removeAll { $0 === operation } }
            beginReady()
        }
    }
}
