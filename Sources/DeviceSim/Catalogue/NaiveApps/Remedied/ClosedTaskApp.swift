import DeviceSimCore
import WatchConnectivity

/// The remedy of P24: completes each task once the session is activated and has nothing pending.
final class ClosedTaskApp: OpenTaskApp, @unchecked Sendable {
    override func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {
        complete(task)
    }
}
