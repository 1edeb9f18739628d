import DeviceSimCore
import Foundation
import WatchConnectivity

/// P12. Sends with a reply handler, because one may want to know, and implements the method without one. The session calls the method that fits
/// the call, or none (W64), and the sender gets 7014 (W66).
final class WrongVariantApp: NSObject, NaiveApp, @unchecked Sendable {
    private var theme: String?
    private var status = "nothing sent"

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in
                WCSession.default.sendMessage(
                    ["theme": value.foundationValue], replyHandler: { _ in self.status = "arrived" },
                    errorHandler: { _ in self.status = "failed" })
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme), "status": .shown(status)] }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        theme = message["theme"] as? String
    }
}
