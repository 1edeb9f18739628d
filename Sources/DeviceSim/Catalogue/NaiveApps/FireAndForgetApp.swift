import DeviceSimCore
import Foundation
import WatchConnectivity

/// P13. Hands a file over and says "sent". How a transfer ends is told by `didFinish` only (W91), and this delegate has no such method.
final class FireAndForgetApp: NSObject, NaiveApp, @unchecked Sendable {
    private var status = "nothing sent"

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "share photo": { _ in
                WCSession.default.transferFile(try NaiveFiles.url(of: "Documents/photo"), metadata: nil)
                self.status = "sent"
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["status": .shown(status)] }
}
