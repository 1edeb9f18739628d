import DeviceSimCore
import Foundation
import WatchConnectivity

/// P1. Has a button "send again" for a watch that lost its state, and sends the same dictionary again: which is no update, and goes nowhere (W48).
final class ResendApp: NSObject, NaiveApp, @unchecked Sendable {
    private var theme: String?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in
                self.theme = String(value)
                try self.send()
            },
            "send again": { _ in try self.send() },
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme)] }

    private func send() throws {
        guard let theme else { return }
        try WCSession.default.updateApplicationContext(["theme": theme])
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        theme = applicationContext["theme"] as? String
    }
}
