/// Connects the reference app to the simulated system.
extension ReferenceApp: SimulatedApp {
    public func didFinishLaunching(inBackground: Bool) async {
        await start()
    }

    public func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {
        work.whenDone { task.setTaskCompletedWithSnapshot(false) }
    }
}
