import DeviceSimCore
import Foundation
import LocalData
import WatchConnectivity

/// P43. Version 2.0 sends a theme in another form than 1.0 did, and takes no other. The two apps are updated at different times: the one that is older, or newer,
/// finds nothing in what comes, and takes that for "no theme".
class NewFormApp: NSObject, NaiveApp, @unchecked Sendable {
    private var theme: String?

    /// Stands for two builds of the app.
    var isNew: Bool { StorageRouter.shared.environment.device.appVersion != "1.0" }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in
                self.theme = String(value)
                try WCSession.default.updateApplicationContext(self.message(of: self.theme ?? ""))
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme)] }

    func message(of theme: String) -> [String: Any] {
        isNew ? ["theme": ["name": theme, "accent": "blue"]] : ["theme": theme]
    }

    func read(_ message: [String: Any]) -> String? {
        isNew ? (message["theme"] as? [String: Any])?["name"] as? String : message["theme"] as? String
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        theme = read(applicationContext)
    }
}
