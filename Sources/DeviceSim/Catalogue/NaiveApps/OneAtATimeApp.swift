import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P20. Sends its next note when nothing is outstanding any more. A transfer that stays outstanding for ever holds up all that follow.
class OneAtATimeApp: NSObject, NaiveApp, @unchecked Sendable {
    typealias UserDefaults = SystemShims.UserDefaults

    private var notes: [String] = []

    /// Kept until handed to the session.
    var outbox: [String] {
        get { UserDefaults.standard.stringArray(forKey: "outbox") ?? [] }
        set { UserDefaults.standard.set(newValue, forKey: "outbox") }
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "add note": { value in
                self.outbox.append(String(value) ?? "")
                self.sendNext()
            }
        ]
    }

    var screen: [String: ScenarioValue] {
        ["outbox": .shown(outbox.count), "notes": .array(notes.map(ScenarioValue.string))]
    }

    func didEnterForeground() async {}

    func sendNext() {
        guard WCSession.default.outstandingUserInfoTransfers.isEmpty, let next = outbox.first else { return }
        outbox.removeFirst()
        handOver(next)
    }

    func handOver(_ note: String) {
        WCSession.default.transferUserInfo(["note": note])
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        sendNext()
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        guard let note = userInfo["note"] as? String, !notes.contains(note) else { return }
        notes.append(note)
    }
}
