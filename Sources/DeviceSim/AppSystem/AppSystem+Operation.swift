import Foundation

extension AppSystem {
    /// `Operation` as app code uses it, for ``OperationQueue``. A subclass overrides ``main()``, or with ``isAsynchronous`` ``start()`` and the state, whose
    /// changes it announces by ``didChangeValue(forKey:)``.
    ///
    /// Its queue's lock guards nothing of it: an operation belongs to one process, whose code runs on one thread.
    open class Operation: @unchecked Sendable {
        public enum QueuePriority: Int, Sendable {
            case veryLow = -8
            case low = -4
            case normal = 0
            case high = 4
            case veryHigh = 8
        }

        open var queuePriority = QueuePriority.normal
        open var qualityOfService = QualityOfService.default
        open var completionBlock: (@Sendable () -> Void)?
        open var name: String?
        public private(set) var dependencies: [Operation] = []
        private var isRunning = false
        private var isDone = false
        private var wasCancelled = false
        private var isToldDone = false
        /// Told once, when the operation is finished.
        var onFinish: [() -> Void] = []

        public init() {}

        open var isCancelled: Bool { wasCancelled }
        open var isExecuting: Bool { isRunning }
        open var isFinished: Bool { isDone }
        open var isAsynchronous: Bool { false }
        open var isConcurrent: Bool { isAsynchronous }
        open var isReady: Bool { dependencies.allSatisfy(\.isFinished) }
        open func cancel() { wasCancelled = true }
        open func main() {}

        open func start() {
            isRunning = true
            if !isCancelled { main() }
            isRunning = false
            isDone = true
            finish()
        }

        open func willChangeValue(forKey key: String) {}

        /// To be called by a subclass that keeps its own state.
        open func didChangeValue(forKey key: String) {
            if key == "isFinished" || key == "finished", isFinished { finish() }
        }

        public func addDependency(_ operation: Operation) { dependencies.append(operation) }
        public func removeDependency(_ operation: Operation) { dependencies.removeAll { $0 === operation } }

        /// Waiting would block the simulation's thread: that is reported.
        open func waitUntilFinished() {
            guard !isFinished, let context = process("Operation.waitUntilFinished") else { return }
            reportEscape("Operation.waitUntilFinished blocks the thread", in: context)
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
        public private(set) var executionBlocks: [@Sendable () -> Void] = []

        @preconcurrency
        public convenience init(block: @escaping @Sendable () -> Void) {
            self.init()
            executionBlocks = [block]
        }

        @preconcurrency
        open func addExecutionBlock(_ block: @escaping @Sendable () -> Void) { executionBlocks.append(block) }

        open override func main() {
            for block in executionBlocks { block() }
        }
    }
}
