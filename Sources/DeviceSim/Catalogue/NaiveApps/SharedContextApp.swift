import DeviceSimCore
import Foundation
import WatchConnectivity

/// P2. Two features each send their own application context. There is only one: the later replaces the earlier (W40).
final class SharedContextApp: NSObject, NaiveApp, @unchecked Sendable {
    private var theme: String?
    private var goal: Int?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in
                self.theme = String(value)
                try WCSession.default.updateApplicationContext(["theme": self.theme ?? ""])
            },
            "set goal": { value in
                self.goal = Int(value)
                try WCSession.default.updateApplicationContext(["goal": self.goal ?? 0])
            },
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme), "goal": .shown(goal)] }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        if let theme = applicationContext["theme"] as? String { self.theme = theme }
        if let goal = applicationContext["goal"] as? Int { self.goal = goal }
    }
}
