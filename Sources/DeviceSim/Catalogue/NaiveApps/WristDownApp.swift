import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P25. Counts on the watch, and tells the phone by a message some seconds after the last tap. By then the wrist is down, and the watch is not reachable
/// (W114): the message fails, and the phone has the old count until somebody counts again.
class WristDownApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias DispatchQueue = SystemShims.DispatchQueue

    private var points = 0

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "count": { _ in
                self.points += 1
                let points = self.points
                DispatchQueue.main.asyncAfter(deadline: .now().advanced(by: 5)) { [weak self] in
                    if self?.points == points { self?.tell(["points": points]) }
                }
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["points": .shown(points)] }

    func tell(_ news: [String: Any]) {
        WCSession.default.sendMessage(news, replyHandler: nil) { _ in }
    }

    func take(_ news: [String: Any]) {
        points = news["points"] as? Int ?? points
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { take(message) }
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) { take(applicationContext) }
}
