import Foundation
import Synchronization

extension AppSystem {
    /// `Thread` as app code uses it. In a simulation its body is a piece of ready work of its process, which runs when the scheduler comes to it and to its
    /// end: other work comes before or after it, as one of the ways in which threads may take turns. What would block the simulation's thread is reported.
    open class Thread: @unchecked Sendable {
        private let block: (@Sendable () -> Void)?
        private let state = Mutex(State())
        open var name: String?
        open var qualityOfService = QualityOfService.default
        open var stackSize = 0
        open var threadPriority = 0.5
        open var threadDictionary: [String: Any] = [:]

        private struct State {
            var isExecuting = false
            var isFinished = false
            var isCancelled = false
        }

        public init() {
            block = nil
        }

        public init(block: @escaping @Sendable () -> Void) {
            self.block = block
        }

        open var isExecuting: Bool { state.withLock { $0.isExecuting } }
        open var isFinished: Bool { state.withLock { $0.isFinished } }
        open var isCancelled: Bool { state.withLock { $0.isCancelled } }
        open func cancel() { state.withLock { $0.isCancelled = true } }
        open func main() { block?() }
        public var isMainThread: Bool { self === processLocal("Thread.main") { Thread() } }

        open func start() {
            guard let context = process("Thread.start") else { return Foundation.Thread { self.run() }.start() }
            context.executor.scheduler?.enqueue(for: context.executor) { [weak context] in
                guard let context, context.life.isAlive else { return }
                context.enter {
                    let outer = context.thread
                    context.thread = self
                    self.run()
                    context.thread = outer
                }
            }
        }

        private func run() {
            state.withLock { $0.isExecuting = true }
            main()
            state.withLock { $0 = State(isFinished: true, isCancelled: $0.isCancelled) }
        }

        // MARK: The running thread

        public class var main: Thread { processLocal("Thread.main") { Thread() } }
        public class var isMainThread: Bool { AppSystem.isMainThread }

        /// In a simulation that of the main queue, the one whose body runs, or one for all else.
        public class var current: Thread {
            if isMainThread { return main }
            return ProcessContext.current?.thread ?? processLocal("Thread.other") { Thread() }
        }

        @preconcurrency
        public class func detachNewThread(_ block: @escaping @Sendable () -> Void) {
            Thread(block: block).start()
        }

        public class func sleep(forTimeInterval interval: TimeInterval) {
            guard let context = process("Thread.sleep") else { return Foundation.Thread.sleep(forTimeInterval: interval) }
            reportEscape("Thread.sleep blocks the thread", in: context)
        }

        public class func sleep(until date: Date) {
            sleep(forTimeInterval: date.timeIntervalSince(AppSystem.now))
        }

        public class var callStackSymbols: [String] { Foundation.Thread.callStackSymbols }
    }
}
