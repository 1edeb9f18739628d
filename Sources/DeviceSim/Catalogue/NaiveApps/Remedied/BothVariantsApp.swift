import DeviceSimCore
import Foundation
import WatchConnectivity

/// The remedy of P12: a delegate implements both variants, one by way of the other, and answers.
final class BothVariantsApp: NSObject, NaiveApp, @unchecked Sendable {
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

    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        self.session(session, didReceiveMessage: message)
        replyHandler([:])
    }
}
