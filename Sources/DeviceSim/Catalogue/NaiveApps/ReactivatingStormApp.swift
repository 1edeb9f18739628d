import DeviceSimCore
import Foundation
import WatchConnectivity

/// P42. Takes each change of reachability for a new connection: it activates the session again, which does nothing (W5), and sends all that it has, to be sure.
/// Reachability comes and goes (W36), and so the same is sent hundreds of times.
class ReactivatingStormApp: NSObject, NaiveApp, @unchecked Sendable {
    private(set) var theme: String?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in
                self.theme = String(value)
                self.send()
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme)] }

    func send() {
        if let theme { WCSession.default.transferUserInfo(["theme": theme]) }
    }

    func reconnected() {
        WCSession.default.activate()
        send()
    }

    func sessionReachabilityDidChange(_ session: WCSession) { reconnected() }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        theme = userInfo["theme"] as? String
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
}
