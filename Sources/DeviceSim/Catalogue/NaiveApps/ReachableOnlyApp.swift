import DeviceSimCore
import Foundation
import WatchConnectivity

/// P9. Takes `isReachable` for "there is a watch": sends where it is true, and drops what it cannot send. On the phone it is false whenever the watch
/// app is not in the foreground (W31, W33), it changes all the time, and it may be false where messages would be delivered (W35).
class ReachableOnlyApp: NSObject, NaiveApp, @unchecked Sendable {
    private var theme: String?
    private var alerts = 0

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in
                self.theme = String(value)
                self.send(["theme": self.theme ?? ""])
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme), "connection lost": .shown(alerts)] }

    func send(_ state: [String: Any]) {
        guard WCSession.default.isReachable else { return }
        WCSession.default.sendMessage(state, replyHandler: nil)
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        receive(message)
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        receive(message)
        replyHandler([:])
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        receive(userInfo)
    }

    private func receive(_ state: [String: Any]) {
        theme = state["theme"] as? String
    }

    func sessionReachabilityDidChange(_ session: WCSession) {
        if !session.isReachable { lost() }
    }

    func lost() { alerts += 1 }
}
