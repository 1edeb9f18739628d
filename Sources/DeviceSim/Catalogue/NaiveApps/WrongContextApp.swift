import DeviceSimCore
import Foundation
import WatchConnectivity

/// P17. Shows what `applicationContext` holds. That is what this device sent; what it received is another property (W45).
class WrongContextApp: NSObject, NaiveApp, @unchecked Sendable {
    var buttons: [String: (ScenarioValue) async throws -> Void] {
        ["choose theme": { value in try WCSession.default.updateApplicationContext(["theme": value.foundationValue]) }]
    }

    var screen: [String: ScenarioValue] { ["theme of the counterpart": .shown(context["theme"] as? String)] }

    var context: [String: Any] { WCSession.default.applicationContext }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {}
}
