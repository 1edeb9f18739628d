import DeviceSimCore
import Foundation
import WatchConnectivity

/// P29. Sends where `isComplicationEnabled` is true, as nobody would see it otherwise. A widget in the Smart Stack alone does not make it true (W95), and
/// somebody looks at that.
class ComplicationEnabledApp: NSObject, NaiveApp, @unchecked Sendable {
    private var score: Int?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "score": { value in
                let news = ["score": value.foundationValue]
                if WCSession.default.isComplicationEnabled {
                    WCSession.default.transferCurrentComplicationUserInfo(news)
                } else {
                    try self.tellWithoutComplication(news)
                }
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["score": .shown(score)] }

    func tellWithoutComplication(_ news: [String: Any]) throws {}

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) { score = userInfo["score"] as? Int ?? score }
    func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any]) { score = context["score"] as? Int ?? score }
    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
}
