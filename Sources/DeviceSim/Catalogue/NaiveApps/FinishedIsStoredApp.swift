import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P30. Deletes its own copy of a note when `didFinish` says that it was transferred. That may mean no more than that it has reached the other device (W84):
/// what its app was never given goes with that app.
class FinishedIsStoredApp: NSObject, NaiveApp, @unchecked Sendable {
    typealias UserDefaults = SystemShims.UserDefaults

    /// On the phone.
    var outbox: [String] {
        get { UserDefaults.standard.stringArray(forKey: "outbox") ?? [] }
        set { UserDefaults.standard.set(newValue, forKey: "outbox") }
    }

    /// On the watch.
    private var notes: [String] {
        get { UserDefaults.standard.stringArray(forKey: "notes") ?? [] }
        set { UserDefaults.standard.set(newValue, forKey: "notes") }
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "add note": { value in
                let note = String(value) ?? ""
                self.outbox.append(note)
                WCSession.default.transferUserInfo(["note": note])
            }
        ]
    }

    var screen: [String: ScenarioValue] {
        ["outbox": .shown(outbox.count), "notes": .array(notes.map(ScenarioValue.string))]
    }

    func finished(_ note: String) { forget(note) }

    func stored(_ note: String) {}

    func forget(_ note: String) { outbox.removeAll { $0 == note } }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        if error == nil, let note = userInfoTransfer.userInfo["note"] as? String { finished(note) }
    }

    func sessionWatchStateDidChange(_ session: WCSession) {}

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        if let note = userInfo["stored"] as? String { forget(note) }
        guard let note = userInfo["note"] as? String else { return }
        if !notes.contains(note) { notes.append(note) }
        stored(note)
    }
}
