internal import DeviceSimCore
import Foundation

extension SystemShims {
    /// `Operation` as app code uses it, for ``OperationQueue``. A subclass overrides ``main()``, or with ``isAsynchronous`` ``start()`` and the state, whose
    /// changes it announces by ``didChangeValue(forKey:)``.
    ///
    /// Its queue's lock guards nothing of it: an operation belongs to one process, whose code runs on one thread.
    open class Operation: @unchecked Sendable {
        /// Which of a queue's ready operations begins first.
        public enum QueuePriority: Int, Sendable {
            /// After all others.
            case veryLow = -8
            /// After those of ``normal``.
            case low = -4
            /// What an operation has unless it says otherwise.
            case normal = 0
            /// Before those of ``normal``.
            case high = 4
            /// Before all others.
            case veryHigh = 8
        }

        /// Which of a queue's ready operations begins first.
        open var queuePriority = QueuePriority.normal
        /// Kept for the app. Decides nothing in a simulation.
        open var qualityOfService = QualityOfService.default
        /// Called once, when the operation is finished.
        open var completionBlock: (@Sendable () -> Void)?
        /// For the app's own logs.
        open var name: String?
        /// The operations that must be finished before this one begins.
        public private(set) var dependencies: [Operation] = []
        private var isRunning = false
        private var isDone = false
        private var wasCancelled = false
        private var isToldDone = false
        /// Told once, when the operation is finished.
        var onFinish: [() -> Void] = []

        /// An operation that does nothing: a subclass says what.
        public init() {}

        /// Whether ``cancel()`` was called.
        open var isCancelled: Bool { wasCancelled }
        /// Whether it has begun and is not finished.
        open var isExecuting: Bool { isRunning }
        /// Whether it is over, done or cancelled.
        open var isFinished: Bool { isDone }
        /// Whether a subclass says itself when it is finished.
        open var isAsynchronous: Bool { false }
        /// As ``isAsynchronous``, under its older name.
        open var isConcurrent: Bool { isAsynchronous }
        /// Whether everything that it depends on is finished.
        open var isReady: Bool { dependencies.allSatisfy(\.isFinished) }
        /// Asks the operation to end. One that has not begun is finished without running.
        open func cancel() { wasCancelled = true }
        /// What the operation does. A subclass overrides it.
        open func main() {}

        /// Runs ``main()`` and finishes the operation, unless it was cancelled. An asynchronous subclass overrides it.
        open func start() {
            isRunning = true
            if !isCancelled { main() }
            isRunning = false
            isDone = true
            finish()
        }

        /// Announces a change to come. Nobody listens to that; ``didChangeValue(forKey:)`` is what counts.
        open func willChangeValue(forKey key: String) {}

        /// To be called by a subclass that keeps its own state.
        open func didChangeValue(forKey key: String) {
            if key == "isFinished" || key == "finished", isFinished { finish() }
        }

        /// Lets the operation begin only when another one is finished.
        public func addDependency(_ operation: Operation) { dependencies.append(operation) }
        /// Ends such a wait.
        public func removeDependency(_ operation: Operation) { dependencies.removeAll { $0 === operation } }

        /// Blocks until the operation is finished, while other work runs. Where it cannot come to its end, that is reported.
        open func waitUntilFinished() {
            guard !isFinished, let context = process("Operation.waitUntilFinished") else { return }
            _ = context.block(in: "Operation.waitUntilFinished") { isFinished }
        }

        private func finish() {
            guard !isToldDone else { return }
            isToldDone = true
            if let completionBlock { DispatchQueue.global().async(execute: completionBlock) }
            let waiting = onFinish
            onFinish = []
            for told in waiting { told() }
        }
    }

    /// `BlockOperation` as app code uses it: its blocks run one after the other.
    open class BlockOperation: Operation, @unchecked Sendable {
        /// The blocks that it runs, in their order.
        public private(set) var executionBlocks: [@Sendable () -> Void] = []

        /// An operation that runs a block.
        @preconcurrency
        public convenience init(block: @escaping @Sendable () -> Void) {
            self.init()
            executionBlocks = [block]
        }

        /// Adds a block. One that is added later than the beginning does not run.
        @preconcurrency
        open func addExecutionBlock(_ block: @escaping @Sendable () -> Void) { executionBlocks.append(block) }

        open override func main() {
            for block in executionBlocks { block() }
        }
    }
}
