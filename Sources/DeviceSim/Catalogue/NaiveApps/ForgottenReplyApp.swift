import DeviceSimCore
import Foundation
import WatchConnectivity

/// P11. The phone app answers what it has at hand, and returns without a word where it has nothing: as when a message has just launched it in the background
/// (W62). The watch waits until the wait runs out (W67).
class ForgottenReplyApp: NSObject, NaiveApp, @unchecked Sendable {
    private var forecast: String?
    private var state = "idle"

    /// People open the app and see the forecast; only then is it loaded.
    func didEnterForeground() async {
        forecast = "sunny"
    }

    func didFinishLaunching(inBackground: Bool) async {
        if !inBackground { forecast = "sunny" }
        startSession()
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "ask": { _ in
                self.state = "loading"
                WCSession.default.sendMessage(
                    ["ask": "forecast"], replyHandler: { self.state = $0["forecast"] as? String ?? "not available" },
                    errorHandler: { _ in self.state = "failed" })
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["forecast": .shown(state)] }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        guard let forecast else { return haveNothing(for: replyHandler) }
        replyHandler(["forecast": forecast])
    }

    func haveNothing(for replyHandler: @escaping ([String: Any]) -> Void) {}
}
