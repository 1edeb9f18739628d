import DeviceSimCore
import Foundation
import WatchConnectivity

/// P10. Asks `isReachable`, sends what waits in its outbox, and empties the outbox. What was true at the check need not be at the send, nor on the way: what
/// is lost then is in no outbox any more.
class ChecksThenSendsApp: NSObject, NaiveApp, @unchecked Sendable {
    var outbox: [String] = []
    private var notes: [String] = []

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "add note": { value in
                self.outbox.append(String(value) ?? "")
                self.sendOutbox()
            }
        ]
    }

    var screen: [String: ScenarioValue] {
        ["outbox": .shown(outbox.count), "notes": .array(notes.map(ScenarioValue.string))]
    }

    func sendOutbox() {
        guard WCSession.default.isReachable else { return }
        for note in outbox { WCSession.default.sendMessage(["note": note], replyHandler: nil) }
        outbox.removeAll()
    }

    func sessionReachabilityDidChange(_ session: WCSession) {
        sendOutbox()
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        receive(message)
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        receive(message)
        replyHandler([:])
    }

    private func receive(_ message: [String: Any]) {
        guard let note = message["note"] as? String, !notes.contains(note) else { return }
        notes.append(note)
    }
}
