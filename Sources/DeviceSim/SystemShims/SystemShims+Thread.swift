internal import DeviceSimCore
import Foundation
import Synchronization

extension SystemShims {
    /// `Thread` as app code uses it. In a simulation its body is a piece of ready work of its process, which runs when the scheduler comes to it and to its
    /// end: other work comes before or after it, as one of the ways in which threads may take turns. Code that sleeps blocks, while other work runs and time passes.
    open class Thread: @unchecked Sendable {
        private let block: (@Sendable () -> Void)?
        private let state = Synchronization.Mutex(State())
        /// For the app's own logs.
        open var name: String?
        /// Kept for the app. Decides nothing in a simulation.
        open var qualityOfService = QualityOfService.default
        /// Kept for the app. All code runs on the simulation's stack.
        open var stackSize = 0
        /// Kept for the app. Decides nothing in a simulation.
        open var threadPriority = 0.5
        /// What the app keeps with the thread.
        open var threadDictionary: [String: Any] = [:]

        private struct State {
            var isExecuting = false
            var isFinished = false
            var isCancelled = false
        }

        /// A thread whose subclass says what it does.
        public init() {
            block = nil
        }

        /// A thread that runs a block.
        public init(block: @escaping @Sendable () -> Void) {
            self.block = block
        }

        /// Whether its body is running.
        open var isExecuting: Bool { state.withLock { $0.isExecuting } }
        /// Whether its body has ended.
        open var isFinished: Bool { state.withLock { $0.isFinished } }
        /// Whether ``cancel()`` was called. The body has to look.
        open var isCancelled: Bool { state.withLock { $0.isCancelled } }
        /// Asks the body to end.
        open func cancel() { state.withLock { $0.isCancelled = true } }
        /// What the thread does. A subclass overrides it.
        open func main() { block?() }
        /// Whether it is the process's main thread.
        public var isMainThread: Bool { self === processLocal("Thread.main") { Thread() } }

        /// Makes the body ready work of the process.
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

        /// The process's main thread.
        public class var main: Thread { processLocal("Thread.main") { Thread() } }
        /// Whether the code that asks runs on its process's main queue.
        public class var isMainThread: Bool { SystemShims.isMainThread }

        /// In a simulation that of the main queue, the one whose body runs, or one for all else.
        public class var current: Thread {
            if isMainThread { return main }
            return (ProcessContext.current?.thread as? Thread) ?? processLocal("Thread.other") { Thread() }
        }

        /// Starts a thread that runs a block.
        @preconcurrency
        public class func detachNewThread(_ block: @escaping @Sendable () -> Void) {
            Thread(block: block).start()
        }

        /// Blocks for a while of virtual time, in which other work runs.
        public class func sleep(forTimeInterval interval: TimeInterval) {
            guard let context = process("Thread.sleep") else { return Foundation.Thread.sleep(forTimeInterval: interval) }
            let deadline = (DispatchTime.now() + interval).virtual ?? context.executor.scheduler?.now
            _ = context.block(in: "Thread.sleep", until: deadline) { false }
        }

        /// Blocks until an instant of the device's clock, while other work runs.
        public class func sleep(until date: Date) {
            sleep(forTimeInterval: date.timeIntervalSince(SystemShims.now))
        }

        /// The host's, for logs. Differs among hosts: nothing that a run depends on may read it.
        public class var callStackSymbols: [String] { Foundation.Thread.callStackSymbols }
    }
}
