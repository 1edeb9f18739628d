import DeviceSimCore
import Foundation
import WatchConnectivity

/// P15. Sends its whole list with each change. That works in tests and for new users; when a list exceeds what a context holds (W100), `try?` hides the error,
/// and the watch keeps an old list for good.
class GrowingContextApp: NSObject, NaiveApp, @unchecked Sendable {
    private var episodes: [String] = []

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "add episode": { value in
                self.episodes.append(String(value) ?? "")
                self.send(self.episodes)
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["episodes": .shown(episodes.count)] }

    func send(_ episodes: [String]) {
        try? WCSession.default.updateApplicationContext(["episodes": episodes])
    }

    func apply(_ episodes: [String]) {
        self.episodes = episodes
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        apply(applicationContext["episodes"] as? [String] ?? [])
    }

    func session(_ session: WCSession, didReceive file: WCSessionFile) {}
}
