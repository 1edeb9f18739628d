import DeviceSimCore
import Foundation
import WatchConnectivity

/// P18. Leaves `sessionDidDeactivate` empty, as the template of the editor has it. After a switch to another watch the session is not activated again by
/// itself (W14): nothing goes to the new watch, and the new watch does not seem to be there.
class NeverReactivatesApp: NSObject, NaiveApp, @unchecked Sendable {
    private var theme: String?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in
                self.theme = String(value)
                try? WCSession.default.updateApplicationContext(["theme": value.foundationValue])
            }
        ]
    }

    var screen: [String: ScenarioValue] {
        guard isPhoneApp else { return ["theme": .shown(theme)] }
        return ["theme": .shown(theme), "watch": .shown(WCSession.default.isPaired)]
    }

    func sessionDidDeactivate(_ session: WCSession) {}

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        theme = applicationContext["theme"] as? String
    }
}
