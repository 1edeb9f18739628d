import SwiftUI
import WatchConnectivity
import WatchKit

@main
struct LabWatchApp: App {
    @WKApplicationDelegateAdaptor private var delegate: LabWatchDelegate

    var body: some Scene {
        WindowGroup { LabView() }
    }
}

/// What the watch's system tells the app. It wakes the app for what the phone has sent, and wants to hear when that is done.
final class LabWatchDelegate: NSObject, WKApplicationDelegate {
    private var tasks: [WKWatchConnectivityRefreshBackgroundTask] = []

    func applicationDidFinishLaunching() {
        LabModel.shared.link.onIdle = { [weak self] in
            Task { @MainActor in self?.completeTasks() }
        }
        LabModel.shared.start(inBackground: WKApplication.shared().applicationState == .background)
    }

    func applicationWillEnterForeground() {
        LabModel.shared.recorder.note("app.foreground")
    }

    func applicationDidEnterBackground() {
        LabModel.shared.recorder.note("app.background")
    }

    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks {
            if let task = task as? WKWatchConnectivityRefreshBackgroundTask {
                LabModel.shared.recorder.note("app.backgroundTask", ["hasContentPending": WCSession.default.hasContentPending])
                tasks.append(task)
            } else {
                task.setTaskCompletedWithSnapshot(false)
            }
        }
        completeTasks()
    }

    /// A task is held until nothing is pending. With it the app can send messages (W142): it says so to the phone, and waits a second for that.
    private func completeTasks() {
        guard WCSession.default.activationState == .activated, !WCSession.default.hasContentPending else { return }
        let done = tasks
        tasks = []
        guard !done.isEmpty else { return }
        LabModel.shared.recorder.sendMessage(["id": LabModel.shared.nextID("task"), "lab": "note"], replyHandler: nil)
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
            for task in done {
                LabModel.shared.recorder.note("app.backgroundTaskCompleted")
                task.setTaskCompletedWithSnapshot(false)
            }
        }
    }
}
