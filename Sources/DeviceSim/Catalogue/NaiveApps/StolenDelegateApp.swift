import DeviceSimCore
import Foundation
import WatchConnectivity

/// P16. Starts an analytics package after the session. The package makes itself the session's delegate, of which there is one, and the app is told nothing
/// any more.
class StolenDelegateApp: NSObject, NaiveApp, @unchecked Sendable {
    let analytics = SessionAnalytics()
    private var theme: String?

    func didFinishLaunching(inBackground: Bool) async {
        startSession()
        analytics.start()
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        ["choose theme": { value in try WCSession.default.updateApplicationContext(["theme": value.foundationValue]) }]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme), "counted": .shown(analytics.count)] }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        theme = applicationContext["theme"] as? String
    }
}
