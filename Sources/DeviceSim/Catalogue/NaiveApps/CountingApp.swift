import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P5. Counts what the watch reports: a message where the phone is reachable, or else, and where the message failed, a user info. A user info may be delivered
/// twice (W87), and a message whose reply is lost was delivered and fails all the same (W67): both count twice.
class CountingApp: NSObject, NaiveApp, @unchecked Sendable {
    typealias UserDefaults = SystemShims.UserDefaults

    var buttons: [String: (ScenarioValue) async throws -> Void] { ["drink": { _ in self.send(self.report()) }] }
    var screen: [String: ScenarioValue] { ["glasses": .shown(UserDefaults.standard.integer(forKey: "glasses"))] }

    func report() -> [String: Any] {
        ["glasses": 1]
    }

    private func send(_ report: [String: Any]) {
        guard WCSession.default.isReachable else {
            WCSession.default.transferUserInfo(report)
            return
        }
        WCSession.default.sendMessage(report, replyHandler: { _ in }, errorHandler: { _ in WCSession.default.transferUserInfo(report) })
    }

    func count(_ report: [String: Any]) {
        let glasses = UserDefaults.standard.integer(forKey: "glasses") + (report["glasses"] as? Int ?? 0)
        UserDefaults.standard.set(glasses, forKey: "glasses")
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        count(userInfo)
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        count(message)
        replyHandler([:])
    }
}
