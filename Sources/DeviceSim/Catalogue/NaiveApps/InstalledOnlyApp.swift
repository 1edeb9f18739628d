import DeviceSimCore
import Foundation
import WatchConnectivity

/// P26. Sends where `isWatchAppInstalled` is true, and forgets what it did not send. It may be false for an app that is there and would get all of it (W25).
class InstalledOnlyApp: NSObject, NaiveApp, @unchecked Sendable {
    private var theme: String?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in
                self.theme = String(value)
                self.send()
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme)] }

    /// Whether there is a use in sending.
    var hasReceiver: Bool { WCSession.default.isWatchAppInstalled }

    func send() {
        guard hasReceiver, let theme else { return }
        do {
            try WCSession.default.updateApplicationContext(["theme": theme])
        } catch {
            failed()
        }
    }

    func failed() {}

    func sessionWatchStateDidChange(_ session: WCSession) {}

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        theme = applicationContext["theme"] as? String
    }
}
