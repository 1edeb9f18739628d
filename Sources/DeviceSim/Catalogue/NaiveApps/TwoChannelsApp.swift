import DeviceSimCore
import Foundation
import WatchConnectivity

/// P6. Sends a state by message where the counterpart is reachable, and queues it otherwise; applies whatever comes, when it comes. There is no order between
/// the two ways (W72): what was queued earlier lands later.
class TwoChannelsApp: NSObject, NaiveApp, @unchecked Sendable {
    var theme: String?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in
                self.theme = String(value)
                self.send(self.state())
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme)] }

    func state() -> [String: Any] {
        ["theme": theme ?? ""]
    }

    private func send(_ state: [String: Any]) {
        if WCSession.default.isReachable {
            WCSession.default.sendMessage(state, replyHandler: nil)
        } else {
            WCSession.default.transferUserInfo(state)
        }
    }

    func apply(_ state: [String: Any]) {
        theme = state["theme"] as? String
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        apply(message)
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        apply(userInfo)
    }
}
