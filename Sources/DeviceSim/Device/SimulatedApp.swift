/// An app as the simulated system sees it: what is called when its process starts and when it changes state.
///
/// One object serves one process. Its code runs in the context of its device: `StorageRouter.shared` and `WCSession.default` are
/// that device's.
public protocol SimulatedApp: AnyObject, Sendable {
    /// The process has started (`application(_:didFinishLaunchingWithOptions:)`). `inBackground` tells a launch by the system from one
    /// by a person.
    func didFinishLaunching(inBackground: Bool) async
    func didEnterForeground() async
    func didEnterBackground() async
    /// The system has started or resumed the watch app for content from the phone. The app keeps the task, and completes it once its
    /// session is activated and has nothing pending (W110). An app that does nothing with it lets it run out.
    func handleBackgroundTask(_ task: ConnectivityRefreshTask) async
}

extension SimulatedApp {
    public func didEnterForeground() async {}
    public func didEnterBackground() async {}
    public func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {}
}
