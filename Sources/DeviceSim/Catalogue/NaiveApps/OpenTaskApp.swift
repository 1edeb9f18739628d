import DeviceSimCore
import Foundation
import WatchConnectivity

/// P24. Gets a refresh task with what the phone sends, takes what comes, and leaves the task open. The system ends the app over it (W110), and with it goes
/// what somebody had written and not sent.
class OpenTaskApp: NSObject, NaiveApp, @unchecked Sendable {
    private var goal: Int?
    private var draft: String?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "set goal": { value in try WCSession.default.updateApplicationContext(["goal": value.foundationValue]) },
            "write": { value in self.draft = value.foundationValue as? String },
        ]
    }

    var screen: [String: ScenarioValue] { ["goal": .shown(goal), "draft": .shown(draft)] }

    func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {}

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        goal = applicationContext["goal"] as? Int
    }
}
