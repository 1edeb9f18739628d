import Foundation
import WatchConnectivity

/// A package that counts what comes from the counterpart. It believes to be alone.
final class SessionAnalytics: NSObject, WCSessionDelegate, @unchecked Sendable {
    private(set) var count = 0

    func start() {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        count += 1
    }
}
