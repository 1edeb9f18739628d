import DeviceSimCore
import Foundation
import WatchConnectivity

/// P31. Sends a command by a message to a watch that is reachable, and waits for its reply. When the person changes watches meanwhile, the message is
/// cancelled (W13); this app has no answer to errors.
class CancelledCommandApp: NSObject, NaiveApp, @unchecked Sendable {
    private var timer: Int?
    private var status = "idle"

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "start timer": { value in
                self.status = "starting"
                self.command(["timer": value.foundationValue])
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["timer": .shown(timer), "status": .shown(status)] }

    func command(_ command: [String: Any]) {
        WCSession.default.sendMessage(
            command, replyHandler: { _ in self.status = "running" }, errorHandler: { _ in self.failed(command) })
    }

    func failed(_ command: [String: Any]) {}

    func sessionReachabilityDidChange(_ session: WCSession) {}

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        timer = message["timer"] as? Int
        replyHandler([:])
    }
}
