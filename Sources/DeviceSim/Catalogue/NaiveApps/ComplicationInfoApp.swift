import DeviceSimCore
import Foundation
import WatchConnectivity

/// P27. Sends what the watch is to know as a complication info, since that is the fastest, and believes that it goes as a user info where there is no budget
/// left. One page of Apple's says so; by another the call fails at once where the complication is not on the face (W95), and nobody listens to that.
class ComplicationInfoApp: NSObject, NaiveApp, @unchecked Sendable {
    private var goal: Int?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "set goal": { value in
                self.goal = Int(value)
                WCSession.default.transferCurrentComplicationUserInfo(["goal": value.foundationValue])
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["goal": .shown(goal)] }

    func failed(_ info: [String: Any]) {}

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        if error != nil { failed(userInfoTransfer.userInfo) }
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        goal = userInfo["goal"] as? Int
    }
}
