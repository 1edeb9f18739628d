import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P52. Says "all sent" once it has handed its notes over. Where the link to the phone is dead (W152) they go nowhere for days, and nobody learns that a restart of
/// the phone would help.
class SentIsSentApp: NSObject, NaiveApp, @unchecked Sendable {
    typealias UserDefaults = SystemShims.UserDefaults

    private var notes: [String] {
        get { UserDefaults.standard.stringArray(forKey: "notes") ?? [] }
        set { UserDefaults.standard.set(newValue, forKey: "notes") }
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "add note": { value in
                self.willSend()
                WCSession.default.transferUserInfo(["note": String(value) ?? ""])
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["notes": .array(notes.map(ScenarioValue.string)), "status": .shown(status)] }

    func willSend() {}

    var status: String { "all sent" }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        if let note = userInfo["note"] as? String { notes.append(note) }
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
}
