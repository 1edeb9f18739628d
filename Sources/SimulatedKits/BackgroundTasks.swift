internal import DeviceSimCore
public import Foundation
internal import SimulatedSystem

/// A wish to be launched in the background, as BackgroundTasks has it.
open class BGTaskRequest: NSObject, @unchecked Sendable {
    /// What the task is called.
    public let identifier: String
    /// Not before this.
    public var earliestBeginDate: Date?

    fileprivate init(of identifier: String) {
        self.identifier = identifier
    }
}

/// A wish for a short refresh.
public final class BGAppRefreshTaskRequest: BGTaskRequest, @unchecked Sendable {
    /// A wish for the task of that name.
    public init(identifier: String) { super.init(of: identifier) }
}

/// A wish for longer work.
public final class BGProcessingTaskRequest: BGTaskRequest, @unchecked Sendable {
    /// Decides nothing in a simulation.
    public var requiresNetworkConnectivity = false
    /// Decides nothing in a simulation.
    public var requiresExternalPower = false

    /// A wish for the task of that name.
    public init(identifier: String) { super.init(of: identifier) }
}

/// What the system launches an app for.
open class BGTask: NSObject, @unchecked Sendable {
    /// What it is called.
    public let identifier: String
    /// Called when its time is over.
    public var expirationHandler: (() -> Void)?
    private var isCompleted = false

    fileprivate init(_ identifier: String) {
        self.identifier = identifier
    }

    /// The app is done. Again: no effect.
    public func setTaskCompleted(success: Bool) {
        guard !isCompleted else { return }
        isCompleted = true
        ProcessContext.current?.record(
            .log, .init("call", .text("BGTask.setTaskCompleted")), .init("task", .text(identifier)), .init("success", .flag(success)))
    }
}

/// A short refresh.
public final class BGAppRefreshTask: BGTask, @unchecked Sendable {}
/// Longer work.
public final class BGProcessingTask: BGTask, @unchecked Sendable {}

/// Takes wishes to be launched in the background, as BackgroundTasks has it.
///
/// A task runs at its earliest date, or a quarter of an hour after it was asked for, if the app's process is there and not suspended at that time: then it is
/// given to the handler. It is not launched for it, which no device promises either.
public final class BGTaskScheduler: NSObject, @unchecked Sendable {
    /// Why a wish is refused.
    public struct Error: Swift.Error, Hashable, Sendable, CustomStringConvertible {
        /// The kinds of refusals.
        public enum Code: Int, Sendable {
            /// Not on this device.
            case unavailable = 1
            /// There are too many.
            case tooManyPendingTaskRequests = 2
            /// No handler is registered for it.
            case notPermitted = 3
        }

        /// The kind.
        public let code: Code
        public var description: String { "BGTaskScheduler refuses the request: \(code)" }
    }

    private var handlers: [String: @Sendable (BGTask) -> Void] = [:]
    private var requests: [String: (request: BGTaskRequest, number: Int)] = [:]
    private var count = 0

    /// That of the process whose code is running.
    public static var shared: BGTaskScheduler { SystemShims.processLocal("BGTaskScheduler.shared") { BGTaskScheduler() } }

    /// Says what is to be called for a task. Once for each name.
    @discardableResult @preconcurrency
    public func register(
        forTaskWithIdentifier identifier: String, using queue: AnyObject?, launchHandler: @escaping @Sendable (BGTask) -> Void
    ) -> Bool {
        guard handlers[identifier] == nil else { return false }
        handlers[identifier] = launchHandler
        return true
    }

    /// Asks for a launch. A later wish for a task takes the place of an earlier one.
    public func submit(_ taskRequest: BGTaskRequest) throws {
        guard handlers[taskRequest.identifier] != nil else { throw Error(code: .notPermitted) }
        count += 1
        let number = count
        requests[taskRequest.identifier] = (taskRequest, number)
        let wait = max(taskRequest.earliestBeginDate?.timeIntervalSince(SystemShims.now) ?? 900, 0)
        ProcessContext.current?.record(
            .log, .init("call", .text("BGTaskScheduler.submit")), .init("task", .text(taskRequest.identifier)),
            .init("in", .text("\(Int(wait.rounded())) s")))
        SystemShims.DispatchQueue.global().asyncAfter(deadline: .now().advanced(by: wait), isIdle: true) {
            self.launch(taskRequest, number)
        }
    }

    /// Takes a wish back.
    public func cancel(taskRequestWithIdentifier identifier: String) { requests[identifier] = nil }
    /// Takes all wishes back.
    public func cancelAllTaskRequests() { requests = [:] }

    /// The wishes, by their names.
    public func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void) {
        let pending = requests.sorted { $0.key < $1.key }.map(\.value.request)
        SystemShims.DispatchQueue.global().async { completionHandler(pending) }
    }

    private func launch(_ request: BGTaskRequest, _ number: Int) {
        guard requests[request.identifier]?.number == number, let handler = handlers[request.identifier] else { return }
        requests[request.identifier] = nil
        handler(request is BGProcessingTaskRequest ? BGProcessingTask(request.identifier) : BGAppRefreshTask(request.identifier))
    }
}
