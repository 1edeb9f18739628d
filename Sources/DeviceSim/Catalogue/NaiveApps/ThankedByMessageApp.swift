import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P41. Sends one note at a time, and the next when the other app has said that it stored the last. It says so by a message, which fails where the sender cannot
/// be reached (W60), and nobody looks: the note is "being sent" for ever, and those behind it wait.
class ThankedByMessageApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias UserDefaults = SystemShims.UserDefaults

    private var waiting: [String] {
        get { UserDefaults.standard.stringArray(forKey: "waiting") ?? [] }
        set { UserDefaults.standard.set(newValue, forKey: "waiting") }
    }

    private var notes: [String] {
        get { UserDefaults.standard.stringArray(forKey: "notes") ?? [] }
        set { UserDefaults.standard.set(newValue, forKey: "notes") }
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "add note": { value in
                self.waiting.append(String(value) ?? "")
                if self.waiting.count == 1 { self.sendNext() }
            }
        ]
    }

    var screen: [String: ScenarioValue] {
        ["waiting": .shown(waiting.count), "notes": .array(notes.map(ScenarioValue.string))]
    }

    private func sendNext() {
        if let note = waiting.first { WCSession.default.transferUserInfo(["note": note]) }
    }

    func thank(for note: String) {
        WCSession.default.sendMessage(["stored": note], replyHandler: nil) { _ in }
    }

    private func stored(_ note: String) {
        guard waiting.first == note else { return }
        waiting.removeFirst()
        sendNext()
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        if let note = message["stored"] as? String { stored(note) }
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        if let note = userInfo["stored"] as? String { stored(note) }
        guard let note = userInfo["note"] as? String else { return }
        if !notes.contains(note) { notes.append(note) }
        thank(for: note)
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
}
