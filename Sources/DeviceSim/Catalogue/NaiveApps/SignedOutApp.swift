import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P38. Tells the watch who is signed in, and what they have. Signing out has nothing to send, so nothing is sent; and what comes for the next account is added
/// to what is there.
class SignedOutApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias UserDefaults = SystemShims.UserDefaults

    var account: String? {
        get { UserDefaults.standard.string(forKey: "account") }
        set { UserDefaults.standard.set(newValue, forKey: "account") }
    }

    var notes: [String] {
        get { UserDefaults.standard.stringArray(forKey: "notes") ?? [] }
        set { UserDefaults.standard.set(newValue, forKey: "notes") }
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "sign in": { value in
                self.account = String(value)
                try self.tell()
            },
            "sign out": { _ in
                self.account = nil
                self.notes = []
                try self.tell()
            },
            "add note": { value in
                self.notes.append(String(value) ?? "")
                try self.tell()
            },
        ]
    }

    var screen: [String: ScenarioValue] { ["account": .shown(account), "notes": .array(notes.map(ScenarioValue.string))] }

    func tell() throws {
        guard let account else { return }
        try WCSession.default.updateApplicationContext(["account": account, "notes": notes])
    }

    func take(_ account: String?, _ new: [String]) {
        self.account = account
        notes += new.filter { !notes.contains($0) }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        take(applicationContext["account"] as? String, applicationContext["notes"] as? [String] ?? [])
    }
}
