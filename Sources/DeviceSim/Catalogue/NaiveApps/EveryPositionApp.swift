import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P50. Sends each position as a user info, which launches the watch app for it. The system may do so no more after a while (W151), and what matters then waits
/// until somebody opens the app.
class EveryPositionApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias UserDefaults = SystemShims.UserDefaults

    private var position: String?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "move": { value in self.moved(to: String(value) ?? "") },
            "alarm": { _ in WCSession.default.transferUserInfo(["alarm": SystemShims.now]) },
        ]
    }

    var screen: [String: ScenarioValue] {
        ["position": .shown(position), "alarm": .shown(UserDefaults.standard.string(forKey: "alarm"))]
    }

    func moved(to place: String) {
        WCSession.default.transferUserInfo(["position": place])
    }

    private func take(_ news: [String: Any]) {
        position = news["position"] as? String ?? position
        guard let time = news["alarm"] as? Date else { return }
        UserDefaults.standard.set(SystemShims.now.timeIntervalSince(time) < 60 ? "in time" : "too late", forKey: "alarm")
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) { take(userInfo) }
    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { take(message) }
    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
}
