import WatchConnectivity
import WatchKit

/// What the watch's system tells the app. It wakes the app for what the phone has sent, and wants to hear when that is done.
final class WatchDelegate: NSObject, WKApplicationDelegate {
    private var tasks: [WKWatchConnectivityRefreshBackgroundTask] = []
    private var observations: [NSKeyValueObservation] = []

    func applicationDidFinishLaunching() {
        SampleSession.onIdle = { [weak self] in self?.completeTasks() }
        // What was pending may be gone after the last callback, and a task that stays open ends the app.
        observations = [
            WCSession.default.observe(\.activationState) { [weak self] _, _ in Task { @MainActor [weak self] in self?.completeTasks() } },
            WCSession.default.observe(\.hasContentPending) { [weak self] _, _ in Task { @MainActor [weak self] in self?.completeTasks() } },
        ]
        Task { await SampleModel.shared.start() }
    }

    /// watchOS says nothing of an unlock: an app that is in front is on an unlocked watch.
    func applicationDidBecomeActive() {
        Task { await SampleModel.shared.catchUp() }
    }

    func applicationDidEnterBackground() {
        VaultModel.shared.hide()
    }

    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks {
            if let task = task as? WKWatchConnectivityRefreshBackgroundTask {
                tasks.append(task)
            } else {
                task.setTaskCompletedWithSnapshot(false)
            }
        }
        completeTasks()
    }

    private func completeTasks() {
        guard WCSession.default.activationState == .activated, !WCSession.default.hasContentPending, SampleSession.shared.isIdle else {
            return
        }
        for task in tasks { task.setTaskCompletedWithSnapshot(false) }
        tasks = []
    }
}
