import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P8. Activates the session at launch and sends in the next line. The session is not activated yet (W2), the call throws (W7), and `try?` hides it.
class EagerSenderApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias UserDefaults = SystemShims.UserDefaults
    private var received: String?

    func didFinishLaunching(inBackground: Bool) async {
        startSession()
        launched()
    }

    func launched() {
        send()
    }

    func activated() {}

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        // Told to the watch at the next launch.
        ["choose theme": { value in UserDefaults.standard.set(value.foundationValue, forKey: "theme") }]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(received)] }

    func send() {
        guard let theme = UserDefaults.standard.string(forKey: "theme") else { return }
        try? WCSession.default.updateApplicationContext(["theme": theme])
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        activated()
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        received = applicationContext["theme"] as? String
    }
}
