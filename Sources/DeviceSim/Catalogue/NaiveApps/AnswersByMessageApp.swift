import DeviceSimCore
import Foundation
import WatchConnectivity

/// P49. The watch asks for the theme by a message, and the phone answers by a message of its own. One direction alone may be dead while each side says that it
/// reaches the other (W37): the question arrives, and no answer ever does.
class AnswersByMessageApp: NSObject, NaiveApp, @unchecked Sendable {
    private var theme: String?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in self.theme = String(value) },
            "refresh": { _ in WCSession.default.sendMessage(["ask": "theme"], replyHandler: nil) { _ in } },
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme)] }

    func answer(_ theme: String) {
        WCSession.default.sendMessage(["theme": theme], replyHandler: nil) { _ in }
    }

    private func take(_ news: [String: Any]) {
        theme = news["theme"] as? String ?? theme
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        if message["ask"] != nil { answer(theme ?? "") } else { take(message) }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) { take(applicationContext) }
}
