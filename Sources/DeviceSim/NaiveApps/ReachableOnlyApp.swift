import Foundation
import WatchConnectivity

/// P9. Takes `isReachable` for "there is a watch": sends where it is true, and drops what it cannot send. On the phone it is false whenever the watch
/// app is not in the foreground (W31, W33), and it changes all the time.
final class ReachableOnlyApp: NSObject, NaiveApp, @unchecked Sendable {
    private var theme: String?
    private var alerts = 0

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in
                self.theme = String(value)
                guard WCSession.default.isReachable else { return }
                WCSession.default.sendMessage(["theme": self.theme ?? ""], replyHandler: nil)
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme), "connection lost": .shown(alerts)] }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        theme = message["theme"] as? String
    }

    func sessionReachabilityDidChange(_ session: WCSession) {
        if !session.isReachable { alerts += 1 }
    }
}
