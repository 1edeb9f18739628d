import DeviceSimCore
import Foundation
import WatchConnectivity

/// P14. Passes on what the server's JSON became: a field without a value is an `NSNull`, which no session takes (W102), and `try?` hides it. The watch keeps
/// what it had, and the other fields do not arrive either.
class NullPayloadApp: NSObject, NaiveApp, @unchecked Sendable {
    private var profile: [String: Any] = [:]

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        ["load profile": { value in try? WCSession.default.updateApplicationContext(self.payload(of: value.payload)) }]
    }

    var screen: [String: ScenarioValue] {
        ["name": .shown(profile["name"] as? String), "nickname": .shown(profile["nickname"] as? String)]
    }

    func payload(of profile: [String: Any]) throws -> [String: Any] {
        profile
    }

    func profile(in payload: [String: Any]) -> [String: Any] {
        payload
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        profile = profile(in: applicationContext)
    }
}
