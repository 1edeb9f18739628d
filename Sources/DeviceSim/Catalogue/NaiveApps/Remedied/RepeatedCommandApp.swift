import DeviceSimCore
import WatchConnectivity

/// The remedy of P31: a command that failed is kept, and goes again when the session is activated for a watch that is reachable.
final class RepeatedCommandApp: CancelledCommandApp, @unchecked Sendable {
    private var kept: [String: Any]?

    override func failed(_ command: [String: Any]) {
        kept = command
        sendKept()
    }

    override func sessionReachabilityDidChange(_ session: WCSession) { sendKept() }

    override func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        sendKept()
    }

    private func sendKept() {
        guard WCSession.default.activationState == .activated, WCSession.default.isReachable, let command = kept else { return }
        kept = nil
        self.command(command)
    }
}
