import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P4. Acts on each context that it is given, as if each were news: plays the episode that the phone says. On wake the same context may come again, and
/// older ones before it (W43).
class EveryContextApp: NSObject, NaiveApp, @unchecked Sendable {
    typealias UserDefaults = SystemShims.UserDefaults

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        ["play on watch": { value in try WCSession.default.updateApplicationContext(self.request(value.foundationValue)) }]
    }

    /// How often something was started: kept, so that relaunches do not hide it.
    var screen: [String: ScenarioValue] { ["plays": .shown(UserDefaults.standard.integer(forKey: "plays"))] }

    func request(_ episode: Any) -> [String: Any] {
        ["episode": episode]
    }

    func play(_ request: [String: Any]) {
        UserDefaults.standard.set(UserDefaults.standard.integer(forKey: "plays") + 1, forKey: "plays")
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        play(applicationContext)
    }
}
