import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P39. A request may be delivered twice (W87), so one that is like the last is taken for the same. A person who asks for the same thing again is not heard.
class SilencedAgainApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias UserDefaults = SystemShims.UserDefaults

    private var playing: Int?
    private var starts: Int {
        get { UserDefaults.standard.integer(forKey: "starts") }
        set { UserDefaults.standard.set(newValue, forKey: "starts") }
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "play": { value in WCSession.default.transferUserInfo(self.request(for: Int(value) ?? 0)) },
            "stop": { _ in self.playing = nil },
        ]
    }

    var screen: [String: ScenarioValue] { ["playing": .shown(playing), "starts": .shown(starts)] }

    func request(for episode: Int) -> [String: Any] { ["episode": episode] }

    /// What two deliveries of one request have in common.
    func mark(of request: [String: Any]) -> String { "\(request["episode"] as? Int ?? 0)" }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        guard mark(of: userInfo) != UserDefaults.standard.string(forKey: "last") else { return }
        UserDefaults.standard.set(mark(of: userInfo), forKey: "last")
        playing = userInfo["episode"] as? Int
        starts += 1
    }
}
