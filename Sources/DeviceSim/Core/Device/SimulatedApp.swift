/// An app as the simulated system sees it: what is called when its process starts, when it changes state, and when somebody uses it.
///
/// One object serves one process; it is made by the process's own code on its main thread. All of its code runs in the context of its device:
/// `StorageRouter.shared` and `WCSession.default` are that device's, in callbacks, tasks (detached ones too) and on the main actor.
/// Everything but the launch has a default, and later kinds of wakes will have too.
public protocol SimulatedApp: AnyObject, Sendable {
    /// The process has started (`application(_:didFinishLaunchingWithOptions:)`). `inBackground` tells a launch by the system from one
    /// by a person.
    func didFinishLaunching(inBackground: Bool) async
    /// A person has brought the app to the foreground (`applicationDidBecomeActive(_:)`).
    func didEnterForeground() async
    /// The app has left the screen (`applicationDidEnterBackground(_:)`).
    func didEnterBackground() async
    /// The phone was unlocked, and the app runs, be it in the background (`UIApplication.protectedDataDidBecomeAvailableNotification`). watchOS has no
    /// such notification, and an app that is suspended is not told.
    func protectedDataDidBecomeAvailable() async
    /// The system has started or resumed the watch app for content from the phone. The app keeps the task, and completes it once its
    /// session is activated and has nothing pending (W110). An app that does nothing with it lets it run out.
    func handleBackgroundTask(_ task: ConnectivityRefreshTask) async

    /// Somebody uses the app: `phone app does "choose theme" with "dark"`.
    /// - Parameters:
    ///   - action: What the step calls it.
    ///   - value: ``ScenarioValue/null`` where the step gives none.
    /// - Throws: What the step may say that it fails with; ``AppActionError`` for an action that the app does not have.
    func perform(_ action: String, with value: ScenarioValue) async throws

    /// What the app shows of something, ``ScenarioValue/null`` for nothing: `expect phone app shows "theme" "dark"`.
    /// - Throws: ``AppActionError`` for something that the app does not have.
    func shown(_ name: String) async throws -> ScenarioValue
}

extension SimulatedApp {
    public func didEnterForeground() async {}
    public func didEnterBackground() async {}
    public func protectedDataDidBecomeAvailable() async {}
    public func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {}

    public func perform(_ action: String, with value: ScenarioValue) async throws {
        throw AppActionError("this app has no action '\(action)'; an app under test gets it by SimulatedApp.perform(_:with:)")
    }

    public func shown(_ name: String) async throws -> ScenarioValue {
        throw AppActionError("this app shows no '\(name)'; an app under test gets it by SimulatedApp.shown(_:)")
    }
}

/// Something that app code was asked to do, and what came of it.
///
/// Confined to the simulation's thread.
public final class AppOperation<Value>: @unchecked Sendable {
    /// What the caller calls it, in reports.
    public let name: String
    /// What it returned or threw; `nil` while it runs, and for ever if its process ended before.
    public private(set) var result: Result<Value, any Error>?

    private var task: Task<Void, Never>?

    package init(name: String) {
        self.name = name
    }

    /// Cancels the task that it runs in, as SwiftUI cancels that of a view which goes. What the code makes of it is its own matter: it may end with
    /// `CancellationError`, or go on. Nothing happens where it has ended.
    public func cancel() { task?.cancel() }

    func runs(in task: Task<Void, Never>) { self.task = task }

    /// Whether there is a result.
    public var isFinished: Bool { result != nil }

    package func finish(_ result: Result<Value, any Error>) {
        if self.result == nil { self.result = result }
        task = nil
    }
}
