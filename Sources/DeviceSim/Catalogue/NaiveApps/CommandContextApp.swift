import DeviceSimCore
import Foundation
import WatchConnectivity

/// P3. A remote control that puts its commands into the application context. Of several only the last arrives (W42), and the same one twice is no
/// update at all (W48).
class CommandContextApp: NSObject, NaiveApp, @unchecked Sendable {
    private var track = 1

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        ["next track": { _ in try self.send(["command": "next"]) }, "pause": { _ in try self.send(["command": "pause"]) }]
    }

    var screen: [String: ScenarioValue] { ["track": .shown(track)] }

    func send(_ command: [String: Any]) throws {
        try WCSession.default.updateApplicationContext(command)
    }

    func execute(_ command: [String: Any]) {
        if command["command"] as? String == "next" { track += 1 }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        execute(applicationContext)
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {}
}
