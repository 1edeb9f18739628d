import DeviceSim
import WatchConnectivity

/// How an app completes its refresh tasks that keeps no account of what it is doing: it looks, each second, whether all has come.
enum TaskCompletion {
    static func complete(_ task: ConnectivityRefreshTask) {
        SystemShims.DispatchQueue.main.asyncAfter(deadline: .now().advanced(by: 1)) {
            let session = WCSession.default
            guard session.activationState == .activated, !session.hasContentPending else { return complete(task) }
            task.setTaskCompletedWithSnapshot(false)
        }
    }
}
