import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P32. Says once at each launch what the watch should know, as soon as the session was activated without an error. It may be inactive then (W3): what is sent
/// is refused, and there is no second time.
class NoErrorIsActivatedApp: NSObject, NaiveApp, @unchecked Sendable {
    typealias UserDefaults = SystemShims.UserDefaults

    private var hasTold = false

    private var theme: String? {
        get { UserDefaults.standard.string(forKey: "theme") }
        set { UserDefaults.standard.set(newValue, forKey: "theme") }
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in self.theme = String(value) },
            "take note": { value in WCSession.default.transferUserInfo(["note": value.foundationValue]) },
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme)] }

    func isReady(_ state: WCSessionActivationState, _ error: (any Error)?) -> Bool { error == nil }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        guard isPhoneApp, !hasTold, isReady(activationState, error), let theme else { return }
        hasTold = true
        try? session.updateApplicationContext(["theme": theme])
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        theme = applicationContext["theme"] as? String
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {}
    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
}
