/// What the system gives a watch app that it starts for content from the phone: the app holds it until its session is activated and has
/// nothing pending, and then completes it (W110). Stands for WatchKit's `WKWatchConnectivityRefreshBackgroundTask`.
///
/// The app is suspended once the last one is completed. A task that is not completed in time runs out, which is an event, and the system ends the app with
/// a crash report, unless its ``expirationHandler`` completes it.
///
/// Confined to the simulation's thread.
public final class ConnectivityRefreshTask: @unchecked Sendable {
    /// Whether it is for content of the session, and not one with which the app refreshes itself (`WKApplicationRefreshBackgroundTask`).
    public let isOfSession: Bool
    /// Whether the app said that it is done with the task.
    public private(set) var isCompleted = false
    /// Called when the time has run out, just before the app is ended.
    public var expirationHandler: (() -> Void)?
    /// Runs the time out.
    var expiry: TimerID?
    private let complete: (ConnectivityRefreshTask) -> Bool

    /// - Parameter complete: Tells the device, and says whether the call came from where it may.
    init(isOfSession: Bool = true, complete: @escaping (ConnectivityRefreshTask) -> Bool) {
        self.isOfSession = isOfSession
        self.complete = complete
    }

    /// The app is done. Again: no effect.
    /// - Parameter refreshSnapshot: As WatchKit has it; nothing is made of it.
    public func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {
        guard !isCompleted else { return }
        isCompleted = complete(self)
    }
}
