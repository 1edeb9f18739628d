import DeviceSimCore
import Foundation
import WatchConnectivity

/// P46. Sends the size of an episode in bytes, and reads it as an `Int`. Some watches have one of 32 bits (arm64_32): from 2 GiB on there is no size.
class NarrowNumberApp: NSObject, NaiveApp, @unchecked Sendable {
    private var size: Int64?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose episode": { value in
                try WCSession.default.updateApplicationContext(["bytes": value.foundationValue])
            }
        ]
    }

    var screen: [String: ScenarioValue] {
        ["size": size.map(ScenarioValue.integer) ?? .null, "download": .shown(size == nil ? "unknown size" : "ready")]
    }

    func size(of any: Any?) -> Int64? { (any as? Int).map(Int64.init) }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        size = size(of: applicationContext["bytes"])
    }
}
